// Measures the memory of other processes on Windows with one hidden PowerShell for all packs of this host. A new one for each measurement
// would be slower than a pack can fill the memory, and would flash a window on some desktops.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { programEnvironment, windowsProgram } from "../files/programs.ts";

export interface MemoryShell {
  /** Returns the bytes of resident memory of a process; undefined if unknown. */
  residentBytes(pid: number): Promise<number | undefined>;
}

/** PowerShell reads commands from its input and runs each line on arrival. */
const powerShell = (): readonly [string, ...string[]] => [
  windowsProgram("WindowsPowerShell\\v1.0\\powershell.exe"),
  "-NoLogo",
  "-NoProfile",
  "-NonInteractive",
  "-Command",
  "-",
];

/** Milliseconds without a request after which the shell is ended. */
const IDLE = 60_000;

type MemoryCallback = (bytes: number | undefined) => void;

/** Opens the shell. Tests pass another program. */
export function openMemoryShell([program, ...args]: readonly [string, ...string[]] = powerShell()): MemoryShell {
  const pendingCallbacks = new Map<number, MemoryCallback[]>();
  let shell: ChildProcessWithoutNullStreams | undefined;
  let idle: NodeJS.Timeout | undefined;
  /** True if the shell did not start or gave no output; it is not tried again then. */
  let isUseless = false;

  const resolvePending = (pid: number, bytes: number | undefined): void => {
    for (const each of pendingCallbacks.get(pid) ?? []) each(bytes);
    pendingCallbacks.delete(pid);
  };
  const start = (): ChildProcessWithoutNullStreams => {
    const child = spawn(program, args, { env: programEnvironment(), windowsHide: true, stdio: "pipe" });
    let hasResponded = false;
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split(/\r?\n/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const [, pid, bytes] = /^memory (\d+)(?: (\d+))?$/.exec(line.trim()) ?? [];
        if (pid === undefined) continue;
        hasResponded = true;
        resolvePending(Number(pid), bytes === undefined ? undefined : Number(bytes));
      }
    });
    const end = (): void => {
      if (shell !== child) return;
      shell = undefined;
      isUseless = !hasResponded;
      for (const pid of [...pendingCallbacks.keys()]) resolvePending(pid, undefined);
    };
    child.stdin.on("error", end);
    child.stderr.resume();
    child.once("error", end).once("close", end);
    // The shell waits for requests while its input is open, and must not keep this process running.
    child.unref();
    for (const pipe of [child.stdin, child.stdout, child.stderr]) (pipe as unknown as { unref(): void }).unref();
    return child;
  };

  return {
    residentBytes: (pid) =>
      new Promise((resolve) => {
        if (isUseless) {
          resolve(undefined);
          return;
        }
        shell ??= start();
        pendingCallbacks.set(pid, [...(pendingCallbacks.get(pid) ?? []), resolve]);
        shell.stdin.write(`"memory ${pid} $((Get-Process -Id ${pid} -ErrorAction SilentlyContinue).WorkingSet64)"\n`);
        clearTimeout(idle);
        idle = setTimeout(() => shell?.stdin.end(), IDLE);
        idle.unref();
      }),
  };
}
