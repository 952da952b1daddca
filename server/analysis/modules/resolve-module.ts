// Resolves an import to a file: relative to the importing file, by a path mapping, or in a linked package.
import { getOrInsert } from "../../../base/get-or-insert.ts";
import { createPathMappings } from "./path-mapping.ts";
import { isSource, joinPath, parent } from "./paths.ts";
import { linkedCandidates, type PackageHost } from "./workspace-packages.ts";

export interface ModuleFinder {
  /** Returns the workspace file that an import leads to. Returns undefined for packages, and if there is no such file. */
  find(from: string, module: string): string | undefined;
  /** Drops cached results, for when files or configurations come or go. */
  forget(): void;
}

const EXTENSIONS = [".ts", ".tsx", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs"];
const ENDINGS = ["", ...EXTENSIONS, ...EXTENSIONS.map((extension) => `/index${extension}`)];

/**
 * Whether the name cannot belong to a package (npm's rules on names), such as `./x`, `@/x`, `~/x`, `#x`, and so refers to a workspace file.
 */
export const isOwnModule = (module: string): boolean => /^(?:\.|\/|@\/|~|#)/.test(module);

export function createModuleFinder(host: PackageHost): ModuleFinder {
  const mappings = createPathMappings(host);
  const byFolder = new Map<string, Map<string, string | undefined>>();

  /** Returns the file at a path. Like TypeScript, it prefers a source over its compiled output. */
  const file = (path: string): string | undefined => {
    const compiled = /\.([cm]?)jsx?$/.exec(path);
    const stem = compiled === null ? "" : path.slice(0, compiled.index);
    const sources = compiled === null ? [] : [`${stem}.${compiled[1]}ts`, ...(compiled[1] === "" ? [`${stem}.tsx`] : [])];
    return [...sources, ...ENDINGS.map((ending) => path + ending)].find(
      (candidate) => isSource(candidate) && host.readFile(candidate) !== undefined,
    );
  };

  const search = (folder: string, module: string): string | undefined => {
    if (/^\.{0,2}\/|^\.{1,2}$/.test(module)) return file(joinPath(folder, module));
    for (const candidates of [mappings.of(folder)?.(module) ?? [], linkedCandidates(folder, module, host)])
      for (const candidate of candidates) {
        const sourceFile = file(candidate);
        if (sourceFile !== undefined) return sourceFile;
      }
    return undefined;
  };

  return {
    find(from, module) {
      const folder = parent(from);
      const filesByModule = getOrInsert(byFolder, folder, () => new Map());
      return getOrInsert(filesByModule, module, () => search(folder, module));
    },
    forget() {
      byFolder.clear();
      mappings.forget();
    },
  };
}
