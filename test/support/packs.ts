// The folder of the project, and the Packs SDK for packs of tests.
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** Installs the real Packs SDK in a folder. */
export function installToolkit(folder: string): void {
  mkdirSync(join(folder, "node_modules/@codahq"), { recursive: true });
  symlinkSync(join(root, "node_modules/@codahq/packs-sdk"), join(folder, "node_modules/@codahq/packs-sdk"));
}
