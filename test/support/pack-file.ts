// Writes a pack for one test to a temporary folder from which the real Packs SDK resolves.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "./packs.ts";

/** One project for all packs of a test file, because the SDK is bundled once for each project. */
let project: string | undefined;
const folders: string[] = [];

function openProject(): string {
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-packs-"));
  folders.push(folder);
  writeFileSync(join(folder, "package.json"), "{}");
  linkPackages(folder);
  return folder;
}

const linkPackages = (folder: string): void => symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));

/** Writes the files and returns the path of `pack.ts`. If `toolkit` is false, the pack has no Packs SDK. */
export function packFiles(files: Readonly<Record<string, string>>, options: { readonly toolkit?: boolean } = {}): string {
  const isAlone = options.toolkit === false;
  if (!isAlone) project ??= openProject();
  const folder = mkdtempSync(join(isAlone ? tmpdir() : (project ?? ""), "pack-auth-pack-"));
  if (isAlone) folders.push(folder);
  else linkPackages(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return join(folder, "pack.ts");
}

/** Returns the path of a pack with one formula `Try` with this body, which can use `context` and `args`. */
export function packWith(body: string, head = ""): string {
  return packFiles({
    "pack.ts": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
${head}
pack.addFormula({
  name: "Try", description: "Tries.", parameters: [], resultType: coda.ValueType.String, connectionRequirement: coda.ConnectionRequirement.None,
  execute: async function (args: any, context: any): Promise<any> { ${body} },
});
`,
  });
}

export function removePackFiles(): void {
  project = undefined;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
