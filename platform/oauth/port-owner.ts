// Finds the program that uses a port, if the system reports it without more privileges. People can stop a program that they know by name.
import { execFile } from "node:child_process";
import { programEnvironment, programOnPath, windowsProgram } from "../files/programs.ts";

interface PortOwner {
  readonly name: string;
  readonly pid: number;
}

/** Milliseconds that the system's own tools may take. */
const PATIENCE = 2_000;

/** Returns the program that listens on the port, or undefined if that is unknown. Never throws. */
export async function portOwner(port: number): Promise<PortOwner | undefined> {
  try {
    return process.platform === "win32" ? await onWindows(port) : await onUnix(port);
  } catch {
    return undefined;
  }
}

/** `lsof -F` prints one line for each field, named by its first letter. */
async function onUnix(port: number): Promise<PortOwner | undefined> {
  const text = await output(programOnPath("lsof"), ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"]);
  return ownerOf(/^c(.+)$/m.exec(text)?.[1], /^p(\d+)$/m.exec(text)?.[1]);
}

async function onWindows(port: number): Promise<PortOwner | undefined> {
  const pid = listeningProcess(await output(windowsProgram("NETSTAT.EXE"), ["-ano"]), port);
  if (pid === undefined) return undefined;
  const name = /^"([^"]+)"/.exec(await output(windowsProgram("tasklist.exe"), ["/FI", `PID eq ${pid}`, "/FO", "CSV", "/NH"]))?.[1];
  return ownerOf(name, pid);
}

/**
 * Returns the process ID from the output of `netstat -ano`, for TCP over IPv4 and IPv6.
 * Its columns are protocol, local address, foreign address, state and process. The state's name is localized, so a listener is found by its
 * foreign port 0.
 */
export function listeningProcess(text: string, port: number): string | undefined {
  for (const line of text.split(/\r?\n/)) {
    const [protocol, local = "", foreign = "", , pid = ""] = line.trim().split(/\s+/);
    if (protocol === "TCP" && local.endsWith(`:${port}`) && foreign.endsWith(":0") && /^\d+$/.test(pid)) return pid;
  }
  return undefined;
}

const ownerOf = (name: string | undefined, pid: string | undefined): PortOwner | undefined =>
  name === undefined || pid === undefined ? undefined : { name, pid: Number(pid) };

function output(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { env: programEnvironment(), timeout: PATIENCE, windowsHide: true }, (error, stdout) =>
      error && stdout === "" ? reject(error) : resolve(stdout),
    );
  });
}
