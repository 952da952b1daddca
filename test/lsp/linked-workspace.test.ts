// One file that a client and the disk call by two names: a link above the workspace, a drive's letter, a host.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, win32 } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import type { PackOutline } from "../../protocol/editor.ts";
import { pathOf } from "../../server/convert.ts";
import { startServer } from "../support/lsp-client.ts";

const PACK = `import { url } from "@me/shared";
import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
`;
const shared = (name: string): string =>
  `export const url = (context) => "https://example.com/{{${name}-" + context.invocationToken + "}}";\n`;

describe("a file with two names, in the language server", () => {
  it("an open file is used for its linked package, also with odd characters in the path", async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-linked-lsp-")));
    const folder = join(base, "deep/real");
    const openedFolder = join(base, "li nk#%25(@)");
    for (const name of ["shared", "node_modules/@me"]) mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, "shared/package.json"), JSON.stringify({ name: "@me/shared", main: "index.ts" }));
    writeFileSync(join(folder, "shared/index.ts"), shared("key"));
    writeFileSync(join(folder, "pack.ts"), PACK);
    symlinkSync("../../shared", join(folder, "node_modules/@me/shared"));
    symlinkSync(folder, openedFolder);
    const client = await startServer({ folder: pathToFileURL(openedFolder).href, capabilities: { textDocument: { diagnostic: {} } } });
    try {
      const uri = (name: string): string => pathToFileURL(join(openedFolder, name)).href;
      client.open(uri("pack.ts"), PACK);
      // Not saved.
      client.open(uri("shared/index.ts"), shared("kez"));
      const codes = (await client.pull(uri("shared/index.ts"))).map(({ code }) => code);
      assert.deepEqual(codes, ["placeholder-undeclared"]);
    } finally {
      await client.stop();
      rmSync(base, { recursive: true, force: true });
    }
  });

  it("an open file is named everywhere as its client spells it", async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-spelt-")));
    const folder = join(base, "a (b)@c");
    mkdirSync(folder);
    writeFileSync(join(folder, "pack.ts"), PACK.replace("@me/shared", "./shared"));
    writeFileSync(join(folder, "shared.ts"), shared("key"));
    const client = await startServer({ folder: pathToFileURL(folder).href, capabilities: { textDocument: { diagnostic: {} } } });
    try {
      // As VS Code spells it.
      const uri = (name: string): string =>
        pathToFileURL(join(folder, name)).href.replace("(", "%28").replace(")", "%29").replace("@", "%40");
      client.open(uri("pack.ts"), readFileSync(join(folder, "pack.ts"), "utf8"));
      client.open(uri("shared.ts"), shared("key"));
      const textDocument = { uri: uri("shared.ts") };
      const position = { line: 0, character: shared("key").indexOf("key") };
      const defined = (await client.connection.sendRequest("textDocument/definition", { textDocument, position })) as { uri: string }[];
      assert.deepEqual(
        defined.map((place) => place.uri),
        [uri("pack.ts")],
      );
      const outline = (await client.connection.sendRequest("packAuth/outline", textDocument)) as PackOutline;
      assert.deepEqual(
        outline.authentications.map((place) => place.uri),
        [uri("pack.ts")],
      );
    } finally {
      await client.stop();
      rmSync(base, { recursive: true, force: true });
    }
  });

  it("a Windows file has one path, for any spelling of drive, host and characters", () => {
    const name = fc.stringMatching(/^[A-Za-z0-9 #%()@&+,;=![\]{}~^'$-]{1,8}$/).filter((text) => text.trim() === text);
    fc.assert(
      fc.property(
        fc.constantFrom("C:\\", "\\\\server\\share\\", "\\\\wsl.localhost\\ubuntu\\"),
        fc.array(name, { minLength: 1, maxLength: 3 }),
        (root, parts) => {
          const file = win32.join(root, ...parts);
          const fileUri = pathToFileURL(file, { windows: true }).href;
          const path = file.replaceAll("\\", "/");
          assert.equal(pathOf(fileUri, true), path);
          // As VS Code writes it.
          assert.equal(pathOf(fileUri.replace("file:///C:/", "file:///c%3A/").replace("wsl.localhost", "wsl%24"), true), path);
        },
      ),
    );
    assert.equal(pathOf("untitled:x", true), undefined);
    assert.equal(pathOf("file:///a/b%20c", false), "/a/b c");
  });
});
