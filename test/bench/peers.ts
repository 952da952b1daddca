// Peers that the project itself does not use, with a lock file of their own: installed at the first run, never by `npm test`.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workplace.ts";

const folder = join(root, "test/bench/peers");

/** The folder of the peers' packages; undefined where they cannot be installed. */
export function peers(): string | undefined {
  const modules = join(folder, "node_modules");
  const programs = ["eslint"];
  if (programs.some((program) => !existsSync(join(modules, ".bin", program)))) {
    const { status, stderr } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, encoding: "utf8" });
    if (status !== 0) {
      console.error(`The peers could not be installed:\n${stderr}`);
      return undefined;
    }
  }
  return modules;
}
