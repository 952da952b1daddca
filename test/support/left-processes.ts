// Finds what a command leaves behind: the processes that it started, directly or not, and that still run after its end.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Milliseconds between two looks at the processes. */
const INTERVAL = 100;
/** Looks after the end of the command before a process counts as left. */
const PATIENCE = 100;

/** Follows the descendants of a process, on Linux. A process that is killed has up to 10 s to end. */
export function followProcesses(root: number): { left(): Promise<readonly string[]> } {
  /** By ID; another process may get the ID of one that ended, so its start counts too. */
  const startById = new Map<number, string>([[root, startOf(stat(root))]]);
  const look = (): void => {
    for (const pid of readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []))) {
      const fields = stat(pid);
      if (startById.has(Number(fields[1]))) startById.set(pid, startOf(fields));
    }
  };
  const timer = setInterval(look, INTERVAL);
  const running = (): readonly number[] =>
    [...startById].flatMap(([pid, start]) => {
      const fields = stat(pid);
      return fields.length > 0 && fields[0] !== "Z" && startOf(fields) === start ? pid : [];
    });
  return {
    async left() {
      clearInterval(timer);
      for (let look = 0; look < PATIENCE && running().length > 0; look++) await delay(INTERVAL);
      return running().map((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "));
    },
  };
}

/** Returns the fields of a process from its state on; none if it is gone. */
function stat(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  } catch {
    return [];
  }
}

const startOf = (fields: readonly string[]): string => fields[19] ?? "";
