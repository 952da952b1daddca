// How a missing package is installed for a pack, by the package manager that its folder, or the nearest one above, is kept with.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { installWords, managerOfFolder, type PackageManager } from "../../spec/package-managers.ts";
import { readRegularFile } from "../files/regular-file.ts";

/** npm where no folder tells. */
export function packageManager(folder: string): PackageManager {
  for (let at = folder; ; at = dirname(at)) {
    const manager = managerOfFolder((name) => {
      const path = join(at, name);
      // Of a lock file nothing but its being there is asked.
      return name === "package.json" ? readRegularFile(path) : existsSync(path) ? "" : undefined;
    });
    if (manager !== undefined) return manager;
    if (dirname(at) === at) return "npm";
  }
}

/** The toolkit's for a pack in the folder, as words: the first of the names that a package may have. */
export const toolkitInstallation = (folder: string, names: readonly string[]): readonly [PackageManager, ...string[]] | undefined =>
  names
    .map((name) => installWords(name, { manager: packageManager(folder), forDevelopment: true }))
    .find((command) => command !== undefined);

/** The command for what an import names, which may be a file of a package. */
export function dependencyInstallation(folder: string, specifier: string): string | undefined {
  const [first = "", second = ""] = specifier.split("/");
  return installWords(first.startsWith("@") ? `${first}/${second}` : first, { manager: packageManager(folder) })?.join(" ");
}
