// Returns the completions at a mark in a source, and applies a completion as an editor does.
import assert from "node:assert/strict";
import type { Analysis } from "../../server/analysis/analysis.ts";
import { withoutStops } from "../../server/analysis/features/completions/snippet.ts";
import { type Completion, completionsAt } from "../../server/analysis/features/completions.ts";
import { eolOf, indentOf } from "../../server/analysis/text/edit.ts";
import { analyse, split } from "./analyse.ts";

export interface Completed {
  /** The completions, best first. */
  readonly items: readonly Completion[];
  readonly labels: readonly string[];
  item(label: string): Completion;
  /** Returns the file's text after the completion, with the placeholder text of each tab stop. */
  chosen(label: string | Completion): string;
}

/** Returns the completions at the cursor `|`. */
export function complete(marked: string, options: { readonly toolkit?: boolean } = {}): Completed {
  const files = split(marked);
  const [file = "", source = ""] = Object.entries(files).find(([, text]) => text.includes("|")) ?? [];
  const offset = source.indexOf("|");
  return completeAt({ ...files, [file]: source.slice(0, offset) + source.slice(offset + 1) }, file, offset, options);
}

export function completeAt(
  files: Readonly<Record<string, string>>,
  file: string,
  offset: number,
  options: { readonly toolkit?: boolean } = {},
): Completed {
  return completeIn(analyse(files, options), file, offset);
}

export function completeIn(analysis: Analysis, file: string, offset: number): Completed {
  const text = analysis.text(file) ?? assert.fail(`${file} is no file`);
  const items = [...completionsAt(analysis.packsOf(file), file, offset)].sort((a, b) => (a.sort < b.sort ? -1 : 1));
  const item = (label: string): Completion =>
    items.find((completion) => completion.label === label) ?? assert.fail(`${label} is not offered`);
  return {
    items,
    labels: items.map(({ label }) => label),
    item,
    chosen(label) {
      const { span, snippet, also = [] } = typeof label === "string" ? item(label) : label;
      const lines = withoutStops(snippet).replaceAll("\n", eolOf(text) + indentOf(text, span.start));
      const edits = [{ ...span, text: lines }, ...also].sort((a, b) => b.start - a.start);
      return edits.reduce((result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end), text);
    },
  };
}
