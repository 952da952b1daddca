// Whether a source has syntax errors: asked before and after it is changed by a program.
import type { ts } from "ts-morph";
import { parse } from "./parse.ts";

/** Whether a source is free of syntax errors. */
export function parses(file: string, text: string): boolean {
  try {
    // What the parser finds wrong stands in a field that its types leave out.
    const { parseDiagnostics } = parse(file, text) as ts.SourceFile & { readonly parseDiagnostics: readonly unknown[] };
    return parseDiagnostics.length === 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
