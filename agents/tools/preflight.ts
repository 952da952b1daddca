// Says what will become of a pack on the platform.
import { z } from "zod";
import { defined } from "../../base/defined.ts";
import { shownPath } from "../../operations/inside.ts";
import { preflight as operation } from "../../operations/publishing/preflight.ts";
import { type PreflightTopic, VERDICTS } from "../../protocol/preflight.ts";
import { agentTool } from "../agent-tool.ts";
import { agentInput, runOperation } from "../operation-tool.ts";
import { fromOutside, outsideText } from "../outside.ts";
import { location } from "../schemas.ts";

/** The topics whose lines may quote a server: the platform, the API of a recorded answer, or the provider that named an account. */
const QUOTING: readonly PreflightTopic[] = [
  "accounts",
  "formulas",
  "saved-tests",
  "drills",
  "platform-differences",
  "published-configuration",
];

export const preflight = agentTool({
  title: "Ready for upload?",
  description: operation.about,
  input: agentInput(operation),
  output: z.strictObject({
    isReady: z.boolean().describe("False if the upload rejects the pack."),
    lines: z.array(
      z.strictObject({
        topic: z.string(),
        verdict: z.enum(VERDICTS),
        text: z.union([z.string(), outsideText]).describe("What it is, and what to do. Marked if it may quote a server."),
        location: location.optional(),
      }),
    ),
  }),
  runsCode: true,
  isReadOnly: true,
  isOpenWorld: true,
  async call(input, call) {
    const { isReady, lines } = await runOperation(operation, input, call);
    const { folder } = call.session.host;
    return {
      isReady,
      lines: lines.map(({ topic, verdict, text, location: place }) => ({
        topic,
        verdict,
        text: QUOTING.includes(topic) ? fromOutside(text) : text,
        ...defined({ location: place && { ...place, path: shownPath(folder, place.path) } }),
      })),
    };
  },
});
