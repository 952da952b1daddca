// Starts the Node that packs run in, behind all its layers (security.md 1): no environment, no file, no process, no worker, no code
// from strings. What the flags promise, the process tests for itself before it loads anything.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { openSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { nodeEnvironment } from "../child-process/node-environment.ts";
import { spawnOrThrow } from "../child-process/spawn-or-throw.ts";
import { makeTemporary, temporaryFailed } from "../files/make-temporary.ts";
import { removeTemporary } from "../files/remove-temporary.ts";
import type { NodeFlags } from "./node-flags.ts";

export type RunnerProcess = ChildProcessByStdio<Writable, Readable, Readable>;

export interface RunnerOptions {
  /** The bundled runner, dist/runner.cjs. */
  readonly runner: string;
  /** The Node that runs it. */
  readonly node: string;
  /** Layers that the author agreed to go without, by name. */
  readonly tolerate?: readonly string[];
  /** Flags left out; only for tests that show that a missing layer stops everything. */
  readonly withoutFlags?: readonly string[];
  /** Opens the inspector on a free port of this machine; see {@link canInspect}. */
  readonly inspect?: boolean;
}

/** A file that the process must not be able to read. */
interface Canary {
  readonly file: string;
  remove(): void;
}

/** Throws storage-failed where there is no place for it. */
export function makeCanary(): Canary {
  const folder = realpathSync(makeTemporary("pack-auth-"));
  const file = join(folder, "canary");
  try {
    writeFileSync(file, "");
  } catch (cause) {
    removeTemporary(folder);
    throw temporaryFailed(cause);
  }
  const canary: Canary = {
    file,
    remove() {
      canaries.delete(canary);
      removeTemporary(folder);
    },
  };
  canaries.add(canary);
  return canary;
}

/** Of processes that are just starting. */
const canaries = new Set<Canary>();
const live = new Set<RunnerProcess>();
/** A host that ends takes its packs with it, and what it made for them; only one that is killed cannot. */
process.on("exit", () => {
  for (const child of live) child.kill("SIGKILL");
  for (const canary of canaries) canary.remove();
});

/** Throws process-crashed where the machine has no room for another process. */
export function spawnRunner(options: RunnerOptions, { permission, inspector }: NodeFlags, canary: string): RunnerProcess {
  const runner = realpathSync(options.runner);
  const flags = [
    ...(permission === undefined ? [] : [permission, `--allow-fs-read=${runner}`]),
    ...(options.inspect !== true || inspector === undefined ? [] : ["--inspect=127.0.0.1:0", inspector]),
    "--disallow-code-generation-from-strings",
    "--frozen-intrinsics",
    "--experimental-vm-modules",
    "--no-warnings",
    "--max-old-space-size=512",
  ].filter((flag) => !options.withoutFlags?.some((without) => flag === without || flag.startsWith(`${without}=`)));
  const child = spawnOrThrow(
    () =>
      spawn(options.node, [...flags, runner, canary, (options.tolerate ?? []).join(",")], {
        env: nodeEnvironment(),
        stdio: ["pipe", "pipe", "pipe", ...Array.from({ length: Math.max(lastInheritable() - 2, 0) }, nothing)],
        windowsHide: true,
      }) as RunnerProcess,
    "process-crashed",
    "The pack process did not start.",
  );
  // One that did not start has no number, and Node would kill whoever has the number 0: everything that was started together with this process.
  if (child.pid === undefined) return child;
  live.add(child);
  child.once("exit", () => live.delete(child));
  return child;
}

/**
 * The highest file descriptor that a process started here would get, 2 where there is none beyond the standard ones. Native modules of the host (the editor's
 * log) open files that way, and what is open already is beyond the permission model: such descriptors are put over with nothing.
 */
function lastInheritable(): number {
  if (process.platform !== "linux") return 2;
  let last = 2;
  for (const name of readdirSync("/proc/self/fdinfo")) {
    try {
      const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, "utf8"))?.[1] ?? "0";
      if ((Number.parseInt(flags, 8) & CLOSED_IN_CHILDREN) === 0) last = Math.max(last, Number(name));
    } catch {
      // Closed meanwhile.
    }
  }
  return Math.min(last, MOST_DESCRIPTORS);
}

let nullDevice: number | undefined;
/** What is put over them; "ignore" leaves descriptors above the standard ones as they are. */
function nothing(): number {
  nullDevice ??= openSync("/dev/null", "r");
  return nullDevice;
}

/** O_CLOEXEC of Linux. */
const CLOSED_IN_CHILDREN = 0o2000000;
const MOST_DESCRIPTORS = 4_096;
