// Which files a pack may be made of: those of the opened folder, of the npm or pnpm workspace that it is a member of, and packages of
// node_modules that a package.json names. Whatever else is on the machine must not come into a bundle, which could send it to the pack's
// domain. All by real paths: what counts is where a file lies, not what an import, a link or a path mapping calls it.
import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, posix, relative, resolve, sep } from "node:path";
import { parse as parseJson } from "jsonc-parser/lib/esm/main.js";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { isRecord } from "../../base/is-record.ts";
import { homeFolder } from "../files/home-folder.ts";
import { readRegularFile } from "../files/regular-file.ts";
import { resolveFrom } from "../files/resolve-from.ts";

export interface BundleFiles {
  /** The real folder that files are taken from. */
  readonly folder: string;
  /** Whether a bundle may hold the file. Files are to be asked about after those that import them: a package is one of whoever imports it. */
  has(file: string): boolean;
  /** The file outside that a tsconfig.json leads to, which decides for the files asked about so far; with the tsconfig.json. */
  foreignSettings(): { readonly settings: string; readonly foreign: string } | undefined;
}

/** `folder` is the pack's, see {@link openedFolder}. `toolkit` is the name of a package that needs no package.json that names it. */
export function bundleFiles(folder: string, entry: string, toolkit: string): BundleFiles {
  /** Real folders of which everything is taken. */
  const includedFolders = new Set([folder]);
  /** Where node_modules are looked for: the folders of files that were taken, and all above. */
  const lookedFrom = new Set([folder, ...foldersAbove(folder), ...foldersAbove(entry)]);
  const dependencies = new Map<string, ReadonlySet<string>>();

  const isNamed = (name: string): boolean =>
    name === toolkit || [...lookedFrom].some((above) => getOrInsert(dependencies, above, dependenciesOf).has(name));

  /** A folder is a package where node_modules hold it by a name that a package.json has, or link to it by the name that it has itself. */
  const isPackage = (candidate: string): boolean => {
    const name = nameIn(candidate);
    // What holds the pack itself, or everything that is the user's, is no package of it.
    if (name === undefined || isIn(folder, candidate) || containsHome(candidate)) return false;
    const [, owner, installedAs = ""] = /^(.*)[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)$/.exec(candidate) ?? [];
    if (owner !== undefined && lookedFrom.has(owner === "" ? sep : owner) && isNamed(installedAs.replace("\\", "/"))) return true;
    return isName(name) && isNamed(name) && [...lookedFrom].some((above) => linkedPackage(above, name) === candidate);
  };

  const has = (file: string): boolean => {
    const real = realPath(file);
    // A device or a pipe would never end.
    if (real === undefined || !statSync(real).isFile() || mayContainCredentials(real)) return false;
    const within = [real, ...foldersAbove(real)];
    const includedFolder = within.find((each) => includedFolders.has(each)) ?? within.find(isPackage);
    if (includedFolder === undefined) return false;
    includedFolders.add(includedFolder);
    for (const above of foldersAbove(real)) lookedFrom.add(above);
    return true;
  };

  return {
    folder,
    has,
    foreignSettings() {
      const visitedSettings = new Set<string>();
      for (const above of lookedFrom) {
        // What stands above is nobody's but the user's, and packages that are installed are built without.
        if (/[\\/]node_modules(?:[\\/]|$)/.test(above) || ![above, ...foldersAbove(above)].some((each) => includedFolders.has(each)))
          continue;
        for (const name of ["tsconfig.json", "jsconfig.json"]) {
          const settings = join(above, name);
          const foreign = existsSync(settings) ? foreignBase(settings, has, visitedSettings) : undefined;
          if (foreign !== undefined) return { settings, foreign };
        }
      }
      return undefined;
    },
  };
}

/** What is never source, whoever imports it: the toolkit's own files of credentials, settings of npm, yarn and git, environments, keys. */
export function mayContainCredentials(file: string): boolean {
  const segments = file.toLowerCase().split(/[\\/]/);
  return (
    segments.includes(".git") ||
    /^(?:\.coda(?:-credentials)?\.json|\.env.*|\.npmrc|\.yarnrc(?:\.yml)?|\.netrc|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|key|ppk|p8|p12|pfx|jks|keystore))$/.test(
      segments.at(-1) ?? "",
    )
  );
}

