// Which program holds a port, where the system tells without more rights than this process has: people can stop what they know.
import { execFile } from "node:child_process";

export interface PortOwner {
  readonly name: string;
  readonly pid: number;
}

/** Milliseconds that the system's own tools may take. */
const PATIENCE = 2_000;

/** Undefined where it cannot be told. Never throws. */
export async function portOwner(port: number): Promise<PortOwner | undefined> {
  try {
    return process.platform === "win32" ? await onWindows(port) : await onUnix(port);
  } catch {
    return undefined;
  }
}

/** `lsof -F` gives a line for each field, named by its first letter. */
async function onUnix(port: number): Promise<PortOwner | undefined> {
  const text = await output("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"]);
  return ownerOf(/^c(.+)$/m.exec(text)?.[1], /^p(\d+)$/m.exec(text)?.[1]);
}

async function onWindows(port: number): Promise<PortOwner | undefined> {
  const line = (await output("netstat", ["-ano", "-p", "tcp"]))
    .split(/\r?\n/)
    .map((text) => text.trim().split(/\s+/))
    // Protocol, local address, foreign address, state, process; the state's name is translated.
    .find(([, local = "", foreign = ""]) => local.endsWith(`:${port}`) && /:0$/.test(foreign));
  const pid = line?.at(-1);
  if (pid === undefined || !/^\d+$/.test(pid)) return undefined;
  const name = /^"([^"]+)"/.exec(await output("tasklist", ["/FI", `PID eq ${pid}`, "/FO", "CSV", "/NH"]))?.[1];
  return ownerOf(name, pid);
}

const ownerOf = (name: string | undefined, pid: string | undefined): PortOwner | undefined =>
  name === undefined || pid === undefined ? undefined : { name, pid: Number(pid) };

function output(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { timeout: PATIENCE, windowsHide: true }, (error, stdout) =>
      error && stdout === "" ? reject(error) : resolve(stdout),
    );
  });
}
