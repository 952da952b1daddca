// Finds the packs of a workspace: files that build a pack or add to one, without walking into what is installed or built.
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { decoded } from "./analysis/decode.ts";
import { mentionsPack } from "./analysis/pack-index.ts";
import { LARGEST_FILE } from "./disk.ts";

const SKIPPED = /^(node_modules|\.git|dist|build|out|coverage|\..*)$/;
const MOST_FILES = 20_000;

/** Paths with forward slashes. */
export async function findPackFiles(folders: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  const queue = [...folders];
  let seen = 0;
  for (let folder = queue.pop(); folder !== undefined && seen < MOST_FILES; folder = queue.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      seen++;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!SKIPPED.test(entry.name)) queue.push(path);
      } else if (/\.[cm]?[jt]sx?$/.test(entry.name) && !entry.name.endsWith(".d.ts")) {
        const bytes = await readSource(path).catch(() => Buffer.alloc(0));
        if (mentionsPack(decoded(bytes.toString(), () => bytes))) found.push(path.replaceAll("\\", "/"));
      }
    }
  }
  return found;
}

/** Empty for what is no source: a named pipe keeps its reader waiting, and recordings of films end in .ts, too. */
async function readSource(path: string): Promise<Buffer> {
  const found = await stat(path);
  return found.isFile() && found.size <= LARGEST_FILE ? readFile(path) : Buffer.alloc(0);
}
