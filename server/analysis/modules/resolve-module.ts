// The file that an import means: beside the importing one, where a path mapping leads, or in a package that is linked to.
import { getOrInsert } from "../../../base/get-or-insert.ts";
import { createPathMappings } from "./path-mapping.ts";
import { isSource, joinPath, parent } from "./paths.ts";
import { linkedCandidates, type PackageHost } from "./workspace-packages.ts";

interface ModuleFinder {
  /** The pack's own file that an import means; undefined for packages, and where there is no such file. */
  find(from: string, module: string): string | undefined;
  /** Files or configurations may have come or gone. */
  forget(): void;
}

const EXTENSIONS = [".ts", ".tsx", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs"];
const ENDINGS = ["", ...EXTENSIONS, ...EXTENSIONS.map((extension) => `/index${extension}`)];

/** A name that no package can have (npm's rules on names), such as `./x`, `@/x`, `~/x`, `#x`: it means a file of one's own. */
export const isOwnModule = (module: string): boolean => /^(?:\.|\/|@\/|~|#)/.test(module);

export function createModuleFinder(host: PackageHost): ModuleFinder {
  const mappings = createPathMappings(host);
  const byFolder = new Map<string, Map<string, string | undefined>>();

  /** As TypeScript looks: a source is taken before what it was compiled to. */
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
