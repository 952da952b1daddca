// Builds a pack for the upload with the Packs SDK's own function, so that the platform gets exactly what the SDK's own command sends. The
// SDK is code of the workspace: it runs in a process of its own, without our environment, and never beside credentials in ours.
import { spawn } from "node:child_process";
import { existsSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, parse, relative, resolve, sep } from "node:path";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { anything, flag, list, optional, record, type Shape, text } from "../../base/shape.ts";
import { PACK_FILE, parsePackFile } from "../../spec/pack-file.ts";
import { isIn, manifestReader, openedFolder } from "../bundle/bundle-files.ts";
import { credentialVariables } from "../bundle/esbuild.ts";
import { ForeignFile, firstForeign, foreignFile } from "../bundle/foreign-files.ts";
import { NO_MAP } from "../bundle/named-maps.ts";
import { findToolkit, packFiles, type Toolkit } from "../bundle/toolkit.ts";
import { nodeEnvironment } from "../child-process/node-environment.ts";
import { spawnOrThrow } from "../child-process/spawn-or-throw.ts";
import { PackAuthError } from "../errors.ts";
import { makeFolder } from "../files/make-folder.ts";
import { makeTemporary } from "../files/make-temporary.ts";
import { readRegularFile } from "../files/regular-file.ts";
import { removeTemporary } from "../files/remove-temporary.ts";
import { BUNDLE_NAME, type BuildOrder, type BuildOutcome, OUTCOME_NAME } from "./build-order.ts";

export interface ToolkitBuildOptions {
  /** The bundled program, dist/toolkit-build.cjs. */
  readonly program: string;
  /** See BundleOptions. */
  readonly toolkitModules?: readonly string[];
  /** See BundleOptions. */
  readonly folder?: string;
  /** Milliseconds; 180,000 by default. */
  readonly buildTime?: number;
  readonly signal?: AbortSignal;
}

export interface ToolkitBuild {
  readonly toolkitVersion: string;
  /** The script, minified as the SDK's own upload does. */
  readonly bundle: string;
  /** The source map (version 3). Its sources are relative to {@link BUILD_FOLDER} in the entry's folder. */
  readonly sourceMap: string;
}

/** The folder beside the entry in which the SDK's own upload builds. Nothing is written there; the paths in the source map start there. */
export const BUILD_FOLDER = "_upload_build";

const BUILD_TIME = 180_000;
/** Bytes of a bundle or a source map. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Returns the built pack; undefined if the signal aborted. Throws toolkit-missing, toolkit-build-failed or storage-failed. */
export async function buildWithToolkit(entry: string, options: ToolkitBuildOptions): Promise<ToolkitBuild | undefined> {
  const { program, toolkitModules, buildTime = BUILD_TIME, signal } = options;
  refuseBesideCredentials();
  const toolkit = findToolkit(entry, toolkitModules);
  if (toolkit.version === undefined) throw unsupported(undefined, "its package.json names no version");
  if (signal?.aborted) return undefined;
  const temporary = makeTemporary("pack-auth-upload-");
  try {
    const folder = join(realpathSync(temporary), ...NOWHERE);
    makeFolder(folder);
    // Without these, the build would read files of these names in the folders above, which other people may write.
    for (const name of ["package.json", "tsconfig.json"]) writeFileSync(join(folder, name), "{}");
    const order: BuildOrder = { toolkit: toolkit.manifest, entry, folder, temporary, timerStrategy: timerStrategyOf(entry) };
    const ending = await runProgram(program, order, buildTime, signal);
    if (signal?.aborted) return undefined;
    if (ending !== undefined) throw failed(ending);
    const { error, isUnsupported, inputs = [] } = outcomeIn(folder);
    if (error !== undefined) throw isUnsupported === true ? unsupported(toolkit.version, error) : failed(error);
    const bundle = readRegularFile(join(folder, BUNDLE_NAME), MOST_BYTES);
    const sourceMap = readRegularFile(join(folder, `${BUNDLE_NAME}.map`), MOST_BYTES);
    if (bundle === undefined || sourceMap === undefined) throw failed("it wrote no bundle");
    const { sources, ...built } = asBuiltBeside(entry, folder, bundle, sourceMap);
    refuseForeign([...inputs.filter((path) => !isIn(path, folder)), ...sources], entry, toolkit, options.folder);
    return { toolkitVersion: toolkit.version, ...built };
  } finally {
    removeTemporary(temporary);
  }
}

