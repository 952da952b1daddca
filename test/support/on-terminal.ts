// Runs a program on its own terminal with util-linux's `script`, to test what an author sees, and what the program detects of the terminal.
import { spawn, spawnSync } from "node:child_process";

/** Whether this machine supports it. */
export const hasTerminal = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

interface TerminalOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly columns?: number;
  /** Receives the whole output on each change, and returns the text to type. */
  type?(text: string): string | undefined;
}

/** Runs the command to its end; `text` is its whole output. */
export async function onTerminal(command: readonly string[], { env, cwd, columns = 80, type }: TerminalOptions) {
  const line = `stty columns ${columns}; exec ${command.map(quoted).join(" ")}`;
  const child = spawn("script", ["--quiet", "--return", "--command", line, "/dev/null"], {
    env: { PATH: process.env.PATH, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  let text = "";
  child.stdout.on("data", (data: Buffer) => {
    text += data.toString();
    const keys = type?.(text);
    if (keys !== undefined) child.stdin.write(keys);
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, text };
}
