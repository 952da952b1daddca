// Runs a program on its own terminal with util-linux's `script`, to test what an author sees, and what the program detects of the terminal.
import { spawn, spawnSync } from "node:child_process";

/** Whether this machine supports it. */
export const hasTerminal = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

interface TerminalOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly columns?: number;
  /** Receives the whole output at the start and on each change, and returns the text to type. */
  type?(text: string): string | undefined | Promise<string>;
  /** Receives the process of the terminal. */
  onStart?(pid: number): void;
}

/** Keys to type at the first match of the prompt behind the prompt before. A function may wait, and is called once. */
export type Answer = readonly [prompt: RegExp, keys: string | (() => Promise<string>)];

export const CTRL_C = "\u0003";
export const CTRL_D = "\u0004";

/** Returns a `type` that gives the answers in order. */
export function answering(...answers: readonly Answer[]): NonNullable<TerminalOptions["type"]> {
  const left = [...answers];
  let start = 0;
  return (text) => {
    const [prompt, keys] = left[0] ?? [];
    const match = prompt?.exec(text.slice(start));
    if (match == null) return undefined;
    start += match.index + match[0].length;
    left.shift();
    return typeof keys === "function" ? keys() : keys;
  };
}

/** Runs the command to its end; `text` is its whole output. */
export async function onTerminal(command: readonly string[], { env, cwd, columns = 80, type, onStart }: TerminalOptions) {
  const line = `stty columns ${columns}; exec ${command.map(quoted).join(" ")}`;
  const child = spawn("script", ["--quiet", "--return", "--command", line, "/dev/null"], {
    env: { PATH: process.env.PATH, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  if (child.pid !== undefined) onStart?.(child.pid);
  let text = "";
  const press = async (): Promise<void> => {
    const keys = await type?.(text);
    if (keys !== undefined) child.stdin.write(keys);
  };
  child.stdin.on("error", () => {});
  child.stdout.on("data", (data: Buffer) => {
    text += data.toString();
    void press();
  });
  void press();
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, text };
}
