// Says what will become of a pack on the platform.
import { defined } from "../../base/defined.ts";
import { preflight as operation } from "../../operations/publishing/preflight.ts";
import { outputTool, shownPlace } from "../operation-tool.ts";
import { OUTSIDE_NOTE, sentences } from "../outside.ts";

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
      text: sentences(text),
      ...defined({ location: shownPlace(host, location) }),
    })),
  }),
});