/**
 * The real folder of a package that a folder's node_modules link to: one that another node_modules holds or links to, as package managers
 * lay their stores and `npm link`. A link to anything else is no package, also where a manifest names it: whoever wrote the repository may
 * have written both, and the target is another project of the user's.
 */
function linkedPackage(above: string, name: string): string | undefined {
  const link = join(above, "node_modules", name);
  try {
    const holder = realpathSync.native(dirname(link));
    const target = lstatSync(link).isSymbolicLink() ? resolve(holder, readlinkSync(link)) : link;
    const isInNodeModules = [holder, realpathSync.native(dirname(target))].every((each) =>
      /[\\/]node_modules(?:[\\/]@[^\\/]+)?$/.test(each),
    );
    return isInNodeModules ? realPath(link) : undefined;
  } catch {
    // It is not there.
    return undefined;
  }
}

/** The first file of the chain of `extends`, or the settings themselves, that `has` does not know. */
function foreignBase(settings: string, has: (file: string) => boolean, visitedSettings: Set<string>): string | undefined {
  if (visitedSettings.has(settings)) return undefined;
  visitedSettings.add(settings);
  if (!has(settings)) return settings;
  const bases = (parseJson(readRegularFile(settings) ?? "") as { extends?: unknown } | undefined)?.extends;
  for (const base of [bases].flat()) {
    if (typeof base !== "string") continue;
    for (const file of basesOf(settings, base)) {
      const foreign = isFile(file) ? foreignBase(file, has, visitedSettings) : undefined;
      if (foreign !== undefined) return foreign;
    }
  }
  return undefined;
}

/** Every file that esbuild or TypeScript may find for it. */
function basesOf(settings: string, base: string): readonly string[] {
  const isPath = isAbsolute(base) || /^\.{1,2}(?:[\\/]|$)/.test(base);
  const candidates = isPath ? [resolve(dirname(settings), base)] : foldersAbove(settings).map((above) => join(above, "node_modules", base));
  try {
    if (!isPath) candidates.push(resolveFrom(settings, base));
  } catch {
    // Nothing that Node would find.
  }
  return candidates.flatMap((path) => {
    const named = manifestIn(path)?.tsconfig;
    return [path, `${path}.json`, join(path, "tsconfig.json"), ...(typeof named === "string" ? [join(path, named)] : [])];
  });
}

/**
 * The folder that a pack is taken from, real: `named` where the entry lies in it, such as the editor's, else the nearest one with a
 * package.json, else the entry's own; and above it the root of the workspace that it is a member of. A pack that lies in the home folder
 * itself is that one file.
 */
export function openedFolder(entry: string, named?: string): string {
  const from = realPath(dirname(entry)) ?? dirname(entry);
  const namedFolder = named === undefined ? undefined : realPath(named);
  const isInNamedFolder = namedFolder !== undefined && isIn(from, namedFolder);
  if (!isInNamedFolder && containsHome(from)) return join(from, basename(entry));
  const hasManifest = (folder: string): boolean => existsSync(join(folder, "package.json"));
  const projectFolder = isInNamedFolder ? namedFolder : (nearest(from, hasManifest) ?? from);
  const member = nearest(projectFolder, hasManifest) ?? projectFolder;
  return nearest(dirname(member), (folder) => isRootOf(folder, member)) ?? projectFolder;
}

function nearest(from: string, fits: (folder: string) => boolean): string | undefined {
  return [from, ...foldersAbove(from)].find((folder) => !containsHome(folder) && fits(folder));
}

/** Whether npm's (and yarn's) or pnpm's workspace at `root` has the folder as a member. */
function isRootOf(root: string, member: string): boolean {
  const { workspaces } = manifestIn(root) ?? {};
  const patterns = [workspaces, (workspaces as { packages?: unknown } | undefined)?.packages, pnpmPackages(root)]
    .flat()
    .filter((pattern) => typeof pattern === "string")
    .map((pattern) => posix.normalize(`${pattern}/`).slice(0, -1));
  const not = patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
  const path = relative(root, member).split(sep);
  const isNamed = (list: readonly string[]): boolean => list.some((pattern) => fits(pattern.split("/"), path));
  return isNamed(patterns) && !isNamed(not);
}

