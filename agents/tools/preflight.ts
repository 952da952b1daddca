// Says what will become of a pack on the platform.
import { defined } from "../../base/defined.ts";
import { preflight as operation } from "../../operations/publishing/preflight.ts";
import type { PreflightTopic } from "../../protocol/preflight.ts";
import { outputTool, shownPlace } from "../operation-tool.ts";
import { fromOutside, OUTSIDE_NOTE } from "../outside.ts";

/** The topics whose lines may quote a server: the platform, the API of a recorded answer, or the provider that named an account. */
const QUOTING: readonly PreflightTopic[] = [
  "accounts",
  "formulas",
  "saved-tests",
  "drills",
  "platform-differences",
  "published-configuration",
];

export const preflight = outputTool(operation, {
  title: "Ready for upload?",
  note: OUTSIDE_NOTE,
  runsCode: true,
  isReadOnly: true,
  isOpenWorld: true,
  output: ({ isReady, lines }, host) => ({
    isReady,
    lines: lines.map(({ topic, verdict, text, location }) => ({
      topic,
      verdict,
      text: QUOTING.includes(topic) ? fromOutside(text) : text,
      ...defined({ location: shownPlace(host, location) }),
    })),
  }),
});
