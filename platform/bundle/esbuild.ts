// Loads the esbuild that builds packs: the product's own, native if it runs and else in WebAssembly. It runs beside credentials, so the
// workspace's esbuild, which is code of the workspace, is used only on request.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { compileFunction } from "node:vm";
import type * as Esbuild from "esbuild";
import { createOnce } from "../../base/create-once.ts";
import { isHarmlessVariable } from "../../spec/own-variables.ts";
import { nodeEnvironment } from "../child-process/node-environment.ts";
import { watchMemory } from "../child-process/resident-memory.ts";
import { spawnOrThrow } from "../child-process/spawn-or-throw.ts";
import { PackAuthError } from "../errors.ts";

export interface EsbuildChoice {
  /** The folder of the product's native esbuild; if absent, the dependency of that name. */
  readonly esbuild?: string;
  /** The folder of the WebAssembly esbuild, for systems that cannot run the native one. */
  readonly esbuildWasm?: string;
  /** Whether to use the workspace's esbuild, which then runs in this process. */
  readonly workspaceEsbuild?: boolean;
  /** Whether to skip the native esbuild, for tests and measurements of the other. */
  readonly withoutNativeEsbuild?: boolean;
}

/** Limits of one build; both have defaults. */
export interface BuildLimits {
  /** Milliseconds; 120,000 by default. */
  readonly buildTime?: number;
  /** Bytes of resident memory of the esbuild process; 2 GiB by default. */
  readonly buildMemory?: number;
}

/** Variables that open credentials: our own, and those with which 1Password's program signs in (platform/team/resolve.ts). */
const OPENING = /^(?:PACK_AUTH_|OP_(?:SERVICE_ACCOUNT_TOKEN$|SESSION_))/i;

/** Returns the variables that code of the workspace could read as credentials, as could any process of the same user. */
export const credentialVariables = (env: NodeJS.ProcessEnv): readonly string[] =>
  Object.keys(env).filter((name) => OPENING.test(name) && !isHarmlessVariable(name) && env[name] !== "");

/**
 * Loads esbuild. The caller must call {@link releaseEsbuild} once. `own` resolves modules as the pack's SDK does. Throws
 * pack-does-not-bundle.
 */
export async function loadEsbuild(choice: EsbuildChoice, own: (module: string) => string): Promise<typeof Esbuild> {
  const failures: unknown[] = [];
  for (const main of choice.workspaceEsbuild === true ? [() => workspaceOwn(own)] : shipped(choice)) {
    let candidate: typeof Esbuild | undefined;
    try {
      candidate = start(main());
      use(candidate, 1);
      await tryOut(candidate);
      return candidate;
    } catch (error) {
      if (error instanceof PackAuthError) throw error;
      if (candidate !== undefined) use(candidate, -1);
      failures.push(error);
    }
  }
  throw new PackAuthError("pack-does-not-bundle", "esbuild, which builds packs, does not start here.", {
    hint:
      choice.workspaceEsbuild === true
        ? "Run npm install, or switch off the workspace's esbuild: Pack Auth includes one."
        : "Install Pack Auth again. If that does not help, install its universal package, which works on every system.",
    cause: new AggregateError(failures),
  });
}

function workspaceOwn(own: (module: string) => string): string {
  const [name] = credentialVariables(process.env);
  if (name === undefined) return own("esbuild");
  throw new PackAuthError(
    "pack-does-not-bundle",
    `The workspace's own esbuild is not run while ${name} is in the environment: it could read the variable.`,
    { nextStep: { do: "leaveWorkspaceEsbuild", variable: name } },
  );
}

const ours = createRequire(import.meta.url);
const mainOf = (folder: string): string => resolve(folder, "lib/main.js");

/** Returns the product's esbuilds in the order in which they are tried. */
function shipped({ esbuild, esbuildWasm, withoutNativeEsbuild }: EsbuildChoice): readonly (() => string)[] {
  const wasm = (): string => (esbuildWasm === undefined ? ours.resolve("esbuild-wasm") : mainOf(esbuildWasm));
  const native = (): string => {
    if (esbuild !== undefined) return mainOf(esbuild);
    // If our native esbuild is not installed, this may find a foreign one.
    const nativeMain = ours.resolve("esbuild");
    if (versionOf(nativeMain) !== versionOf(wasm())) throw new Error(`${nativeMain} is of another version`);
    return nativeMain;
  };
  return withoutNativeEsbuild === true ? [wasm] : [native, wasm];
}

const versionOf = (main: string): unknown =>
  (JSON.parse(readFileSync(resolve(main, "../../package.json"), "utf8")) as { version?: unknown }).version;

const libraries = new Map<string, typeof Esbuild>();

