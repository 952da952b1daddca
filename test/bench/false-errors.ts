// Errors in packs that are right: every source of the toolkit's samples and of TESTS_CORPUS, and what the toolkit's own upload
// validator says of the packs in which we find one.
import { readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { createAnalysis } from "../../server/analysis/analysis.ts";
import { readSource } from "../mutants/corpus.ts";
import { uploadProblems } from "../support/validator.ts";
import { root, samples } from "./workplace.ts";

export interface FalseErrors {
  readonly files: number;
  /** Those that are in no pack which the validator rejects. */
  readonly messages: readonly string[];
  /** In packs that the validator rejects too. */
  readonly shared: number;
}

export async function findFalseErrors(): Promise<FalseErrors> {
  const messages: string[] = [];
  let files = 0;
  let shared = 0;
  for (const folder of [samples, ...(process.env.TESTS_CORPUS ?? "").split(":").filter(Boolean)]) {
    const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /(?<!\.d)\.[cm]?[jt]sx?$/.test(name) && !/(?:^|\/)(?:node_modules|\.git|dist)\//.test(name))
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile());
    files += paths.length;
    const analysis = createAnalysis({
      readFile: (path) =>
        readSource(path) ??
        (path.includes("/node_modules/@codahq/packs-sdk/")
          ? readSource(join(root, path.slice(path.indexOf("/node_modules/"))))
          : undefined),
    });
    analysis.addCandidates(paths);
    const rejected = new Map<string, boolean>();
    const isRejected = async (entry: string): Promise<boolean> => {
      const hasProblems = rejected.get(entry) ?? (await uploadProblems(entry).catch(() => [])).length > 0;
      rejected.set(entry, hasProblems);
      return hasProblems;
    };
    for (const path of paths)
      for (const { rule, message, severity } of analysis.diagnostics(path)) {
        if (severity !== "error") continue;
        const verdicts = await Promise.all(analysis.packsOf(path).map(({ entry }) => isRejected(entry)));
        if (verdicts.some(Boolean)) shared++;
        else messages.push(`${relative(folder, path)}: ${rule}: ${message}`);
      }
  }
  return { files, messages, shared };
}
