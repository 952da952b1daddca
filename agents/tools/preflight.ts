// Says what will become of a pack on the platform.
import { defined } from "../../base/defined.ts";
import { shownPath } from "../../operations/inside.ts";
import { preflight as operation } from "../../operations/publishing/preflight.ts";
import { agentTool } from "../agent-tool.ts";
import { agentInput, runOperation } from "../operation-tool.ts";
import { OUTSIDE_NOTE, sentences } from "../outside.ts";

export const preflight = agentTool({
  title: "Ready for upload?",
  description: `${operation.about} ${OUTSIDE_NOTE}`,
  input: agentInput(operation),
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
        text: sentences(text),
        ...defined({ location: place && { ...place, path: shownPath(folder, place.path) } }),
      })),
    };
  },
});
