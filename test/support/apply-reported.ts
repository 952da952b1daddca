// Applies reported edits as a coding agent would: by path, range and new text alone, with its own idea of lines.
import assert from "node:assert/strict";
import type { ReportedEdit } from "../../protocol/agents.ts";
import type { Position } from "../../protocol/editor.ts";
import type { Files } from "./analyse.ts";

/** `files` are texts by the paths that the edits name. Each edit must find its old text. */
export function applyReported(files: Files, edits: readonly ReportedEdit[]): Record<string, string> {
  const result: Record<string, string> = { ...files };
  for (const path of new Set(edits.map((edit) => edit.path))) {
    const text = files[path] ?? assert.fail(`${path} is no file`);
    const pieces: string[] = [];
    let end = 0;
    const own = edits
      .filter((edit) => edit.path === path)
      .map((edit) => ({ ...edit, start: offsetOf(text, edit.range.start), end: offsetOf(text, edit.range.end) }))
      .sort((a, b) => a.start - b.start || a.end - b.end);
    for (const edit of own) {
      assert.ok(edit.start >= end, "no edit overlaps another");
      assert.equal(text.slice(edit.start, edit.end), edit.oldText);
      pieces.push(text.slice(end, edit.start), edit.newText);
      end = edit.end;
    }
    result[path] = pieces.join("") + text.slice(end);
  }
  return result;
}

/** Counts UTF-16 code units in lines that end with \n, \r\n or \r. */
function offsetOf(text: string, { line, character }: Position): number {
  const lines = text.split(/(?<=\n|\r(?!\n))/);
  assert.ok(line < lines.length || (line === lines.length && character === 0), `line ${line} exists`);
  return lines.slice(0, line).join("").length + character;
}
