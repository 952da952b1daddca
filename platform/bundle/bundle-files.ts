// Decides which files a bundle may contain: those of the opened folder, of its npm or pnpm workspace, and of packages that a package.json
// names. Any other file must stay out, because the bundle could send it to the pack's domain. All checks use real paths, so that no import,
// link or path mapping can disguise a file.
import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, posix, relative, resolve, sep } from "node:path";
import { parse as parseJson } from "jsonc-parser/lib/esm/main.js";
import picomatch from "picomatch/posix.js";
import { isBoundedGlob, isBoundedPath } from "../../base/bounded-glob.ts";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { isRecord } from "../../base/is-record.ts";
import { homeFolder } from "../files/home-folder.ts";
import { LARGEST_MANIFEST, readRegularFile } from "../files/regular-file.ts";
import { resolveFrom } from "../files/resolve-from.ts";

export interface BundleFiles {
  /** The real path of the pack's folder. */
  readonly folder: string;
  /**
   * Returns whether a bundle may contain the file. Callers must check importers before the files that they import, because a package counts
   * for its importer.
   */
  has(file: string): boolean;
  /** Returns a file outside that a tsconfig.json extends, together with that tsconfig.json. It considers the files checked so far. */
  foreignSettings(): { readonly settings: string; readonly foreign: string } | undefined;
}

/**
 * Decides which files a bundle may contain. `folder` is the pack's, see {@link openedFolder}. The package named `toolkit` needs no entry in
 * a package.json. No package.json outside of `boundary` names packages, except those of packages.
 */
