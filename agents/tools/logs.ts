// Reads what the published pack logged.
import { z } from "zod";
import { defined } from "../../base/defined.ts";
import { shownPath } from "../../operations/inside.ts";
import { logs as operation } from "../../operations/publishing/logs.ts";
import { entryText, LOG_TYPES } from "../../platform/production/log-text.ts";
import { agentTool } from "../agent-tool.ts";
import { failureOfError } from "../failure.ts";
import { agentInput, runOperation } from "../operation-tool.ts";
import { fromOutside, outsideText } from "../outside.ts";
import { failure, location } from "../schemas.ts";

/** Entries that one call returns. */
const MOST_ENTRIES = 200;
/** Characters of one text. */
const LONGEST_TEXT = 2_000;

export const logs = agentTool({
  title: "Logs of the published pack",
  description: `${operation.about} It uses the API token of the platform that the person stored, which you never get. Ask the person for the doc.`,
  input: agentInput(operation),
  output: z.strictObject({
    entries: z
      .array(
        z.strictObject({
          type: z.enum(LOG_TYPES),
          failed: z.boolean(),
          createdAt: outsideText,
          packVersion: outsideText,
          formula: outsideText,
          connection: outsideText,
          text: outsideText.describe("What the entry says."),
          explanation: outsideText.optional().describe("Why it failed, with explain. It may quote the entry."),
          diagnosis: z.string().optional().describe("Pass it to explain for the whole explanation."),
          location: location.optional(),
          remark: outsideText.optional().describe("Why the location is missing or inexact. It may quote the entry."),
        }),
      )
      .describe(`The newest first, at most ${MOST_ENTRIES}.`),
    hasMore: z.boolean(),
    failure: failure.optional().describe("Why older entries cannot be read."),
  }),
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
