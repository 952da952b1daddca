// Reads what the published pack logged.
import { defined } from "../../base/defined.ts";
import { shownPath } from "../../operations/inside.ts";
import { logs as operation } from "../../operations/publishing/logs.ts";
import { entryText } from "../../platform/production/log-text.ts";
import { agentTool } from "../agent-tool.ts";
import { failureOfError } from "../failure.ts";
import { agentInput, runOperation } from "../operation-tool.ts";
import { fromOutside, OUTSIDE_NOTE } from "../outside.ts";

/** Entries that one call returns. */
const MOST_ENTRIES = 200;
/** Characters of one text. */
const LONGEST_TEXT = 2_000;

export const logs = agentTool({
  title: "Logs of the published pack",
  description: `${operation.about} It uses the API token of the platform that the person stored, which you never get. Ask the person for the doc. A failure says why older entries cannot be read. ${OUTSIDE_NOTE}`,
  input: agentInput(operation),
  runsCode: true,
  isReadOnly: true,
  isOpenWorld: true,
  async call(input, call) {
    const { entries = [], hasMore = false, problem } = (await runOperation(operation, input, call)) ?? {};
    const { host } = call.session;
    const marked = (text: string) => fromOutside(text, LONGEST_TEXT);
    return {
      entries: entries.slice(0, MOST_ENTRIES).map(({ explanation, place: { location: place, remark }, ...entry }) => ({
        type: entry.type,
        failed: entry.failed,
        createdAt: marked(entry.createdAt),
        packVersion: marked(entry.packVersion),
        formula: marked(entry.formulaName),
        connection: marked(entry.connectionName || entry.connectionId),
        text: marked(entryText(entry)),
        ...defined({
          explanation: explanation && marked(explanation.text),
          diagnosis: explanation?.diagnosis,
          location: place && { ...place, path: shownPath(host.folder, place.path) },
          remark: remark === undefined ? undefined : marked(remark),
        }),
      })),
      hasMore: hasMore || entries.length > MOST_ENTRIES,
      ...(problem === undefined ? {} : { failure: await failureOfError(problem, host) }),
    };
  },
});
