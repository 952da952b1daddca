// Whether there is anything for the extension to do: signs of a pack, found by looking at names and a few small files. No editor, no
// process, nothing written.
import { access, readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** As the language server does, which reads what is below them. */
const SKIPPED = /^(node_modules|\.git|dist|build|out|coverage|\..*)$/;
const MOST_ENTRIES = 20_000;

/** What the toolkit's own command and we leave beside a pack. */
const BESIDE_PACKS = [".coda-pack.json", ".packauthrc.json"];

const BUILDS_PACK = /\bnewPack\b|\bset(?:User|System)Authentication\b/;

/** Whether a source, or a line of one, is of a pack: it names a toolkit, or calls what only packs call. */
export const isPackText = (text: string, toolkits: readonly string[]): boolean =>
  BUILDS_PACK.test(text) || toolkits.some((name) => text.includes(name));

/** Whether a pack may stand in one of the folders or above it: a toolkit is installed or asked for. Never throws. */
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

/** The same for the folder and all that it stands in, where packages and their dependencies are looked for. Never throws. */
export async function hasSignAbove(folder: string, toolkits: readonly string[]): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if (await isSigned(at, undefined, toolkits)) return true;
    if (dirname(at) === at) return false;
  }
}

/** Larger ones are generated, not written. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Nothing of what is no file: a named pipe keeps its reader waiting. */
async function readManifest(path: string): Promise<string> {
  const stats = await stat(path);
  return stats.isFile() && stats.size <= MOST_BYTES ? readFile(path, "utf8") : "";
}

/** `names`: what is in the folder, where that is known. */
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
