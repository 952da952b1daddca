// How much memory another process holds: V8's own limit does not count ArrayBuffers, so the host looks from outside.
import { type ChildProcess, execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { programEnvironment } from "../files/programs.ts";
import { type MemoryShell, openMemoryShell } from "./windows-memory.ts";

const PAGE = 4096;

/** Milliseconds between two looks: where a look costs a process of its own, they are rarer. */
const PAUSE = process.platform === "linux" ? 100 : process.platform === "win32" ? 200 : 500;

interface MemoryWatch {
  /** The process is busy: look until it rests as often as it was woken. */
  wake(): void;
  rest(): void;
  stop(): void;
}

/** Looks at the process's memory while it is busy. */
export function watchMemory(child: ChildProcess, onBytes: (bytes: number) => void): MemoryWatch {
  let busy = 0;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const look = async (): Promise<void> => {
    const bytes = child.pid === undefined ? undefined : await residentBytes(child.pid).catch(() => undefined);
    timer = undefined;
    if (bytes !== undefined && !stopped) onBytes(bytes);
    schedule();
  };
  const schedule = (): void => {
    if (busy === 0 || stopped || timer !== undefined) return;
    timer = setTimeout(() => void look(), PAUSE);
    timer.unref();
  };
  return {
    wake() {
      busy++;
      schedule();
    },
    rest() {
      busy--;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** Bytes of resident memory of a process; undefined where it cannot be known. */
async function residentBytes(pid: number): Promise<number | undefined> {
  if (process.platform === "linux") {
    // Not by a promise: the threads that would read it may all be waiting for a slow resolver that the pack's requests keep busy.
    const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
    return Number.isFinite(pages) ? pages * PAGE : undefined;
  }
  if (process.platform === "win32") {
    memoryShell ??= openMemoryShell();
    return memoryShell.residentBytes(pid);
  }
  return new Promise((resolve) => {
    execFile("/bin/ps", ["-o", "rss=", "-p", String(pid)], { env: programEnvironment() }, (error, stdout) => {
      const kilobytes = Number(stdout?.trim());
      resolve(error || !Number.isFinite(kilobytes) ? undefined : kilobytes * 1024);
    });
  });
}

/** One for all packs of this host. */
let memoryShell: MemoryShell | undefined;
