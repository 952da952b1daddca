// Analyses sources of a test: files in memory, with the real Packs SDK if the test requests it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { type Analysis, createAnalysis } from "../../server/analysis/analysis.ts";
import type { Fix } from "../../server/analysis/model/findings.ts";
import { root } from "./packs.ts";
import { quietRules } from "./quiet-rules.ts";

export type Files = Readonly<Record<string, string>>;

/** `about` is the rule under test, if it is one of the quiet rules. */
export function analyse(files: Files, options: { readonly toolkit?: boolean | "missing"; readonly about?: string } = {}): Analysis {
  const analysis = createAnalysis({
    reportsSyntax: options.about === "syntax-error",
    readFile: (path) => files[path] ?? (options.toolkit === true ? fromToolkit(path) : undefined),
  });

  analysis.configure(() => ({ rules: quietRules(options.toolkit === "missing" ? "toolkit-missing" : options.about) }));
  analysis.addCandidates(Object.keys(files));
  return analysis;
}

/** The installed files do not change while tests run, and thousands of analyses read them. */
const toolkitFiles = new Map<string, string | undefined>();

/** Returns a file of the installed Packs SDK, as if the SDK were installed beside the pack. */
export const fromToolkit = (path: string): string | undefined =>
  path.startsWith("/pack/node_modules/") ? getOrInsert(toolkitFiles, path, () => readInstalled(path)) : undefined;

function readInstalled(path: string): string | undefined {
  try {
    return readFileSync(join(root, path.slice("/pack/".length)), "utf8");
  } catch {
    return undefined;
  }
}

/** Splits a source at its `// @file: name.ts` lines; without any, the source is one file. */
export function split(source: string): Record<string, string> {
  if (!source.includes("// @file: ")) return { "/pack/pack.ts": source };
  const files: Record<string, string> = {};
  for (const section of source.split(/^\/\/ @file: /m).slice(1)) {
    const end = section.indexOf("\n");
    files[`/pack/${section.slice(0, end).trim()}`] = section.slice(end + 1);
  }
  return files;
}

function fail(why: string): never {
  throw new Error(why);
}

/** Removes the marks `«»`, and returns the ranges that they marked. A mark may be inside another. */
export function unmark(files: Files): { files: Record<string, string>; marks: { file: string; start: number; end: number }[] } {
  const plain: Record<string, string> = {};
  const marks: { file: string; start: number; end: number }[] = [];
  for (const [file, marked] of Object.entries(files)) {
    let text = "";
    const starts: number[] = [];
    for (const char of marked) {
      if (char === "«") starts.push(text.length);
      else if (char === "»") marks.push({ file, start: starts.pop() ?? fail("» ends no mark"), end: text.length });
      else text += char;
    }
    if (starts.length > 0) fail("« has no end");
    plain[file] = text;
  }
  return { files: plain, marks };
}

export function apply(files: Files, fix: Fix): Record<string, string> {
  const result = { ...files };
  for (const edit of [...fix.edits].sort((a, b) => b.start - a.start)) {
    const text = result[edit.file];
    if (text === undefined) throw new Error(`the fix edits ${edit.file}, which is no file`);
    result[edit.file] = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
  }
  return result;
}
