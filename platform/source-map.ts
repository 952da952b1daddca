// A stack of the bundle → frames in the pack's own sources.
import { isAbsolute, resolve } from "node:path";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import type { StackFrame } from "../protocol/run.ts";
import { BUNDLE_FILENAME, type PackBundle } from "./bundle.ts";

const FRAME = /^\s*at (?:(.*?) \()?(?:(.*?):(\d+):(\d+))\)?$/;

/** Maps a V8 stack; frames outside the bundle (the realm's own code) are left out. */
export function mapStack(stack: string, bundle: PackBundle): readonly StackFrame[] {
  const map = new TraceMap(bundle.sourceMap);
  const frames: StackFrame[] = [];
  for (const line of stack.split("\n")) {
    const match = FRAME.exec(line);
    if (!match || match[2] !== BUNDLE_FILENAME) continue;
    const position = originalPositionFor(map, { line: Number(match[3]), column: Number(match[4]) - 1 });
    if (position.source === null || position.source.startsWith("pack-auth:")) continue;
    const path = isAbsolute(position.source) ? position.source : resolve(bundle.sourceRoot, position.source);
    const name = match[1]?.replace(/^(async |new )/, "");
    frames.push({
      ...(name === undefined ? {} : { function: name }),
      location: { path, line: position.line - 1, character: position.column },
      text: `${match[1] === undefined ? "" : `${match[1]} `}(${path}:${position.line}:${position.column + 1})`,
    });
  }
  // What the author wrote comes first in interest, but the order of calls is kept.
  return frames;
}
