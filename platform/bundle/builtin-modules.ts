// Node's built-in modules as the platform has them: the browser versions that the toolkit's own build (browserify) puts in. What those
// are made of is found as browserify finds it, by the `browser` field of a package.json: their main files ask for the built-in itself,
// and would wait for each other.
import { existsSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { readRegularFile } from "../files/regular-file.ts";
import { resolveFrom } from "../files/resolve-from.ts";
import { manifestIn } from "./bundle-files.ts";

/**
 * The imports that are worth asking about: names of modules, and the files that packages among the built-ins replace for browsers
 * (`util` and `readable-stream` do). Every other stays with esbuild: to be asked takes longer than to resolve.
 */
export const BUILTIN_CANDIDATES = /^[^./]|^\.{1,2}\/(?:.*\/)?(?:isBuffer|errors|readable|writable|duplex|from|stream)(?:\.js)?$/;

/** A module of Node that browsers have nothing for. */
export const NOTHING = Symbol("nothing");

interface BuiltinModules {
  /**
   * Where an import leads, if it is one of a built-in, or stands in what built-ins are made of; undefined for every other. Modules are
   * to be asked for in the order in which they are imported.
   */
  resolve(specifier: string, importer: string): string | typeof NOTHING | undefined;
}

/** `list` is Browserify's, which is read and not run: it is code of the workspace. */
export function builtinModules(list: string): BuiltinModules {
  const builtins = new Map<string, string | typeof NOTHING>();
  for (const [, name = "", module = ""] of (readRegularFile(list) ?? "").matchAll(/^exports\.(\w+) = require\.resolve\('([^']+)'\)/gm))
    builtins.set(name, module === "./_empty.js" ? NOTHING : resolveFrom(list, module));
  builtins.set("process", builtins.get("_process") ?? NOTHING);
  // The toolkit's build leaves it out: its browser version holds an eval.
  builtins.set("vm", NOTHING);
  /** The folders of the packages that built-ins are made of, as far as they were asked for. */
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
    // Only a slash at its end asks for the package of that name.
    if (isBuiltin(file)) return builtin(effectiveSpecifier);
    const target = packageOf(file);
    const other = target?.browser.get(localName(file, target.folder));
    return other === false ? NOTHING : other === undefined || target === undefined ? file : fileOf(join(target.folder, other));
  };

  return {
    resolve(specifier, importer) {
      const home = parts.size === 0 || importer === "" ? undefined : packageOf(importer);
      const resolution =
        home !== undefined && parts.has(home.folder)
          ? within(specifier, importer, home)
          : isRelative(specifier)
            ? undefined
            : builtin(specifier);
      const resolvedPackage = typeof resolution === "string" ? packageOf(resolution) : undefined;
      if (resolvedPackage !== undefined) parts.add(resolvedPackage.folder);
      return resolution;
    },
  };
}

const isRelative = (specifier: string): boolean => /^\.{0,2}\//.test(specifier);

interface Package {
  readonly folder: string;
  /** Names of modules, and `./files` with their suffix, → what a browser gets in their place; false: nothing. */
  readonly browser: ReadonlyMap<string, string | false>;
}

const packages = new Map<string, Package | undefined>();

function packageOf(file: string): Package | undefined {
  const folder = dirname(file);
  if (packages.has(folder)) return packages.get(folder);
  const nearestPackage = existsSync(join(folder, "package.json"))
    ? readPackage(folder)
    : folder === dirname(folder)
      ? undefined
      : packageOf(folder);
  packages.set(folder, nearestPackage);
  return nearestPackage;
}

function readPackage(folder: string): Package {
  const { browser, main } = manifestIn(folder) ?? {};
  const local = (path: string): string => localName(fileOf(join(folder, path)), folder);
  const entries: [string, string | false][] =
    typeof browser === "string"
      ? [[local(typeof main === "string" ? main : "index.js"), browser]]
      : Object.entries((browser ?? {}) as Record<string, string | false>).map(([name, to]) => [isRelative(name) ? local(name) : name, to]);
  return { folder, browser: new Map(entries) };
}

const localName = (file: string, folder: string): string => `./${relative(folder, file).split(sep).join("/")}`;

/** With the suffix that was left out. */
const fileOf = (path: string): string =>
  [path, `${path}.js`, join(path, "index.js")].find((file) => /\.\w+$/.test(file) && existsSync(file)) ?? path;
