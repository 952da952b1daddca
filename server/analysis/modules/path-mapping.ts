// The module resolution of tsconfig.json (or jsconfig.json): `paths`, `baseUrl`, and inherited options of `extends`.
import { getOrInsert } from "../../../base/get-or-insert.ts";
import { isRecord } from "../../../base/is-record.ts";
import { isTooDeepForFile } from "../../../base/json-depth.ts";
import { ts } from "../typescript.ts";
import { joinPath, parent } from "./paths.ts";
import type { FileReader } from "./toolkit.ts";

/** Returns the candidate paths for a module name, best first, without checking whether they exist; empty for a package's name. */
type PathMapping = (module: string) => readonly string[];

/** The relevant options of a configuration file. */
interface Options {
  readonly baseUrl?: string;
  readonly paths?: Readonly<Record<string, readonly string[]>>;
  /** The folder that `paths` are relative to if there is no baseUrl. */
  readonly pathsBase?: string;
}

/** Maximum number of inherited configurations, direct and indirect. */
const MOST_INHERITED = 64;

/** Maximum number of mapped names, and of targets of each. */
const MOST_PATTERNS = 1_000;
const MOST_TARGETS = 20;

const NAMES = ["tsconfig.json", "jsconfig.json"];

export function createPathMappings(host: FileReader): { of(folder: string): PathMapping | undefined; forget(): void } {
  const byFolder = new Map<string, PathMapping | undefined>();

  const of = (folder: string): PathMapping | undefined =>
    getOrInsert(byFolder, folder, () => {
      const name = NAMES.find((candidate) => host.readFile(joinPath(folder, candidate)) !== undefined);
      if (name !== undefined) return mapping(readConfigs(joinPath(folder, name), folder, host));
      return parent(folder) === folder ? undefined : of(parent(folder));
    });

  return { of, forget: () => byFolder.clear() };
}

/** Returns the options of a file and of those that it extends. The file's own options take precedence; `paths` are replaced as a whole. */
function readConfigs(path: string, root: string, host: FileReader): Options {
  /** Each file is read once. During the read its options are empty, so that a circle ends. */
  const optionsByFile = new Map<string, Options>();
  const place = (value: string): string => value.replace(/^\$\{configDir\}/, root);

  const read = (file: string): Options => {
    const before = optionsByFile.get(file);
    if (before !== undefined) return before;
    optionsByFile.set(file, {});
    const text = host.readFile(file);
    const config = text === undefined ? undefined : readConfig(file, text);
    const options = isRecord(config) ? optionsOf(config, parent(file)) : {};
    optionsByFile.set(file, options);
    return options;
  };

  const optionsOf = (config: Readonly<Record<string, unknown>>, folder: string): Options => {
    const inherited: Options[] = [];
    for (const name of (Array.isArray(config.extends) ? config.extends : [config.extends]).slice(0, MOST_INHERITED)) {
      const base = typeof name === "string" && optionsByFile.size <= MOST_INHERITED ? findConfig(name, folder, host) : undefined;
      if (base !== undefined) inherited.push(read(base));
    }
    const own = isRecord(config.compilerOptions) ? config.compilerOptions : {};
    const paths = isRecord(own.paths)
      ? Object.fromEntries(
          Object.entries(own.paths)
            .slice(0, MOST_PATTERNS)
            .map(([name, targets]) => [name, targetsOf(targets)]),
        )
      : undefined;
    return {
      ...(Object.assign({}, ...inherited) as Options),
      ...(typeof own.baseUrl === "string" ? { baseUrl: joinPath(folder, place(own.baseUrl)) } : {}),
      ...(paths === undefined ? {} : { paths, pathsBase: folder }),
    };
  };

  const targetsOf = (targets: unknown): readonly string[] =>
    (Array.isArray(targets) ? targets.slice(0, MOST_TARGETS) : []).filter((target) => typeof target === "string").map(place);

  return read(path);
}

/** Most files are plain JSON; TypeScript's tolerant parser reads comments and mistakes. */
function readConfig(path: string, text: string): unknown {
  if (isTooDeepForFile(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return (ts.parseConfigFileTextToJson(path, text) as { config?: unknown }).config;
  }
}

/** Returns the file that `extends` names, beside this file or in a package. */
function findConfig(name: string, folder: string, host: FileReader): string | undefined {
  const exists = (path: string): boolean => host.readFile(path) !== undefined;
  const forms = (path: string): string | undefined =>
    [path, `${path}.json`, `${path}/tsconfig.json`].find((form) => form.endsWith(".json") && exists(form));
  if (name.startsWith(".") || name.startsWith("/")) return forms(joinPath(folder, name));
  for (let above = folder; ; above = parent(above)) {
    const configFile = forms(joinPath(above, `node_modules/${name}`));
    if (configFile !== undefined || above === parent(above)) return configFile;
  }
}

function mapping({ baseUrl, paths = {}, pathsBase }: Options): PathMapping {
  const base = baseUrl ?? pathsBase;
  // The pattern with the longest text before the star wins; a pattern without a star is exact.
  const patterns = Object.entries(paths)
    .map(([pattern, targets]) => ({ pattern, targets, star: pattern.indexOf("*") }))
    .sort((a, b) => (a.star < 0 ? -1 : b.star < 0 ? 1 : b.star - a.star));
  return (module) => {
    const mapped = patterns.find(({ pattern, star }) => matches(module, pattern, star));
    const middle =
      mapped === undefined || mapped.star < 0 ? "" : module.slice(mapped.star, module.length - (mapped.pattern.length - mapped.star - 1));
    const targets = (mapped?.targets ?? []).map((target) => target.replace("*", () => middle));
    return [...targets.map((target) => joinPath(base ?? "/", target)), ...(baseUrl === undefined ? [] : [joinPath(baseUrl, module)])];
  };
}

function matches(module: string, pattern: string, star: number): boolean {
  if (star < 0) return module === pattern;
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
  return module.length >= before.length + after.length && module.startsWith(before) && module.endsWith(after);
}
