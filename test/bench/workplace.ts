// A folder outside every node_modules in which packs stand as an author's would: the toolkit resolves from it. It is in the user's cache:
// esbuild reads each folder above a pack, in WebAssembly slowly, and a temporary one may have thousands of entries.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const samples = join(root, "node_modules/@codahq/packs-sdk/documentation/samples");

export interface Workplace {
  readonly folder: string;
  /** Writes a file and gives its absolute path. */
  write(name: string, text: string): string;
  /** Copies a folder of the toolkit's samples and gives its absolute path. */
  copySamples(name: string): string;
  remove(): void;
}

export function makeWorkplace(): Workplace {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "pack-auth-bench-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "bench", dependencies: { "@codahq/packs-sdk": "*" } }));
  return {
    folder,
    write(name, text) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    },
    copySamples(name) {
      const path = join(folder, name);
      cpSync(join(samples, name), path, { recursive: true });
      return path;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface SizedPack {
  readonly name: string;
  readonly lines: number;
  readonly text: string;
}

/** Packs of three sizes: two of the toolkit's samples, and the larger one with its formulas repeated to about 3,000 lines. */
export function packsBySize(): readonly SizedPack[] {
  const small = readFileSync(join(samples, "packs/todoist/two_way.ts"), "utf8");
  const large = readFileSync(join(samples, "packs/todoist/full.ts"), "utf8");
  const head = large.indexOf("pack.addFormula(");
  const body = large.slice(head);
  const huge = large + Array.from({ length: 7 }, (_, copy) => body.replaceAll(/name: "(\w+)"/g, `name: "$1${copy}"`)).join("\n");
  return [small, large, huge].map((text) => {
    const lines = text.split("\n").length - 1;
    return { name: `${lines} lines`, lines, text };
  });
}

/** Inside the configuration's type, where an edit changes what the diagnostics are. */
export const editPlace = (text: string): number => text.indexOf("AuthenticationType.") + "AuthenticationType.".length;
