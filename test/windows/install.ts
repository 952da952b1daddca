// Installs Node for Windows and what belongs to the command line there, from the npm registry, once for each state of the lock file.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;
const lock = join(here, "package-lock.json");
/** Packages as npm lays them out on Windows. */
export const windowsModules = join(here, "node_modules");
const installed = join(windowsModules, ".installed-lock.json");

export const nodeExe = (version: number): string => join(windowsModules, `node${version}/bin/node.exe`);

/** Elsewhere there is nothing to install, in CI neither. */
export const mayHaveWine = process.platform === "linux" && process.arch === "x64";

/** Throws saying what is missing. */
export function installWindows(): void {
  if (!mayHaveWine) throw new Error("Wine is used on Linux x64 only.");
  if (spawnSync("wine", ["--version"]).status !== 0)
    throw new Error("Wine is not installed (Debian: apt-get install --no-install-recommends wine).");
  const wanted = readFileSync(lock, "utf8");
  if (existsSync(installed) && readFileSync(installed, "utf8") === wanted) return;
  // Set by scripts/test.ts where it failed before.
  if (process.env.PACK_AUTH_NO_WINDOWS) throw new Error("Node for Windows could not be installed (see above).");
  const { status, stderr, error } = spawnSync("npm", ["ci", "--os=win32", "--cpu=x64", "--no-audit", "--no-fund", "--fetch-retries=1"], {
    cwd: here,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`Node for Windows could not be installed: ${error?.message ?? stderr.slice(-500)}`);
  writeFileSync(installed, wanted);
}

if (process.argv[1]?.endsWith("install.ts")) installWindows();
