// Finds mistakes in sources, with the edits that fix them.
import { check as operation } from "../../operations/sources/check.ts";
import { outputTool } from "../operation-tool.ts";

/** Findings that one call returns. */
const MOST_FINDINGS = 200;

export const check = outputTool(operation, {
  title: "Check packs",
  note: `Apply the safeEdits at once and check again, or apply fixes one by one: review those with isProposal. Places are zero-based. isCut: there are more than ${MOST_FINDINGS} findings.`,
  runsCode: false,
  isReadOnly: true,
  isOpenWorld: false,
  output: ({ fileCount, findings, safeEdits }) => ({
    fileCount,
    findings: findings.slice(0, MOST_FINDINGS),
    safeEdits,
    isCut: findings.length > MOST_FINDINGS,
  }),
});
