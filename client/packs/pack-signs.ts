// Finds signs of a pack, to decide whether the extension is needed. It reads only names and a few small files, uses no editor and no
// process, and writes nothing.
import { access, readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The same folders as in the language server, which reads everything else. */
const SKIPPED = /^(node_modules|\.git|dist|build|out|coverage|\..*)$/;
const MOST_ENTRIES = 20_000;

/** Files that the SDK's command line and Pack Auth write beside a pack. */
const BESIDE_PACKS = [".coda-pack.json", ".packauthrc.json"];

const BUILDS_PACK = /\bnewPack\b|\bset(?:User|System)Authentication\b/;

/** Returns whether a source or one of its lines belongs to a pack: it names an SDK module, or calls a function of packs. */
export const isPackText = (text: string, toolkits: readonly string[]): boolean =>
  BUILDS_PACK.test(text) || toolkits.some((name) => text.includes(name));

/** Returns whether one of the folders, or a folder above or below, may contain a pack: an SDK is installed or required. Never throws. */
export async function hasPackSigns(folders: readonly string[], toolkits: readonly string[], signal?: AbortSignal): Promise<boolean> {
  for (const folder of folders) if (await hasSignAbove(folder, toolkits)) return true;
  const queue = [...folders];
  let entryCount = 0;
  for (let folder = queue.shift(); folder !== undefined && entryCount < MOST_ENTRIES; folder = queue.shift()) {
    if (signal?.aborted) return false;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    entryCount += entries.length;
    if (await isSigned(folder, new Set(entries.map(({ name }) => name)), toolkits)) return true;
    for (const entry of entries) if (entry.isDirectory() && !SKIPPED.test(entry.name)) queue.push(join(folder, entry.name));
  }
  return false;
}

/** Returns the same for the folder and its parents, in which packages are resolved. Never throws. */
export async function hasSignAbove(folder: string, toolkits: readonly string[]): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if (await isSigned(at, undefined, toolkits)) return true;
    if (dirname(at) === at) return false;
  }
}

/** Bytes; a larger manifest is generated, not written by hand. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Returns an empty string unless the path is a regular file: a read from a named pipe would block. */
async function readManifest(path: string): Promise<string> {
  const stats = await stat(path);
  return stats.isFile() && stats.size <= MOST_BYTES ? readFile(path, "utf8") : "";
}

/** `names`: the entries of the folder, if known. */
async function isSigned(folder: string, names: ReadonlySet<string> | undefined, toolkits: readonly string[]): Promise<boolean> {
  const has = (name: string): boolean => names === undefined || names.has(name);
  const exists = (name: string): Promise<boolean> =>
    access(join(folder, name)).then(
      () => true,
      () => false,
    );
  for (const name of BESIDE_PACKS) if (has(name) && (await exists(name))) return true;
  if (has("package.json")) {
    const manifest = await readManifest(join(folder, "package.json")).catch(() => "");
    if (toolkits.some((name) => manifest.includes(`"${name}"`))) return true;
  }
  if (has("node_modules")) for (const name of toolkits) if (await exists(join("node_modules", name))) return true;
  return false;
}
