// Finds secrets where they must never be: in files, and in the arguments and the environment of any process.
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Milliseconds between two looks at the processes. */
const INTERVAL = 100;

/** Returns a secret that no other suite or run has, since {@link watchProcesses} sees the processes of all. */
export const uniqueSecret = (): string => `canary-${randomUUID()}`;

/** Looks at the processes of this machine, on Linux, until it is stopped. Returns where a secret was. */
export function watchProcesses(secrets: readonly string[]): { stop(): readonly string[] } {
  const places = new Set<string>();
  const look = (): void => {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
      for (const file of ["cmdline", "environ"])
        if (contains(`/proc/${pid}/${file}`, secrets)) places.add(`${file} of ${readFileSync(`/proc/${pid}/comm`, "utf8")}`);
  };
  const timer = setInterval(look, INTERVAL);
  return {
    stop() {
      clearInterval(timer);
      return [...places];
    },
  };
}

/** Returns the files below the folders that contain a secret. Links are not followed. */
export const filesWith = (folders: readonly string[], secrets: readonly string[]): readonly string[] =>
  folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => contains(path, secrets));

/** Returns every file below the folder with its bytes and time, to compare what a command changed. */
export const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => `${path} ${statSync(path).mtimeMs} ${readFileSync(path, "base64")}`)
    .sort();

function contains(path: string, secrets: readonly string[]): boolean {
  try {
    const text = readFileSync(path, "latin1");
    return secrets.some((secret) => text.includes(secret));
  } catch {
    // The process or file is gone, or belongs to another user.
    return false;
  }
}
