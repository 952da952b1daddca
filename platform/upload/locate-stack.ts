// Finds the line of the pack's own sources that a logged stack comes from. The stack is text from outside: it is read up to a maximum
// length, its positions are checked against the uploaded texts, and no path leaves the pack's folder.
import { dirname, resolve } from "node:path";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { defined } from "../../base/defined.ts";
import type { SourceLocation } from "../../protocol/run.ts";
import { isIn, openedFolder } from "../bundle/bundle-files.ts";
import { type ParsedFrame, parseStack } from "../bundle/source-map.ts";
import { canonicalPath, spelling } from "../files/file-names.ts";
import { readRegularFile } from "../files/regular-file.ts";
import { isInstalled, type UploadedMap } from "./source-maps.ts";
import { BUILD_FOLDER } from "./toolkit-build.ts";

export interface LocatedStack {
  readonly location: SourceLocation;
  /** The function's name in the stack. */
  readonly function?: string;
  /** False if the file is not what was uploaded; the line may then be another one. */
  readonly isSameSource: boolean;
  /** The line of the uploaded text. */
  readonly uploadedLine: string;
}

export interface LocateOptions {
  /** The path of the file that builds the pack. */
  readonly entry: string;
  /** The open folder that contains the pack; if absent, the nearest one with a package.json. */
  readonly folder?: string;
  /** Returns the present text of a file, such as that of an editor; by default it is read from disk. */
  readFile?(path: string): string | undefined;
}

/** Characters of a line that are shown. */
const LONGEST_LINE = 300;

const traces = new WeakMap<UploadedMap, TraceMap>();

/** Returns the innermost frame in the pack's own sources; undefined if there is none. Never throws. */
export function locateStack(stack: string, map: UploadedMap, options: LocateOptions): LocatedStack | undefined {
  const frames = parseStack(stack);
  // A script without a name is the bundle only if no other frame is.
  const isBundle = frames.some(({ file }) => isNamedBundle(file)) ? isNamedBundle : isUnnamedScript;
  const folder = openedFolder(options.entry, options.folder);
  for (const frame of frames) {
    const isUnmapped = isBundle(frame.file);
    const position = isUnmapped ? mapped(frame, map) : alreadyMapped(frame, map);
    const located = position && inSources(position, map, folder, options);
    // The SDK's function writes the name of the called function, and not of the calling one.
    if (located !== undefined) return { ...located, ...(isUnmapped ? defined({ function: functionName(frame) }) : {}) };
  }
  return undefined;
}

/** The SDK names the bundle so, in any folder; other scripts of the runtime have longer names, such as thunk_bundle.js. */
const isNamedBundle = (file: string): boolean => /(?:^|[\\/])bundle\.js$/.test(file);

const isUnnamedScript = (file: string): boolean => file === "<isolated-vm>";

interface Position {
  /** An index in the map's sources. */
  readonly source: number;
  /** Both start at 0. */
  readonly line: number;
  readonly character: number;
}

function mapped({ line, column }: ParsedFrame, map: UploadedMap): Position | undefined {
  try {
    let trace = traces.get(map);
    if (trace === undefined) {
      trace = new TraceMap({
        ...map,
        version: 3,
        sources: [...map.sources],
        sourcesContent: [...map.sourcesContent],
        names: [...map.names],
      });
      traces.set(map, trace);
    }
    const position = originalPositionFor(trace, { line, column: column - 1 });
    return position.source === null
      ? undefined
      : { source: trace.resolvedSources.indexOf(position.source), line: position.line - 1, character: position.column };
  } catch {
    // The map is not one.
    return undefined;
  }
}

/** The SDK has a function that maps stacks itself; its frames name the sources as the map does. */
const alreadyMapped = ({ file, line, column }: ParsedFrame, map: UploadedMap): Position => ({
  source: map.sources.indexOf(file),
  line: line - 1,
  character: column - 1,
});

function inSources(
  { source: index, line, character }: Position,
  map: UploadedMap,
  folder: string,
  { entry, readFile = readRegularFile }: LocateOptions,
): Omit<LocatedStack, "function"> | undefined {
  const source = map.sources[index];
  const uploaded = map.sourcesContent[index];
  if (source === undefined || typeof uploaded !== "string" || isInstalled(source)) return undefined;
  const path = resolve(canonicalPath(dirname(entry)), BUILD_FOLDER, source);
  const uploadedLine = uploaded.split(/\r\n?|\n/)[line];
  if (!isIn(path, folder) || uploadedLine === undefined || character > uploadedLine.length) return undefined;
  const present = readFile(path);
  return {
    location: { path: spelling(entry)(path), line, character },
    isSameSource: present !== undefined && comparable(present) === comparable(uploaded),
    uploadedLine: uploadedLine.trim().slice(0, LONGEST_LINE),
  };
}

/** Line ends and the byte order mark move no line. */
const comparable = (text: string): string => text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");

/** Returns the name without its receiver. Names that the build made up say nothing to people. */
function functionName({ name }: ParsedFrame): string | undefined {
  const last = name
    ?.replace(/ \[as [^[\]]*\]$/, "")
    .split(".")
    .at(-1);
  return last === undefined || last.length < 3 || /[<>]/.test(last) ? undefined : last.slice(0, LONGEST_LINE);
}
