// What a report is made of, whatever its format.
import { relative } from "node:path";
import type { Diagnostic, Severity } from "../../../server/analysis/model/findings.ts";
import type { Paint } from "../../terminal/colour.ts";
import { slashes } from "../files.ts";
import type { AppliedFix } from "../fix-files.ts";

export interface CheckedFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Report {
  /** With the findings that are to be reported. */
  readonly files: readonly CheckedFile[];
  /** Of all findings, those that are not to be reported among them. */
  readonly summary: Summary;
  /** What `--fix` did; undefined without it. */
  readonly appliedFixes: readonly AppliedFix[] | undefined;
  /** What kept files from being read or written. */
  readonly failures: readonly string[];
  readonly cwd: string;
  /** What code scanning and annotations take paths relative to: {@link checkoutRoot}. */
  readonly root: string;
  /** The product's. */
  readonly version: string;
  readonly paint: Paint;
  /** Columns. */
  readonly width: number;
  /** The address of a rule's page. */
  docs(rule: string): string;
  /** The text of a file that a fix would change. */
  text(path: string): string;
}

export interface Summary {
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  readonly informations: number;
}

export function summarise(files: readonly CheckedFile[]): Summary {
  const all = files.flatMap((file) => file.diagnostics);
  const count = (severity: Severity): number => all.filter((diagnostic) => diagnostic.severity === severity).length;
  return { files: files.length, errors: count("error"), warnings: count("warning"), informations: count("information") };
}

/** The root of a workflow's checkout where the working directory is in one, else the working directory. */
export const checkoutRoot = (cwd: string, { GITHUB_WORKSPACE: workspace }: NodeJS.ProcessEnv): string =>
  workspace && !slashes(relative(workspace, cwd)).startsWith("..") ? workspace : cwd;

/** Relative to the folder, with forward slashes. */
export const shortPath = (path: string, folder: string): string => slashes(relative(folder, path)) || path;

export const plural = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`;
