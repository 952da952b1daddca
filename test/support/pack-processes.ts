// Finds the pack processes of this process by their command line. Bundlers and dying processes of earlier tests do not count.
import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds after which a wait fails. */
const HANG = 20_000;
/** Milliseconds after which a process that is prepared in the background would have started. */
const LATER = 150;

const read = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    // The process has ended in the meantime.
    return "";
  }
};

/**
 * Returns the IDs of the pack processes, on Linux only. The parent of every process is read, because the kernel's list of a thread's
 * children may be incomplete while some of them end. A process that has ended has no command line.
 */
export const packProcesses = (): readonly string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => Number(read(pid, "stat").split(") ").at(-1)?.split(" ")[1]) === process.pid)
    .filter((pid) => read(pid, "cmdline").includes("runner.cjs"));

/** Waits until there is a pack process, or throws. */
export async function somePackProcess(): Promise<void> {
  if (!(await comes(() => packProcesses().length > 0))) throw new Error("no pack process is there");
}

/** Waits until the killed processes have ended, and throws if they do not, or if others replace them. */
export async function noPackProcess(): Promise<void> {
  const isGone = await comes(() => packProcesses().length === 0);
  if (isGone) await new Promise((resolve) => setTimeout(resolve, LATER));
  const left = packProcesses();
  if (left.length > 0) throw new Error(`pack processes stay behind: ${left.join(", ")}`);
}

/** Returns the processor time of each pack process in hundredths of a second. */
export const processorTime = (): ReadonlyMap<string, number> =>
  new Map(
    packProcesses().map((pid) => {
      const [user = 0, system = 0] = read(pid, "stat").split(") ").at(-1)?.split(" ").slice(11, 13).map(Number) ?? [];
      return [pid, user + system];
    }),
  );

async function comes(isThere: () => boolean): Promise<boolean> {
  const end = performance.now() + HANG;
  for (;;) {
    if (isThere()) return true;
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
