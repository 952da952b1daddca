// A pack written for one test, in a temporary folder from which the real toolkit resolves.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "./packs.ts";

const folders: string[] = [];

/** Writes the files and gives the path of `pack.ts`. */
export function packFiles(files: Readonly<Record<string, string>>, options: { readonly toolkit?: boolean } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-pack-"));
  folders.push(folder);
  if (options.toolkit !== false) symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return join(folder, "pack.ts");
}

/** A pack with one formula `Try`, whose body is given; `context` and `args` are there. */
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
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
