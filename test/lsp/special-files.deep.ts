// Files that are no files, in the folder of an editor: it is searched for packs, and the pack in it is answered for.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type LspClient, startServer } from "../support/lsp-client.ts";
import { SPECIAL_FILES } from "../support/special-files.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";
import { a } from "./helper";
import { b } from "own/b";
import { c } from "./circle/circle/c";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
export const all = [a, b, c];
pack.setUserAuthentication({ type: coda.AuthenticationType.Nope });
`;

describe("special files in a workspace", function () {
  // A hang guard.
  this.timeout(30_000);
  let folder: string;
  let server: LspClient | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-special-"));
  });
  afterEach(() => {
    server?.child.kill("SIGKILL");
    server?.connection.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [kind, make] of Object.entries(SPECIAL_FILES))
    it(`${kind} under every known name is skipped, also when reported as changed`, async () => {
      for (const name of [
        "tsconfig.json",
        "jsconfig.json",
        ".packauthrc.json",
        "package.json",
        "yarn.lock",
        "helper.ts",
        "other-pack.ts",
        "sandbox.json",
      ])
        make(join(folder, name));
      symlinkSync(folder, join(folder, "circle"));
      mkdirSync(join(folder, "node_modules/own"), { recursive: true });
      make(join(folder, "node_modules/own/package.json"));
      writeFileSync(join(folder, "found.ts"), PACK);
      const uri = (name: string): string => pathToFileURL(join(folder, name)).href;
      server = await startServer({ folder: pathToFileURL(folder).href });
      server.open(uri("pack.ts"), PACK);
      const codes = async (): Promise<unknown[]> => ((await server?.pull(uri("pack.ts"))) ?? []).map(({ code }) => code);
      assert.deepEqual(await codes(), ["auth-type-unknown"]);
      const changes = ["helper.ts", "other-pack.ts", "tsconfig.json", ".packauthrc.json"].map((name) => ({ uri: uri(name), type: 2 }));
      await server.connection.sendNotification("workspace/didChangeWatchedFiles", { changes });
      await server.connection.sendNotification("textDocument/didSave", { textDocument: { uri: uri("pack.ts") } });
      assert.deepEqual(await codes(), ["auth-type-unknown"]);
      const packs = (await server.connection.sendRequest("packAuth/packs")) as { entry: string }[];
      assert.ok(packs.some(({ entry }) => entry === uri("pack.ts")));
    });
});
