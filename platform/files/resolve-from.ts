// Node's own look for a module, for folders of others: it reads every package.json on its way at once, and a named pipe or a device under
// that name would keep this process for ever.
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** Where a file finds a module. Throws where it finds none, or a package.json on the way is no file. */
export function resolveFrom(file: string, module: string): string {
  if (isAbsolute(module) || module.startsWith(".")) refuseSpecial(resolve(dirname(file), module, "package.json"));
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    refuseSpecial(join(folder, "package.json"));
    for (const part of partsOf(module)) refuseSpecial(join(folder, "node_modules", part, "package.json"));
    if (folder === dirname(folder)) break;
  }
  return createRequire(file).resolve(module);
}

/** `@a/b/c` → `@a`, `@a/b`, `@a/b/c`: each may be the folder of a package. */
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
    // Nothing can be there, such as below a file.
    return false;
  }
}
