// What the analysis reports to a coding agent about a pack's sources. The command line and the language server return the same.
import type { Range } from "./editor.ts";
import type { UploadVerdict } from "./verdict.ts";

/** Replaces a range of a file. Ranges are zero-based and count UTF-16 code units, as in LSP. */
export interface ReportedEdit {
  /** Relative to the agent's folder, with slashes. */
  readonly path: string;
  readonly range: Range;
  /** The text in the range before the edit. */
  readonly oldText: string;
  readonly newText: string;
}

export interface ReportedFix {
  readonly title: string;
  /** True if the fix needs a review: it inserts a placeholder, removes code, or changes what the pack does. */
  readonly isProposal: boolean;
  readonly edits: readonly ReportedEdit[];
}

export interface ReportedFinding {
  readonly rule: string;
  readonly severity: "error" | "warning" | "information";
  /** Undefined if the finding does not decide what becomes of the pack. */
  readonly verdict?: UploadVerdict;
  readonly message: string;
  readonly path: string;
  readonly range: Range;
  readonly fixes: readonly ReportedFix[];
}

export interface CheckedSources {
  /** The number of files that were checked. */
  readonly fileCount: number;
  readonly findings: readonly ReportedFinding[];
  /** The edits of the fixes that need no review and can be applied together. */
  readonly safeEdits: readonly ReportedEdit[];
}

/** A part of a pack and its place. */
interface OutlinedPart {
  readonly name: string;
  readonly path: string;
  readonly range: Range;
}

/** A pack as its source shows it. What the source does not tell is absent. */
export interface OutlinedPack {
  /** The file that builds the pack. */
  readonly entry: string;
  readonly authentications: readonly (Omit<OutlinedPart, "name"> & {
    readonly scope: "user" | "system";
    readonly type?: string;
    readonly scopes?: readonly string[];
  })[];
  readonly formulas: readonly OutlinedPart[];
  readonly syncTables: readonly OutlinedPart[];
  readonly mcpServers: readonly OutlinedPart[];
  readonly networkDomains: readonly string[];
}

export interface RulePage {
  readonly id: string;
  readonly severity: "error" | "warning" | "information";
  /** Markdown. */
  readonly page: string;
}

/** Why sources cannot be checked. */
export interface SourceProblem {
  readonly code: "sources-unreadable" | "settings-invalid";
  readonly message: string;
  /** What to do next. */
  readonly hint: string;
}

export type SourceAnswer<Result> = { readonly result: Result } | { readonly problem: SourceProblem };
