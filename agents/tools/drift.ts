// Compares the published pack's OAuth configuration with its source.
import { defined } from "../../base/defined.ts";
import { drift as operation } from "../../operations/publishing/drift.ts";
import { outputTool } from "../operation-tool.ts";
import { fromOutside, OUTSIDE_NOTE, sentences } from "../outside.ts";

export const drift = outputTool(operation, {
  title: "Compare with the published pack",
  note: `It uses the API token of the platform that the person stored, which you never get. A line without isSame cannot be compared, or need not be the same. ${OUTSIDE_NOTE}`,
  runsCode: true,
  isReadOnly: true,
  isOpenWorld: true,
  output: ({ differs, lines }) => ({
    differs,
    lines: lines.map(({ there, advice, ...line }) => ({
      ...line,
      there: fromOutside(there),
      ...defined({ advice: advice === undefined ? undefined : sentences(advice) }),
    })),
  }),
});
