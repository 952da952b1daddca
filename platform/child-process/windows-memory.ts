// The memory of other processes on Windows: one hidden PowerShell answers for all packs of this host. Starting one for each look would
// take longer than a pack needs to fill the memory, and flash a window on some desktops.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { programEnvironment, windowsProgram } from "../files/programs.ts";

export interface MemoryShell {
  /** Bytes of resident memory of a process; undefined where it cannot be known. */
  residentBytes(pid: number): Promise<number | undefined>;
}

/** It reads commands from its input and runs each line as it comes. */
const powerShell = (): readonly [string, ...string[]] => [
  windowsProgram("WindowsPowerShell\\v1.0\\powershell.exe"),
  "-NoLogo",
  "-NoProfile",
  "-NonInteractive",
  "-Command",
  "-",
];

/** Milliseconds without a question, after which it is ended. */
const IDLE = 60_000;

type Answer = (bytes: number | undefined) => void;

/** Another one is taken for tests. */
export function openMemoryShell([program, ...args]: readonly [string, ...string[]] = powerShell()): MemoryShell {
  const asked = new Map<number, Answer[]>();
  let shell: ChildProcessWithoutNullStreams | undefined;
  let idle: NodeJS.Timeout | undefined;
  /** Where none starts, or none may say anything, it stays so. */
  let isUseless = false;

  const answer = (pid: number, bytes: number | undefined): void => {
    for (const each of asked.get(pid) ?? []) each(bytes);
    asked.delete(pid);
  };
  const start = (): ChildProcessWithoutNullStreams => {
    const started = spawn(program, args, { env: programEnvironment(), windowsHide: true, stdio: "pipe" });
    let hasAnswered = false;
    let rest = "";
    started.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split(/\r?\n/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const [, pid, bytes] = /^memory (\d+)(?: (\d+))?$/.exec(line.trim()) ?? [];
        if (pid === undefined) continue;
        hasAnswered = true;
        answer(Number(pid), bytes === undefined ? undefined : Number(bytes));
      }
    });
    const end = (): void => {
      if (shell !== started) return;
      shell = undefined;
      isUseless = !hasAnswered;
      for (const pid of [...asked.keys()]) answer(pid, undefined);
    };
    started.stdin.on("error", end);
    started.stderr.resume();
    started.once("error", end).once("close", end);
    // It waits for questions as long as its input is open, and does not keep this process.
    started.unref();
    for (const pipe of [started.stdin, started.stdout, started.stderr]) (pipe as unknown as { unref(): void }).unref();
    return started;
  };

  return {
    residentBytes: (pid) =>
      new Promise((resolve) => {
        if (isUseless) {
          resolve(undefined);
          return;
        }
        shell ??= start();
        asked.set(pid, [...(asked.get(pid) ?? []), resolve]);
        shell.stdin.write(`"memory ${pid} $((Get-Process -Id ${pid} -ErrorAction SilentlyContinue).WorkingSet64)"\n`);
        clearTimeout(idle);
        idle = setTimeout(() => shell?.stdin.end(), IDLE);
        idle.unref();
      }),
  };
}
