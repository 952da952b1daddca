// Returns the command that installs a missing package, for the package manager of the pack's folder or the nearest folder above.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { installWords, managerOfFolder, type PackageManager } from "../../spec/package-managers.ts";
import { LARGEST_MANIFEST, readRegularFile } from "../files/regular-file.ts";

/** Returns the folder's package manager; npm if none is found. */
export function packageManager(folder: string): PackageManager {
  for (let at = folder; ; at = dirname(at)) {
    const manager = managerOfFolder((name) => {
      const path = join(at, name);
      // For a lock file, only its existence matters.
      return name === "package.json" ? readRegularFile(path, LARGEST_MANIFEST) : existsSync(path) ? "" : undefined;
    });
    if (manager !== undefined) return manager;
    if (dirname(at) === at) return "npm";
  }
}

/**
 * Returns the command that installs the Packs SDK for a pack in the folder, as words. It uses the first of the names that is a valid
 * package.
 */
export const toolkitInstallation = (folder: string, names: readonly string[]): readonly [PackageManager, ...string[]] | undefined =>
  names
    .map((name) => installWords(name, { manager: packageManager(folder), forDevelopment: true }))
    .find((command) => command !== undefined);

/** Returns the command that installs the package of an import, which may name a file in the package. */
export function dependencyInstallation(folder: string, specifier: string): string | undefined {
  const [first = "", second = ""] = specifier.split("/");
  return installWords(first.startsWith("@") ? `${first}/${second}` : first, { manager: packageManager(folder) })?.join(" ");
}
