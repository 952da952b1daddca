// Installs the authorization servers that others wrote, once for each state of the lock file, from the npm registry alone.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;
const lock = join(here, "package-lock.json");
const installed = join(here, "node_modules/.installed-lock.json");

/** Throws with npm's own words. */
export function installServers(): void {
  const wanted = readFileSync(lock, "utf8");
  if (existsSync(installed) && readFileSync(installed, "utf8") === wanted) return;
  const { status, stderr, error } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: here, encoding: "utf8" });
  if (status !== 0) throw new Error(`The authorization servers could not be installed: ${error?.message ?? stderr.slice(-1_500)}`);
  writeFileSync(installed, wanted);
}

if (process.argv[1]?.endsWith("install.ts")) installServers();
