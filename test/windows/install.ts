// Node for Windows, and the packages that belong to the command line there.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { NpmPackages } from "../../scripts/npm-packages.ts";

const here = import.meta.dirname;
/** Packages as npm lays them out on Windows. */
export const windowsModules = join(here, "node_modules");

export const nodeExe = (version: number): string => join(windowsModules, `node${version}/bin/node.exe`);

export const packages: NpmPackages = {
  folder: here,
  name: "Node for Windows",
  megabytes: 105,
  options: ["--os=win32", "--cpu=x64"],
  assertSupported() {
    if (process.platform !== "linux" || process.arch !== "x64") throw new Error("Wine is used on Linux x64 only.");
    if (spawnSync("wine", ["--version"]).status !== 0)
      throw new Error("Wine is not installed (Debian: apt-get install --no-install-recommends wine).");
  },
  finish: async () => {},
};
