// Finds mistakes in sources, with the edits that fix them.
import { check as operation } from "../../operations/sources/check.ts";
import { agentTool } from "../agent-tool.ts";
import { agentInput, runOperation } from "../operation-tool.ts";

/** Findings that one call returns. */
const MOST_FINDINGS = 200;

export const check = agentTool({
  title: "Check packs",
  description: `${operation.about} Apply the safeEdits at once and check again, or apply fixes one by one: review those with isProposal. Places are zero-based. isCut: there are more than ${MOST_FINDINGS} findings.`,
  input: agentInput(operation),
  runsCode: false,
  isReadOnly: true,
  isOpenWorld: false,
  async call(input, call) {
    const { fileCount, findings, safeEdits } = await runOperation(operation, input, call);
    return { fileCount, findings: findings.slice(0, MOST_FINDINGS), safeEdits, isCut: findings.length > MOST_FINDINGS };
  },
});
