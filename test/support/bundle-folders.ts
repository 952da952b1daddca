// Folders with packs beside files of the machine, to test which files a bundle contains.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { BundleOptions } from "../../platform/bundle/bundle.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { bundlePack } from "./bundle-pack.ts";
import { root } from "./packs.ts";

export const CANARY = "canary of the machine";
export const TOOLKIT = join(root, "node_modules/@codahq/packs-sdk");
export const PACK = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n`;

/**
 * Path → text, or `{ link }` to another path. Paths are relative to a folder that contains the pack, `ws/pack.ts`, and foreign files in
 * `outside/`.
 */
export type Files = Readonly<Record<string, string | { readonly link: string }>>;

const textOfCase = z.string().transform((text) => text.replaceAll("$PACK", PACK).replaceAll("$REPOSITORY", root));

/** The files of a case. In it, `$PACK` is the beginning of a pack, and `$REPOSITORY` is the folder that has the toolkit installed. */
export const filesOfCase = z.record(z.string(), z.union([textOfCase, z.strictObject({ link: textOfCase })]));

const OUTSIDE: Files = {
  "outside/config.json": JSON.stringify({ canary: CANARY }),
  "outside/notes.txt": CANARY,
  "outside/code.ts": `export const canary: string = "${CANARY}";\n`,
  "outside/style.css": `a { content: "${CANARY}"; }\n`,
  "outside/factory.json": JSON.stringify({ compilerOptions: { jsxFactory: "canaryOfTheMachine" } }),
  "outside/map.json": JSON.stringify({ version: 3, sources: [CANARY], sourcesContent: [CANARY], names: [], mappings: "AAAA" }),
  "outside/named/package.json": JSON.stringify({ name: "private", main: "index.js" }),
  "outside/named/index.js": `exports.canary = "${CANARY}";\n`,
};

const folders: string[] = [];

export function lay(files: Files): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-files-")));
  folders.push(folder);
  const all: Files = {
    "ws/package.json": JSON.stringify({ name: "ws" }),
    "ws/node_modules/@codahq/packs-sdk": { link: TOOLKIT },
    ...OUTSIDE,
    ...files,
  };
  for (const [name, content] of Object.entries(all)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (typeof content === "string") writeFileSync(path, content.replaceAll("$ROOT", folder));
    else symlinkSync(content.link.replaceAll("$ROOT", folder), path);
  }
  return folder;
}

/** Removes all created folders. */
export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export const packWith = (statement: string): string => `${PACK}${statement}\n`;

/** Returns the error that the bundler refuses the pack with. */
export async function bundleRefusal(entry: string, options: BundleOptions = {}): Promise<PackAuthError> {
  const outcome = await bundlePack(entry, options).catch((error: unknown) => error);
  if (!(outcome instanceof PackAuthError))
    assert.fail(`it was not refused: ${outcome instanceof Error ? outcome.stack : JSON.stringify(outcome).slice(0, 2_000)}`);
  assert.equal(outcome.code, "pack-does-not-bundle");
  return outcome;
}
