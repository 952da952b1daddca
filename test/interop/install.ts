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
  // Set by scripts/test.ts where it failed before: not every suite tries again.
  if (process.env.PACK_AUTH_NO_SERVERS) throw new Error("The authorization servers could not be installed (see above).");
  const { status, stderr, error } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--fetch-retries=1"], {
    cwd: here,
    encoding: "utf8",
  });
  // What went wrong stands first, where it was is of no use here.
  const said =
    error?.message ??
    stderr
      ?.match(/^npm error .*$/gm)
      ?.slice(0, 5)
      .join(" ");
  if (status !== 0) throw new Error(`The authorization servers could not be installed: ${said}`);
  writeFileSync(installed, wanted);
}

if (process.argv[1]?.endsWith("install.ts")) installServers();
