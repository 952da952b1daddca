// The contents of a report, independent of its format.
import { countVerdicts, type VerdictCounts } from "../../../protocol/verdict.ts";
import type { Diagnostic, Severity } from "../../../server/analysis/model/findings.ts";
import type { AppliedFix } from "../../sources/fix-files.ts";
import type { Paint } from "../../terminal/colour.ts";

export interface CheckedFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether `--fix` changes the file: it is named, and not only a part of a named pack. */
  readonly isNamed: boolean;
}

export interface Report {
  /** The files, with only the findings to report. */
  readonly files: readonly CheckedFile[];
  /** Counts of all findings, including those that are not reported. */
  readonly summary: Summary;
  /** The fixes that `--fix` made; undefined without `--fix`. */
  readonly appliedFixes: readonly AppliedFix[] | undefined;
  /** Messages about files that could not be read or written. */
  readonly failures: readonly string[];
  readonly cwd: string;
  /** The folder that paths in code scanning and annotations are relative to: `checkoutRoot`. */
  readonly root: string;
  /** The product's version. */
  readonly version: string;
  readonly paint: Paint;
  /** Columns. */
  readonly width: number;
  /** Returns the address of a rule's page. */
  docs(rule: string): string;
  /** Returns the text of a file that a fix would change. */
  text(path: string): string;
}

export interface Summary {
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  readonly informations: number;
  /** How many of the findings have each verdict. */
  readonly verdicts: VerdictCounts;
}

export function summarise(files: readonly CheckedFile[]): Summary {
  const all = files.flatMap((file) => file.diagnostics);
  const count = (severity: Severity): number => all.filter((diagnostic) => diagnostic.severity === severity).length;
  return {
    files: files.length,
    errors: count("error"),
    warnings: count("warning"),
    informations: count("information"),
    verdicts: countVerdicts(all.map(({ verdict }) => verdict)),
  };
}

export const plural = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`;
