// Maps stacks of the bundle to the pack's own sources. Pack code may have written the stack itself, so it is read in one pass up to a
// maximum length, and its numbers are checked.

import { pathToFileURL } from "node:url";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { defined } from "../../base/defined.ts";
import type { SourceLocation, StackFrame } from "../../protocol/run.ts";
import { BUNDLE_FILENAME, type PackBundle } from "./bundle.ts";

const LONGEST_STACK = 32 * 1024;
const MOST_LINES = 100;
const LONGEST_LINE = 1_000;

const maps = new WeakMap<PackBundle, TraceMap>();

/** Returns the frames of a V8 stack; frames outside the bundle (the realm's own code) are left out. Never throws. */
export function mapStack(stack: string, bundle: PackBundle): readonly StackFrame[] {
  const frames: StackFrame[] = [];
  for (const line of stack.slice(0, LONGEST_STACK).split("\n", MOST_LINES)) {
    const frame = readFrame(line, bundle);
    if (frame === undefined) continue;
    const { name, place, location } = frame;
    frames.push({ ...defined({ function: name }), location, text: name === undefined ? `(${place})` : `${name} (${place})` });
  }
  return frames;
}

/** Maps the frames in a text with stacks, such as a logged error, to the pack's sources. Never throws. */
export function mapFrames(text: string, bundle: PackBundle): string {
  if (!text.includes(`${BUNDLE_FILENAME}:`)) return text;
  return text
    .split("\n")
    .map((line, index) => {
      const frame = index > MOST_LINES ? undefined : readFrame(line, bundle);
      if (frame === undefined) return line;
      const { name, place } = frame;
      return `    at ${name === undefined ? place : `${name} (${place})`}`;
    })
    .join("\n");
}

/** Returns the bundle for a debugger: with an inline source map whose sources are file URLs. */
export function debuggable(bundle: PackBundle): PackBundle {
  const map = JSON.parse(bundle.sourceMap) as { readonly sources: readonly string[] };
  const sources = map.sources.map((source) => {
    const path = bundle.fileOf(source);
    return path === undefined ? FOREIGN : pathToFileURL(path).href;
  });
  const inline = Buffer.from(JSON.stringify({ ...map, sources })).toString("base64");
  return { ...bundle, code: `${bundle.code}\n//# sourceMappingURL=data:application/json;base64,${inline}\n` };
}

/** The name that a debugger shows for a source that is not the pack's. */
const FOREIGN = "pack-auth:foreign";

interface Frame {
  readonly name: string | undefined;
  readonly location: SourceLocation;
  /** The location as people read it. */
  readonly place: string;
}

function readFrame(line: string, bundle: PackBundle): Frame | undefined {
  const frame = parseFrame(line);
  if (frame?.file !== BUNDLE_FILENAME) return undefined;
  const location = locate(frame.line, frame.column, bundle);
  return location && { name: frame.name, location, place: `${location.path}:${location.line + 1}:${location.character + 1}` };
}

/** A frame as V8 writes it; line and column start at 1. */
export interface ParsedFrame {
  readonly name: string | undefined;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Returns the frames of a stack in V8's format, up to a maximum length. Never throws. */
export const parseStack = (stack: string): readonly ParsedFrame[] =>
  stack
    .slice(0, LONGEST_STACK)
    .split("\n", MOST_LINES)
    .flatMap((line) => parseFrame(line) ?? []);

/** Parses `at name (file:line:column)` or `at file:line:column`. */
function parseFrame(line: string): ParsedFrame | undefined {
  if (line.length > LONGEST_LINE) return undefined;
  const trimmed = line.trim();
  if (!trimmed.startsWith("at ")) return undefined;
  const named = trimmed.endsWith(")");
  const open = named ? trimmed.lastIndexOf(" (") : -1;
  if (named && open < 0) return undefined;
  const parts = (named ? trimmed.slice(open + 2, -1) : trimmed.slice(3).replace(/^async /, "")).split(":");
  const [row, column] = parts.splice(-2);
  if (parts.length === 0 || !isPosition(row) || !isPosition(column)) return undefined;
  const name = named
    ? trimmed
        .slice(3, open)
        .trim()
        .replace(/^(async |new )/, "")
    : "";
  return { name: name || undefined, file: parts.join(":"), line: Number(row), column: Number(column) };
}

const isPosition = (text: string | undefined): text is string => text !== undefined && /^[1-9]\d{0,8}$/.test(text);

function locate(line: number, column: number, bundle: PackBundle): SourceLocation | undefined {
  let map = maps.get(bundle);
  if (map === undefined) {
    map = new TraceMap(bundle.sourceMap);
    maps.set(bundle, map);
  }
  const position = originalPositionFor(map, { line, column: column - 1 });
  if (position.source === null) return undefined;
  const path = bundle.fileOf(position.source);
  return path === undefined ? undefined : { path, line: position.line - 1, character: position.column };
}
