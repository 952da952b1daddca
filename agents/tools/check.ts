// Finds mistakes in sources, with the edits that fix them.
import { z } from "zod";
import { pathInside } from "../../operations/inside.ts";
import { UPLOAD_VERDICTS } from "../../protocol/verdict.ts";
import { agentTool } from "../agent-tool.ts";
import { edit, range } from "../schemas.ts";

/** Findings that one call returns. */
const MOST_FINDINGS = 200;

export const check = agentTool({
  title: "Check packs",
  description:
    "Finds mistakes in the authentication of packs: what the platform would reject, or get wrong in silence. Reads the files as they are now. Each finding has a rule (pass it to explain), a place, and fixes with edits to apply. Runs no code and needs no network.",
  input: z.strictObject({
    paths: z
      .array(z.string())
      .max(1_000)
      .default(["."])
      .describe("Files or folders, relative to the server's folder. By default all of it."),
  }),
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
    isCut: z.boolean().describe(`True if there are more than ${MOST_FINDINGS} findings.`),
  }),
  runsCode: false,
  isReadOnly: true,
  isOpenWorld: false,
  async call({ paths }, { session: { host }, signal }) {
    const { fileCount, findings } = await host.sources.check(
      paths.map((path) => pathInside(host.folder, path)),
      signal,
    );
    return {
      fileCount,
      findings: findings
        .slice(0, MOST_FINDINGS)
        .map(({ fixes, ...finding }) => ({ ...finding, fixes: fixes.map((fix) => ({ ...fix, edits: [...fix.edits] })) })),
      isCut: findings.length > MOST_FINDINGS,
    };
  },
});