/**
 * Folders within the temporary one. The SDK's later steps look from there for what the first did not find. A path that leads up from the
 * pack's source ends among these folders, or at the root of the file system, where it ends from the source too.
 */
const NOWHERE: readonly string[] = Array(64).fill("_");

/** Throws pack-does-not-bundle if a file that is in the build is neither the pack's nor the SDK's. */
function refuseForeign(paths: readonly string[], entry: string, toolkit: Toolkit, opened: string | undefined): void {
  const read = manifestReader();
  const files = packFiles(openedFolder(entry, opened, read), entry, toolkit, read);
  const foreign = firstForeign([...new Set(paths)], files.has);
  if (foreign === undefined) return;
  const { message, hint } = foreignFile(new ForeignFile(foreign, files.folder));
  throw new PackAuthError("pack-does-not-bundle", `${message} Nothing was sent.`, { hint });
}

function outcomeIn(folder: string): BuildOutcome {
  const outcome = parsed(outcomeShape, readRegularFile(join(folder, OUTCOME_NAME), MOST_BYTES));
  return outcome ?? { error: "it has no result" };
}

const outcomeShape: Shape<BuildOutcome> = record({ error: optional(text), isUnsupported: optional(flag), inputs: optional(list(text)) });

/** The Packs SDK of the workspace wrote the text. Returns undefined if it has another shape. */
function parsed<T>(shape: Shape<T>, json: string | undefined): T | undefined {
  try {
    return shape(JSON.parse(json ?? ""));
  } catch {
    return undefined;
  }
}

/** Returns the strategy for timers that the pack's options request (`packs setOption … timerStrategy fake`). */
function timerStrategyOf(entry: string): string {
  const { options } = parsePackFile(readRegularFile(join(dirname(entry), PACK_FILE)));
  return typeof options?.timerStrategy === "string" ? options.timerStrategy : "none";
}

function refuseBesideCredentials(): void {
  const [name] = credentialVariables(process.env);
  if (name === undefined) return;
  throw new PackAuthError(
    "toolkit-build-failed",
    `The Packs SDK of the workspace is not run while ${name} is in the environment: it could read the variable.`,
    { nextStep: { do: "unsetVariable", variable: name } },
  );
}

/** Returns why the program ended without an outcome; undefined if it did its work. */
function runProgram(program: string, order: BuildOrder, buildTime: number, signal: AbortSignal | undefined): Promise<string | undefined> {
  const child = spawnOrThrow(
    () =>
      spawn(process.execPath, [program], {
        cwd: dirname(order.entry),
        env: nodeEnvironment(),
        stdio: ["pipe", "ignore", "pipe"],
        windowsHide: true,
        // A process group of its own, so that processes which the SDK starts end with it.
        detached: process.platform !== "win32",
      }),
    "toolkit-build-failed",
    "The process that builds the pack did not start.",
  );
  return new Promise((settle) => {
    let errors = "";
    let isLate = false;
    const kill = (): void => {
      if (process.platform === "win32" || child.pid === undefined) child.kill("SIGKILL");
      else killGroup(child.pid);
    };
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, buildTime);
    signal?.addEventListener("abort", kill, { once: true });
    const end = (why: string | undefined): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", kill);
      settle(why);
    };
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      if (errors.length < 4_000) errors += part;
    });
    child.stdin.on("error", () => {});
    child.once("error", ({ message }) => end(message));
    child.once("exit", () => {
      kill();
      // A process that left the group would keep the pipe open, and there would be no close event.
      setTimeout(() => child.stderr.destroy(), 500).unref();
    });
    child.once("close", (code) =>
      end(isLate ? `it took more than ${buildTime / 1_000} s` : code === 0 ? undefined : errors.trim() || "its process ended"),
    );
    // The pipe stays open: its end tells the program that this process is gone.
    child.stdin.write(`${JSON.stringify(order)}\n`);
  });
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // No process of the group is left.
  }
}

