// Writes the files of a new pack. No file is overwritten, and none is left if one cannot be written.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorMessage } from "../../base/error-message.ts";
import { PackAuthError } from "../errors.ts";
import { makeFolder } from "../files/make-folder.ts";

/**
 * Returns the path of the entry, pack.ts, and those of all files that were written. Other files that are there stay. A manifest or compiler settings in a folder above, up to
 * `topFolder`, count for the pack too. Throws storage-failed.
 */
export function writeNewPack(folder: string, topFolder: string, files: Readonly<Record<string, string>>): WrittenPack {
  const written: string[] = [];
  try {
    makeFolder(folder, 0o777);
    for (const [file, text] of Object.entries(files)) {
      const path = join(folder, file);
      if (existsAbove(file, folder, topFolder) || (file !== ENTRY && existsSync(path))) continue;
      makeFolder(dirname(path), 0o777);
      writeFileSync(path, text, { flag: "wx" });
      written.push(path);
    }
  } catch (cause) {
    // Half a pack would stand in the way of the next try.
    for (const path of written) rmSync(path, { force: true });
    throw new PackAuthError("storage-failed", `The pack could not be written: ${errorMessage(cause)}`, {
      hint: "Choose a folder that you may write to.",
      cause,
    });
  }
  return { entry: join(folder, ENTRY), written };
}

const ENTRY = "pack.ts";

interface WrittenPack {
  readonly entry: string;
  readonly written: readonly string[];
}

/** Returns whether the folder or one above it has the file: a manifest and compiler settings also apply to the folders below them. */
function existsAbove(file: string, folder: string, topFolder: string): boolean {
  if (file !== "package.json" && file !== "tsconfig.json") return false;
  for (let at = folder; at !== topFolder; at = dirname(at)) if (existsSync(join(at, file))) return true;
  return existsSync(join(topFolder, file));
}