export function bundleFiles(
  folder: string,
  entry: string,
  toolkit: string,
  read: ManifestReader = manifestReader(),
  boundary?: string,
): BundleFiles {
  /** Real folders whose files may all be included. */
  const includedFolders = new Set([folder]);
  /** Folders whose node_modules count: those of the included files and all folders above them. */
  const lookedFrom = new Set([folder, ...foldersAbove(folder), ...foldersAbove(entry)]);
  const dependencies = new Map<string, ReadonlySet<string>>();

  const mayName = (above: string): boolean => boundary === undefined || isIn(above, boundary) || /[\\/]node_modules[\\/]/.test(above);
  const isNamed = (name: string): boolean =>
    name === toolkit ||
    [...lookedFrom].some((above) => mayName(above) && getOrInsert(dependencies, above, () => dependenciesOf(read(above))).has(name));

  /** Returns whether a folder is a package: in node_modules under a name in a package.json, or linked there under its own name. */
  const isPackage = (candidate: string): boolean => {
    const name = nameOf(read(candidate), candidate);
    // A folder that contains the pack itself, or the user's home, is not a package.
    if (name === undefined || isIn(folder, candidate) || containsHome(candidate)) return false;
    const [, owner, installedAs = ""] = /^(.*)[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)$/.exec(candidate) ?? [];
    if (owner !== undefined && lookedFrom.has(owner === "" ? sep : owner) && isNamed(installedAs.replace("\\", "/"))) return true;
    return isName(name) && isNamed(name) && [...lookedFrom].some((above) => linkedPackage(above, name) === candidate);
  };

  const has = (file: string): boolean => {
    const real = realPath(file);
    // Reading a device or a pipe would never end.
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
        // Settings above the included folders belong to the user, and esbuild ignores those of installed packages.
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

/** Returns whether a file is never source: the Packs SDK's credentials, a team's accounts, settings of npm, yarn and git, environments, and keys. */
export function mayContainCredentials(file: string): boolean {
  const segments = file.toLowerCase().split(/[\\/]/);
  return (
    segments.includes(".git") ||
    /^(?:\.coda(?:-credentials)?\.json|packauth\.accounts\.json|\.env.*|\.npmrc|\.yarnrc(?:\.yml)?|\.netrc|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|key|ppk|p8|p12|pfx|jks|keystore))$/.test(
      segments.at(-1) ?? "",
    )
  );
}

/**
 * Returns the real folder of a package that node_modules link to, if the target is itself in node_modules. Stores of package managers and
 * `npm link` have this layout.
 * Any other link is refused, even if a manifest names it. The repository's author may have written both, and the target is another project
 * of the user.
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
    // The package is not in this folder.
    return undefined;
  }
}

/** Returns the first file in the chain of `extends`, or the settings themselves, that `has` refuses. */
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

/** Returns every file that esbuild or TypeScript may find for a base. */
function basesOf(settings: string, base: string): readonly string[] {
  const isPath = isAbsolute(base) || /^\.{1,2}(?:[\\/]|$)/.test(base);
  const candidates = isPath ? [resolve(dirname(settings), base)] : foldersAbove(settings).map((above) => join(above, "node_modules", base));
  try {
    if (!isPath) candidates.push(resolveFrom(settings, base));
  } catch {
    // Node does not find the base.
  }
  return candidates.flatMap((path) => {
    const named = manifestIn(path)?.tsconfig;
    return [path, `${path}.json`, join(path, "tsconfig.json"), ...(typeof named === "string" ? [join(path, named)] : [])];
  });
}

/**
 * Returns the real path of a pack's folder: `named`, such as the editor's, if it contains the entry. Otherwise it is the nearest folder
 * with a package.json, or the entry's own.
 * If the folder is a member of a workspace, the result is that workspace's root. A pack directly in the home folder is only its one file.
 * The result is never a folder above `boundary`, a real path.
 */
export function openedFolder(entry: string, named?: string, read: ManifestReader = manifestIn, boundary?: string): string {
  const folder = widestFolder(entry, named, read);
  return boundary === undefined || isIn(folder, boundary) ? folder : boundary;
}

function widestFolder(entry: string, named: string | undefined, read: ManifestReader): string {
  const from = realPath(dirname(entry)) ?? dirname(entry);
  const namedFolder = named === undefined ? undefined : realPath(named);
  const isInNamedFolder = namedFolder !== undefined && isIn(from, namedFolder);
  if (!isInNamedFolder && containsHome(from)) return join(from, basename(entry));
  const hasManifest = (folder: string): boolean => existsSync(join(folder, "package.json"));
  const projectFolder = isInNamedFolder ? namedFolder : (nearest(from, hasManifest) ?? from);
  const member = nearest(projectFolder, hasManifest) ?? projectFolder;
  return nearest(dirname(member), (folder) => isRootOf(folder, member, read)) ?? projectFolder;
}

function nearest(from: string, fits: (folder: string) => boolean): string | undefined {
  return [from, ...foldersAbove(from)].find((folder) => !containsHome(folder) && fits(folder));
}

/** Returns whether the folder is a member of npm's (and yarn's) or pnpm's workspace at `root`. */
function isRootOf(root: string, member: string, read: ManifestReader): boolean {
  const { workspaces } = read(root) ?? {};
  const patterns = [workspaces, (workspaces as { packages?: unknown } | undefined)?.packages, pnpmPackages(root)]
    .flat()
    .filter((pattern) => typeof pattern === "string")
    .map((pattern) => posix.normalize(`${pattern}/`).slice(0, -1))
    .filter((pattern) => /[^!]/.test(pattern));
  const not = patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
  const path = relative(root, member).replaceAll(sep, "/");
  const isNamed = (list: string[]): boolean => picomatch.isMatch(path, list, { dot: true, nonegate: true, noextglob: true, regex: false });
  // Without a pattern that is left out, the folder may be no member.
  return patterns.every(isBoundedGlob) && isBoundedPath(path) && isNamed(patterns) && !isNamed(not);
}

/** Returns the list `packages` of pnpm-workspace.yaml, in flow or block style. */
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

/** Returns the names of all dependencies in a package.json. */
function dependenciesOf(manifest: Manifest = {}): ReadonlySet<string> {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = manifest;
  return new Set(
    [dependencies, devDependencies, optionalDependencies, peerDependencies].flatMap((list) => (isRecord(list) ? Object.keys(list) : [])),
  );
}

/** Returns the folder's package.json, or undefined if it does not exist or cannot be parsed: it may be half-written. */
export function manifestIn(folder: string): Manifest | undefined {
  try {
    return (JSON.parse(readRegularFile(join(folder, "package.json"), LARGEST_MANIFEST) ?? "null") as Manifest | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Reads the package.json of folders like {@link manifestIn}. */
export type ManifestReader = typeof manifestIn;

/** Creates a reader that reads each package.json once. It must not outlive a build, because the author may edit the files before the next. */
export function manifestReader(): ManifestReader {
  const manifests = new Map<string, Manifest | undefined>();
  return (folder) => getOrInsert(manifests, folder, manifestIn);
}

/** Returns the package's name, or the folder's own name if its package.json has none; undefined without a package.json. */
function nameOf(manifest: Manifest | undefined, folder: string): string | undefined {
  return manifest === undefined ? undefined : typeof manifest.name === "string" ? manifest.name : basename(folder);
}

/** Returns the folders above a path, the nearest first. */
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

/** Returns undefined if the path does not exist. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Returns whether the folder contains the home folder, and therefore more than packs. `folder` must be a real path. */
function containsHome(folder: string): boolean {
  const home = homeFolder();
  return home !== undefined && isIn(realPath(home) ?? home, folder);
}

/** Both paths must be real. */
export const isIn = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