/**
 * Returns the bundle and the map as if they were built in {@link BUILD_FOLDER}, as the SDK's own upload does. Paths of a temporary folder
 * would tell the platform where the author's files are. The build's second step writes wrong paths if it runs outside of the pack's
 * folder, so they are read from the map of the first step, by the sources' texts.
 */
function asBuiltBeside(
  entry: string,
  folder: string,
  bundle: string,
  sourceMap: string,
): Pick<ToolkitBuild, "bundle" | "sourceMap"> & { readonly sources: readonly string[] } {
  const beside = join(realpathSync(dirname(entry)), BUILD_FOLDER);
  const first = parsed(sourcesShape, readRegularFile(join(folder, FIRST_MAP), MOST_BYTES));
  const paths = new Map<string, string[]>();
  for (const [index, source] of first?.sources.entries() ?? []) {
    const content = first?.sourcesContent?.[index];
    if (typeof content === "string") getOrInsert(paths, content, () => []).push(resolve(folder, source));
  }
  const map = parsed(sourcesShape, sourceMap);
  if (map === undefined) throw failed("it wrote no source map");
  const sources = map.sources.map((source, index) => {
    const written = resolve(folder, source);
    const own = longestSuffix(paths.get(String(map.sourcesContent?.[index] ?? "")) ?? [], written);
    if (own !== undefined) return own;
    // The second step takes a path from the temporary folder for one from the pack's, and so loses which folder above it begins in.
    const fromAbove = relative(parse(written).root, written);
    return (
      foldersAbove(folder)
        .map((above) => join(above, fromAbove))
        .find((path) => existsSync(path)) ?? written
    );
  });
  const end = bundle.lastIndexOf(MAP_COMMENT);
  return {
    bundle: `${end < 0 ? bundle : bundle.slice(0, end)}${MAP_COMMENT}${BUILD_FOLDER}/${BUNDLE_NAME}.map`,
    sourceMap: JSON.stringify({
      ...map,
      sources: sources.map((path) => relative(beside, path).split(sep).join("/")),
      ...(map.sourcesContent === undefined ? {} : { sourcesContent: map.sourcesContent.map(withoutNoMap) }),
    }),
    sources,
  };
}

/** Returns the folders that contain the folder, from the root on. */
const foldersAbove = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [] : [...foldersAbove(dirname(folder)), dirname(folder)];

const withoutNoMap = (content: unknown): unknown =>
  typeof content === "string" && content.endsWith(NO_MAP) ? content.slice(0, -NO_MAP.length) : content;

/** The comment at the end of a bundle that names its source map. */
const MAP_COMMENT = "//# sourceMappingURL=";

const sourcesFields = record({ sources: list(text), sourcesContent: optional(list(anything)) });
/** Checks the fields that are used, and keeps all. */
const sourcesShape: Shape<ReturnType<typeof sourcesFields>> = (value) => {
  sourcesFields(value);
  return value as ReturnType<typeof sourcesFields>;
};

/** The map of the SDK's first step in the folder. */
const FIRST_MAP = "esbuild-bundle.js.map";

/** Returns the path that has the longest end in common with the other, since files may have equal texts. */
function longestSuffix(paths: readonly string[], other: string): string | undefined {
  const common = (path: string): number => {
    let length = 0;
    while (length < path.length && path.at(-1 - length) === other.at(-1 - length)) length++;
    return length;
  };
  let best: { readonly path: string; readonly length: number } | undefined;
  for (const path of paths) {
    const length = common(path);
    if (length > (best?.length ?? -1)) best = { path, length };
  }
  return best?.path;
}

const failed = (why: string): PackAuthError =>
  new PackAuthError("toolkit-build-failed", `The Packs SDK cannot build the pack: ${why.slice(0, 2_000)}`, {
    hint: "Correct the pack, and upload it again. Nothing was sent.",
  });

const unsupported = (version: string | undefined, why: string): PackAuthError =>
  new PackAuthError(
    "toolkit-build-failed",
    `The Packs SDK${version === undefined ? "" : ` ${version}`} builds in a way that Pack Auth does not know: ${why}.`,
    { hint: "Install another version of the Packs SDK, or update Pack Auth. Nothing was sent." },
  );
