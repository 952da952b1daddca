// Two trees of one source, node by node and field by field.
import type { ts } from "ts-morph";

/** What the analysis does not read, or what only TypeScript's later stages fill. */
const UNREAD = new Set([
  "parent",
  "start",
  "flags",
  "id",
  "transformFlags",
  "modifierFlagsCache",
  "original",
  "emitNode",
  "symbol",
  "localSymbol",
  "locals",
  "nextContainer",
  "flowNode",
  "endFlowNode",
  "returnFlowNode",
  "fallthroughFlowNode",
  "possiblyExhaustive",
  "jsDoc",
  "escapedText",
  "rawText",
  "templateFlags",
  "singleQuote",
  "hasExtendedUnicodeEscape",
  "numericLiteralFlags",
  "isUnterminated",
  "multiLine",
  "phaseModifier",
  "typeArguments2",
]);

/** The first difference, in words; undefined where there is none. `flags` of declarations count, others do not. */
export function difference(expected: ts.SourceFile, actual: ts.SourceFile): string | undefined {
  const root = (source: ts.SourceFile): unknown => ({ statements: source.statements, end: source.endOfFileToken });
  return compare(root(expected), root(actual), "", expected);
}

function compare(expected: unknown, actual: unknown, path: string, source: ts.SourceFile): string | undefined {
  if (Array.isArray(expected)) {
    const [a, b] = [expected as unknown as ts.NodeArray<ts.Node>, actual as ts.NodeArray<ts.Node> | undefined];
    if (b === undefined || a.length !== b.length) return `${path}: ${a.length} items, here ${b?.length}`;
    if (Boolean(a.hasTrailingComma) !== Boolean(b.hasTrailingComma)) return `${path}: another end of the list`;
    for (const [index, item] of a.entries()) {
      const found = compare(item, b[index], `${path}[${index}]`, source);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (expected === null || typeof expected !== "object")
    return expected === actual ? undefined : `${path}: ${String(expected)}, here ${String(actual)}`;
  if (actual === null || typeof actual !== "object") return `${path}: a node, here ${String(actual)}`;
  const [a, b] = [expected as ts.Node, actual as ts.Node];
  if (a.kind !== undefined) {
    const place = `${path} at ${a.pos}`;
    if (a.kind !== b.kind || a.pos !== b.pos || a.end !== b.end)
      return `${place}: kind ${a.kind} to ${a.end}, here ${b.kind} ${b.pos}–${b.end}`;
    if (a.getStart(source) !== b.getStart(source)) return `${place}: starts at ${a.getStart(source)}, here ${b.getStart(source)}`;
    if ((a.flags & 7) !== (b.flags & 7)) return `${place}: flags ${a.flags & 7}, here ${b.flags & 7}`;
    if (a.parent?.kind !== b.parent?.kind || a.parent?.pos !== b.parent?.pos) return `${place}: another parent`;
  }
  const fields = new Set([...Object.keys(a), ...Object.keys(b)].filter((field) => !UNREAD.has(field)));
  if ("text" in a && a.kind !== undefined) fields.add("text");
  for (const field of fields) {
    const [x, y] = [(a as unknown as Record<string, unknown>)[field], (b as unknown as Record<string, unknown>)[field]];
    if (x === undefined && y === undefined) continue;
    // False and absent are the same to who reads it.
    if ((x ?? false) === false && (y ?? false) === false) continue;
    const found = compare(x, y, `${path}.${field}`, source);
    if (found !== undefined) return found;
  }
  return undefined;
}
