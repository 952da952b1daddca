// Resolves Node's built-in modules as the platform does: to the browser versions that the Packs SDK's own build (browserify) uses. Modules
// inside these packages are resolved as browserify does, by the `browser` field of package.json. Otherwise a package that requires its own
// built-in would resolve to itself.
import { existsSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { readRegularFile } from "../files/regular-file.ts";
import { resolveFrom } from "../files/resolve-from.ts";
import type { ManifestReader } from "./bundle-files.ts";

/**
 * Imports that may need a built-in: names of modules, and files that the packages of built-ins replace for browsers (`util`,
 * `readable-stream`).
 * esbuild resolves all other imports itself, because a callback takes longer than resolving.
 */
export const BUILTIN_CANDIDATES = /^[^./]|^\.{1,2}\/(?:.*\/)?(?:isBuffer|errors|readable|writable|duplex|from|stream)(?:\.js)?$/;

/** A Node module without a browser version. */
export const NOTHING = Symbol("nothing");

interface BuiltinModules {
  /**
   * Returns the path of an import that names a built-in, or that is inside a built-in's package; undefined for any other.
   * Imports must be resolved in the order in which they occur.
   */
  resolve(specifier: string, importer: string): string | typeof NOTHING | undefined;
}

/** Reads Browserify's list without running it, because it is code of the workspace. */
export function builtinModules(list: string, read: ManifestReader): BuiltinModules {
  const builtins = new Map<string, string | typeof NOTHING>();
  for (const [, name = "", module = ""] of (readRegularFile(list) ?? "").matchAll(/^exports\.(\w+) = require\.resolve\('([^']+)'\)/gm))
    builtins.set(name, module === "./_empty.js" ? NOTHING : resolveFrom(list, module));
  builtins.set("process", builtins.get("_process") ?? NOTHING);
  // The Packs SDK's build leaves it out, because its browser version contains an eval.
  builtins.set("vm", NOTHING);
  /** The folders of packages that built-ins consist of, as found so far. */
  const parts = new Set<string>();

  const builtin = (specifier: string): string | typeof NOTHING | undefined =>
    builtins.get(specifier.replace(/^node:/, "").replace(/\/$/, "")) ?? (specifier.startsWith("node:") ? NOTHING : undefined);

  const within = (specifier: string, importer: string, home: Package): string | typeof NOTHING | undefined => {
    const replaced = isRelative(specifier) ? undefined : home.browser.get(specifier);
    if (replaced === false) return NOTHING;
    const effectiveSpecifier = replaced === undefined ? specifier : isRelative(replaced) ? join(home.folder, replaced) : replaced;
    if (builtins.has(effectiveSpecifier)) return builtins.get(effectiveSpecifier);
    let file: string;
    try {
      file = resolveFrom(importer, effectiveSpecifier);
    } catch {
      return undefined;
    }
    // A specifier with a slash at its end means the package of that name.
    if (isBuiltin(file)) return builtin(effectiveSpecifier);
    const target = packageOf(file, read);
    const other = target?.browser.get(localName(file, target.folder));
    return other === false ? NOTHING : other === undefined || target === undefined ? file : fileOf(join(target.folder, other));
  };

  return {
    resolve(specifier, importer) {
      const home = parts.size === 0 || importer === "" ? undefined : packageOf(importer, read);
      const resolution =
        home !== undefined && parts.has(home.folder)
          ? within(specifier, importer, home)
          : isRelative(specifier)
            ? undefined
            : builtin(specifier);
      const resolvedPackage = typeof resolution === "string" ? packageOf(resolution, read) : undefined;
      if (resolvedPackage !== undefined) parts.add(resolvedPackage.folder);
      return resolution;
    },
  };
}

const isRelative = (specifier: string): boolean => /^\.{0,2}\//.test(specifier);

interface Package {
  readonly folder: string;
  /** Maps module names, and `./files` with their suffix, to their browser version; false means an empty module. */
  readonly browser: ReadonlyMap<string, string | false>;
}

const packages = new Map<string, Package | undefined>();

function packageOf(file: string, read: ManifestReader): Package | undefined {
  const folder = dirname(file);
  if (packages.has(folder)) return packages.get(folder);
  const nearestPackage = existsSync(join(folder, "package.json"))
    ? readPackage(folder, read)
    : folder === dirname(folder)
      ? undefined
      : packageOf(folder, read);
  packages.set(folder, nearestPackage);
  return nearestPackage;
}

function readPackage(folder: string, read: ManifestReader): Package {
  const { browser, main } = read(folder) ?? {};
  const local = (path: string): string => localName(fileOf(join(folder, path)), folder);
  const entries: [string, string | false][] =
    typeof browser === "string"
      ? [[local(typeof main === "string" ? main : "index.js"), browser]]
      : Object.entries((browser ?? {}) as Record<string, string | false>).map(([name, to]) => [isRelative(name) ? local(name) : name, to]);
  return { folder, browser: new Map(entries) };
}

const localName = (file: string, folder: string): string => `./${relative(folder, file).split(sep).join("/")}`;

/** Adds the suffix that a path lacks. */
const fileOf = (path: string): string =>
  [path, `${path}.js`, join(path, "index.js")].find((file) => /\.\w+$/.test(file) && existsSync(file)) ?? path;
