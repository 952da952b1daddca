// Finds mistakes in sources, with the edits that fix them.
import { z } from "zod";
import { check as operation } from "../../operations/sources/check.ts";
import { UPLOAD_VERDICTS } from "../../protocol/verdict.ts";
import { agentTool } from "../agent-tool.ts";
import { agentInput, runOperation } from "../operation-tool.ts";
import { edit, range } from "../schemas.ts";

/** Findings that one call returns. */
const MOST_FINDINGS = 200;

export const check = agentTool({
  title: "Check packs",
  description: operation.about,
  input: agentInput(operation),
  output: z.strictObject({
    fileCount: z.int(),
    findings: z.array(
      z.strictObject({
        rule: z.string(),
        severity: z.enum(["error", "warning", "information"]),
        verdict: z.enum(UPLOAD_VERDICTS).optional().describe("What it means for the pack on the platform; absent if it decides nothing."),
        message: z.string(),
        path: z.string(),
        range,
        fixes: z.array(
          z.strictObject({
            title: z.string(),
            isProposal: z.boolean().describe("True if it inserts a placeholder, removes code, or changes what the pack does."),
            edits: z.array(edit),
          }),
        ),
      }),
    ),
    safeEdits: z
      .array(edit)
      .describe("Edits of all fixes that are safe and fit together. Apply all at once and check again, or apply the fixes one by one."),
    isCut: z.boolean().describe(`True if there are more than ${MOST_FINDINGS} findings.`),
  }),
  runsCode: false,
  isReadOnly: true,
  isOpenWorld: false,
  async call(input, call) {
    const { fileCount, findings, safeEdits } = await runOperation(operation, input, call);
    return {
      fileCount,
      findings: findings
        .slice(0, MOST_FINDINGS)
        .map(({ fixes, ...finding }) => ({ ...finding, fixes: fixes.map((fix) => ({ ...fix, edits: [...fix.edits] })) })),
      safeEdits: [...safeEdits],
      isCut: findings.length > MOST_FINDINGS,
    };
  },
});
