// The pack processes that this one has started, told by their command line: what dies of an earlier test, and bundlers, are no matter.
import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds after which what should have come or gone is given up. */
const HANG = 20_000;
/** Milliseconds after which a process that is made ready in the background would have started. */
const LATER = 150;

const read = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    // It ended meanwhile.
    return "";
  }
};

/**
 * Their ids, Linux only. Every process is asked for its parent: a thread's list of children, as the kernel gives it, may leave out some while
 * others of it die. One that is dead already has no command line.
 */
export const packProcesses = (): readonly string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => Number(read(pid, "stat").split(") ").at(-1)?.split(" ")[1]) === process.pid)
    .filter((pid) => read(pid, "cmdline").includes("runner.cjs"));

/** Waits until there is one, or throws. */
export async function somePackProcess(): Promise<void> {
  if (!(await comes(() => packProcesses().length > 0))) throw new Error("no pack process is there");
}

/** Waits until those that were killed are gone, and sees that no other takes their place; else throws. */
export async function noPackProcess(): Promise<void> {
  const isGone = await comes(() => packProcesses().length === 0);
  if (isGone) await new Promise((resolve) => setTimeout(resolve, LATER));
  const left = packProcesses();
  if (left.length > 0) throw new Error(`pack processes stay behind: ${left.join(", ")}`);
}

/** Hundredths of a second for which each has had a processor. */
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
