// Reads what the published pack logged.
import { defined } from "../../base/defined.ts";
import { logs as operation } from "../../operations/publishing/logs.ts";
import { entryText } from "../../platform/production/log-text.ts";
import { failureOfError } from "../failure.ts";
import { outputTool, shownPlace } from "../operation-tool.ts";
import { fromOutside, OUTSIDE_NOTE } from "../outside.ts";

/** Entries that one call returns. */
const MOST_ENTRIES = 200;
/** Characters of one text. */
const LONGEST_TEXT = 2_000;

export const logs = outputTool(operation, {
  title: "Logs of the published pack",
  note: `It uses the API token of the platform that the person stored, which you never get. Ask the person for the doc. A failure says why older entries cannot be read. ${OUTSIDE_NOTE}`,
  runsCode: true,
  isReadOnly: true,
  isOpenWorld: true,
  async output({ entries, hasMore, problem }, host) {
    const marked = (text: string) => fromOutside(text, LONGEST_TEXT);
    return {
      entries: entries.slice(0, MOST_ENTRIES).map(({ explanation, place: { location, remark }, ...entry }) => ({
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
          location: shownPlace(host, location),
          remark: remark === undefined ? undefined : marked(remark),
        }),
      })),
      hasMore: hasMore || entries.length > MOST_ENTRIES,
      ...(problem === undefined ? {} : { failure: await failureOfError(problem, host) }),
    };
  },
});
