// Resolves a module with Node's own algorithm in an untrusted folder. Node reads every package.json on its way synchronously, and a named
// pipe or device of that name would block this process for ever.
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";

/**
 * Returns the path to which a file's import of a module resolves. Throws if there is none, or if a package.json on the way is no regular
 * file.
 */
export function resolveFrom(file: string, module: string): string {
  if (isAbsolute(module) || module.startsWith(".")) refuseSpecial(resolve(dirname(file), module, "package.json"));
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    refuseSpecial(join(folder, "package.json"));
    for (const part of partsOf(module)) refuseSpecial(join(folder, "node_modules", part, "package.json"));
    if (folder === dirname(folder)) break;
  }
  return createRequire(file).resolve(module);
}

/** Returns `@a`, `@a/b`, `@a/b/c` for `@a/b/c`: each may be the folder of a package. */
function partsOf(module: string): readonly string[] {
  const names = module.split("/");
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

function refuseSpecial(manifest: string): void {
  if (isSpecial(manifest)) throw new Error(`${manifest} is not a regular file.`);
}

function isSpecial(path: string): boolean {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats !== undefined && !stats.isFile() && !stats.isDirectory();
  } catch {
    // The path cannot exist, for example because its folder is a file.
    return false;
  }
}