/** Segment by segment, with `*` and `**`, in time that grows with both lengths alone. */
function fits(pattern: readonly string[], path: readonly string[]): boolean {
  /** With the places behind a `**`, which may stand for nothing. */
  const orFurther = (places: ReadonlySet<number>): ReadonlySet<number> => {
    const all = new Set(places);
    for (const place of all) if (pattern[place] === "**") all.add(place + 1);
    return all;
  };
  let places = orFurther(new Set([0]));
  for (const segment of path) {
    const next = [...places].flatMap((place) => {
      const part = pattern[place];
      return part === "**" ? [place] : part !== undefined && segmentFits(part, segment) ? [place + 1] : [];
    });
    places = orFurther(new Set(next));
  }
  return places.has(pattern.length);
}

function segmentFits(pattern: string, segment: string): boolean {
  const [first = "", ...otherParts] = pattern.split("*");
  const last = otherParts.pop();
  if (last === undefined) return segment === first;
  let at = first.length;
  for (const part of otherParts) {
    const index = segment.indexOf(part, at);
    if (index === -1) return false;
    at = index + part.length;
  }
  return segment.startsWith(first) && segment.length >= at + last.length && segment.endsWith(last);
}

/** The list `packages` of pnpm-workspace.yaml, in either of the ways that YAML has for it. */
function pnpmPackages(root: string): readonly string[] {
  const lines = (readRegularFile(join(root, "pnpm-workspace.yaml")) ?? "").split(/\r?\n/);
  const start = lines.findIndex((line) => line.startsWith("packages:"));
  if (start === -1) return [];
  const inline = lines[start]?.slice("packages:".length).trim() ?? "";
  const below = lines.slice(start + 1);
  const end = below.findIndex((line) => /^[^\s#-]/.test(line));
  const items = inline.startsWith("[")
    ? inline.slice(1).replace(/\].*/, "").split(",")
    : below.slice(0, end === -1 ? undefined : end).flatMap((line) => /^\s*-\s(.*)/.exec(line)?.[1] ?? []);
  return items.map(
    (item) =>
      /^\s*(?:"([^"]*)"|'([^']*)'|([^\s#]*))/
        .exec(item)
        ?.slice(1)
        .find((capture) => capture !== undefined) ?? "",
  );
}

interface Manifest {
  readonly name?: unknown;
  readonly workspaces?: unknown;
  readonly tsconfig?: unknown;
  readonly version?: unknown;
  readonly main?: unknown;
  readonly browser?: unknown;
  readonly dependencies?: unknown;
  readonly devDependencies?: unknown;
  readonly optionalDependencies?: unknown;
  readonly peerDependencies?: unknown;
}

/** The names of all packages that the package.json of a folder has, if there is one. */
function dependenciesOf(folder: string): ReadonlySet<string> {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = manifestIn(folder) ?? {};
  return new Set(
    [dependencies, devDependencies, optionalDependencies, peerDependencies].flatMap((list) => (isRecord(list) ? Object.keys(list) : [])),
  );
}

/** Undefined where there is none, and where it is none that can be read: it may be half-written. */
export function manifestIn(folder: string): Manifest | undefined {
  try {
    return (JSON.parse(readRegularFile(join(folder, "package.json")) ?? "null") as Manifest | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The folder's own name where its package.json has none; undefined where it has no package.json. */
function nameIn(folder: string): string | undefined {
  const manifest = manifestIn(folder);
  return manifest === undefined ? undefined : typeof manifest.name === "string" ? manifest.name : basename(folder);
}

/** The nearest first. */
function foldersAbove(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...foldersAbove(above)];
}

const isName = (name: string): boolean => /^(?:@[^\\/]+\/)?[^\\/.@][^\\/]*$/.test(name);

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Undefined where there is nothing. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** The home folder and what is above it hold more than packs. `folder` is real. */
function containsHome(folder: string): boolean {
  const home = homeFolder();
  return home !== undefined && isIn(realPath(home) ?? home, folder);
}

/** Both real. */
export const isIn = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
