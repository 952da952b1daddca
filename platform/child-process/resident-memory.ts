// Measures the memory of another process from outside, because V8's own limit does not count ArrayBuffers.
import { type ChildProcess, execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { programEnvironment } from "../files/programs.ts";
import { type MemoryShell, openMemoryShell } from "./windows-memory.ts";

const PAGE = 4096;

/** Milliseconds between two measurements; longer on systems that need a process for each. */
const PAUSE = process.platform === "linux" ? 100 : process.platform === "win32" ? 200 : 500;

interface MemoryWatch {
  /** Marks the process as busy: it is measured until `rest` was called as often as `wake`. */
  wake(): void;
  rest(): void;
  stop(): void;
}

/** Measures the process's memory while it is busy. */
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

/** Returns the bytes of resident memory of a process; undefined if unknown. */
async function residentBytes(pid: number): Promise<number | undefined> {
  if (process.platform === "linux") {
    // A synchronous read, because slow DNS lookups for the pack's requests may occupy all threads that an asynchronous one needs.
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

/** The one shell for all packs of this host. */
let memoryShell: MemoryShell | undefined;
