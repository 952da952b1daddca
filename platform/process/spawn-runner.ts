// Starts the Node that runs packs, behind all its layers (security.md 1): no environment, no file, no process, no worker, no code from
// strings. The process tests what the flags promise before it loads anything.
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
  /** Names of layers that may be missing, with the author's consent. */
  readonly tolerate?: readonly string[];
  /** Flags that are left out. It is used only in tests, which show that a missing layer prevents every run. */
  readonly withoutFlags?: readonly string[];
  /** Opens the inspector on a free port of this machine; see {@link canInspect}. */
  readonly inspect?: boolean;
}

/** A file that the process must not be able to read. */
interface Canary {
  readonly file: string;
  remove(): void;
}

/** Creates the file. Throws storage-failed if that is not possible. */
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

/** The files of processes that are still starting. */
const canaries = new Set<Canary>();
const live = new Set<RunnerProcess>();
/** When the host exits, its pack processes and their files are removed. That is not possible if the host is killed. */
process.on("exit", () => {
  for (const child of live) child.kill("SIGKILL");
  for (const canary of canaries) canary.remove();
});

/** Throws process-crashed if the system cannot start another process. */
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
  // A process that did not start has no pid. Killing it would send the signal to pid 0, which is the whole process group of this process.
  if (child.pid === undefined) return child;
  live.add(child);
  child.once("exit", () => live.delete(child));
  return child;
}

/**
 * Returns the highest file descriptor that a child process would inherit, or 2 if it would inherit only the standard ones. Native modules
 * of the host, such as the editor's log, open inheritable files. The permission model does not cover open descriptors, so they are replaced
 * with /dev/null.
 */
function lastInheritable(): number {
  if (process.platform !== "linux") return 2;
  let last = 2;
  for (const name of readdirSync("/proc/self/fdinfo")) {
    try {
      const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, "utf8"))?.[1] ?? "0";
      if ((Number.parseInt(flags, 8) & CLOSED_IN_CHILDREN) === 0) last = Math.max(last, Number(name));
    } catch {
      // The descriptor was closed in the meantime.
    }
  }
  return Math.min(last, MOST_DESCRIPTORS);
}

let nullDevice: number | undefined;
/** Returns a descriptor of /dev/null. The option "ignore" would leave descriptors above the standard ones unchanged. */
function nothing(): number {
  nullDevice ??= openSync("/dev/null", "r");
  return nullDevice;
}

/** O_CLOEXEC on Linux. */
const CLOSED_IN_CHILDREN = 0o2000000;
const MOST_DESCRIPTORS = 4_096;