/** Loads esbuild's library with a `spawn` that passes on no environment and does not search the PATH for `node`. */
function start(main: string): typeof Esbuild {
  const cachedLibrary = libraries.get(main);
  if (cachedLibrary !== undefined) return cachedLibrary;
  const load = createRequire(main);
  const module = { exports: {} };
  const library = (): typeof Esbuild => module.exports as typeof Esbuild;
  const childProcess = {
    spawn(command: string, args: readonly string[], options: object) {
      const child = spawnOrThrow(
        () => spawn(command === "node" ? process.execPath : command, args, { ...options, env: nodeEnvironment() }),
        "pack-does-not-bundle",
        "esbuild, which builds packs, does not start here.",
      );
      const esbuild = library();
      children.set(esbuild, child);
      // The library does not restart its process by itself.
      child.once("exit", () => {
        if (children.get(esbuild) !== child) return;
        children.delete(esbuild);
        firstBuilds.delete(esbuild);
        void esbuild.stop();
      });
      return child;
    },
  };
  const require = Object.assign((id: string): unknown => (id === "child_process" ? childProcess : load(id)), load);
  const names = ["exports", "require", "module", "__filename", "__dirname"];
  compileFunction(readFileSync(main, "utf8"), names, { filename: main })(module.exports, require, module, main, dirname(main));
  libraries.set(main, library());
  return library();
}

/** The running process of each library. */
const children = new WeakMap<typeof Esbuild, ChildProcess>();

/** Returns a function that tells whether the present process is still running. */
export function processOf(esbuild: typeof Esbuild): () => boolean {
  const child = children.get(esbuild);
  return () => children.get(esbuild) === child;
}

/** The error for which a process was killed; it also ends the other builds in that process. */
const limitErrors = new WeakMap<ChildProcess, PackAuthError>();

const BUILD_TIME = 120_000;
const BUILD_MEMORY = 2 * 1024 ** 3;

/**
 * Runs a build, and kills esbuild if the build exceeds a limit. esbuild reads every package.json, tsconfig.json and source map on its way,
 * and reading a device of such a name never ends.
 * Throws pack-does-not-bundle then.
 */
export async function withinLimits<T>(
  esbuild: typeof Esbuild,
  { buildTime = BUILD_TIME, buildMemory = BUILD_MEMORY }: BuildLimits,
  build: () => Promise<T>,
): Promise<T> {
  const child = children.get(esbuild);
  if (child === undefined) return build();
  const end = (what: string): void => {
    limitErrors.set(
      child,
      new PackAuthError("pack-does-not-bundle", what, {
        hint: "Look for a package.json, tsconfig.json or source map that is not a regular file, and for generated sources.",
      }),
    );
    child.kill("SIGKILL");
  };
  const memory = watchMemory(child, (bytes) => {
    if (bytes > buildMemory)
      end(`The pack cannot be built: building it takes more than ${Math.round(buildMemory / 1024 ** 2)} MB of memory.`);
  });
  const timer = setTimeout(() => end(`The pack cannot be built within ${buildTime / 1000} s.`), buildTime);
  memory.wake();
  try {
    return await build();
  } catch (error) {
    const why = limitErrors.get(child);
    // Waits for the exit, so that the next build does not use a process that is about to end.
    if (why !== undefined && child.exitCode === null && child.signalCode === null) await once(child, "exit");
    throw why ?? error;
  } finally {
    clearTimeout(timer);
    memory.stop();
  }
}

const firstBuilds = new WeakMap<typeof Esbuild, Promise<unknown>>();

/**
 * Runs an empty build alone before the first real one. During its first build, WebAssembly esbuild detects whether it runs on Windows.
 * Until then it treats the paths of other builds as Unix paths ("is not an absolute path").
 */
const tryOut = (esbuild: typeof Esbuild): Promise<unknown> =>
  createOnce(firstBuilds, esbuild, () =>
    esbuild.build({ stdin: { contents: "" }, write: false, absWorkingDir: dirname(process.execPath), logLevel: "silent" }),
  );

/** The number of users of each esbuild process, which stops some time after its last user has released it. */
const users = new Map<typeof Esbuild, number>();
const ESBUILD_LINGERS = 10_000;

function use(esbuild: typeof Esbuild, count: 1 | -1): void {
  const left = (users.get(esbuild) ?? 0) + count;
  users.set(esbuild, left);
  if (left > 0) return;
  setTimeout(() => {
    if (users.get(esbuild) !== 0) return;
    firstBuilds.delete(esbuild);
    void esbuild.stop();
  }, ESBUILD_LINGERS).unref();
}

/** Releases an esbuild that {@link loadEsbuild} returned. */
export const releaseEsbuild = (esbuild: typeof Esbuild): void => use(esbuild, -1);
