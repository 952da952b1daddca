// The processes that one process started, from Linux's /proc. Other systems have none here.
import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Clock ticks of the process itself, and of its children that ended. */
  readonly ticks: number;
}

/** Ticks per second, which Linux fixes for programs. */
const TICKS = 100;

function readProcess(pid: number): Process | undefined {
  try {
    // The name, in brackets, may contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return { pid, parent: Number(fields[1]), ticks: fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) };
  } catch {
    return undefined;
  }
}

/** Returns the processes below `root`, parents before their children. */
export function processesBelow(root: number): readonly Process[] {
  if (process.platform !== "linux") return [];
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (readProcess(Number(name)) ?? []) : []));
  const below = (pid: number): readonly Process[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  return below(root);
}

/** Returns the command lines of the processes below this one. */
export const commandsBelow = (): readonly string[] => processesBelow(process.pid).map(commandOf);

/** Returns the command line of a process; empty if it has ended. */
export function commandOf({ pid }: { readonly pid: number }): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** Returns the seconds of processor time of this process and of all that it started, ended or not. */
export function secondsOfProcesses(): number {
  const own = readProcess(process.pid);
  if (process.platform !== "linux" || own === undefined) return process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;
  return processesBelow(process.pid).reduce((sum, { ticks }) => sum + ticks, own.ticks) / TICKS;
}

/** Sends a signal to a process, if it has not ended. A negative number stands for a group. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}

/**
 * Ends all processes that `root` started, directly or not, also those that left the group of `children`. Each is stopped first, so that
 * none starts another one meanwhile.
 */
export function endProcessesBelow(root: number, children: readonly ChildProcess[]): void {
  const stopped = new Set<number>();
  for (;;) {
    const running = processesBelow(root).filter(({ pid }) => !stopped.has(pid));
    if (running.length === 0) break;
    for (const { pid } of running) {
      signal(pid, "SIGSTOP");
      stopped.add(pid);
    }
  }
  for (const pid of stopped) signal(pid, "SIGKILL");
  for (const { pid } of children) if (pid !== undefined) signal(process.platform === "win32" ? pid : -pid, "SIGKILL");
}
