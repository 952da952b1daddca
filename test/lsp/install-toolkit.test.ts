// Where no toolkit is installed, one command installs it, by the package manager in use: the status, the message, the quick fix and the
// platform's error tell the same.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CodeAction } from "vscode-languageserver/node";
import { findToolkit } from "../../platform/bundle/toolkit.ts";
import type { PackAuthError } from "../../platform/errors.ts";
import type { PackOutline } from "../../protocol/editor.ts";
import { bundlePack } from "../support/bundle-pack.ts";
import { type LspClient, startServer } from "../support/lsp-client.ts";
import { installToolkit } from "../support/packs.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n`;

/** Files of a folder → the command there; a folder says more than those above it, and a manifest more than a lock file. */
const FOLDERS: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  ["nothing", {}, "npm install --save-dev"],
  ["npm", { "package-lock.json": "{}" }, "npm install --save-dev"],
  ["shrinkwrap", { "npm-shrinkwrap.json": "{}" }, "npm install --save-dev"],
  ["pnpm", { "pnpm-lock.yaml": "" }, "pnpm add --save-dev"],
  ["yarn", { "yarn.lock": "" }, "yarn add --dev"],
  ["bun", { "bun.lock": "" }, "bun add --dev"],
  ["old-bun", { "bun.lockb": "" }, "bun add --dev"],
  ["named", { "package.json": '{ "packageManager": "pnpm@9.1.0+sha512.0" }', "package-lock.json": "{}" }, "pnpm add --save-dev"],
  ["named-otherwise", { "package.json": '{ "packageManager": "cargo@1; rm -rf /" }' }, "npm install --save-dev"],
  ["yarn/packs", { "package.json": "{}" }, "yarn add --dev"],
  ["pnpm/packs", { "package-lock.json": "{}" }, "npm install --save-dev"],
];

describe("a missing toolkit", () => {
  let folder: string;
  let clients: readonly LspClient[];
  const uri = (name: string): string => pathToFileURL(join(folder, name)).href;
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-install-")));
    for (const [name, files] of FOLDERS) {
      for (const [file, text] of Object.entries(files)) write(`${name}/${file}`, text);
      write(`${name}/pack.ts`, PACK);
    }
    const start = (experimental: unknown): Promise<LspClient> =>
      startServer({
        folder: pathToFileURL(folder).href,
        capabilities: { textDocument: { diagnostic: {} }, experimental },
        params: { initializationOptions: {} },
      });
    clients = await Promise.all([start({ packAuth: { installToolkit: true } }), start(undefined)]);
  });
  after(async () => {
    for (const client of clients ?? []) await client.stop();
    rmSync(folder, { recursive: true });
  });

  for (const [name, , command] of FOLDERS)
    it(`the install command is ${command} in every message: ${name}`, async () => {
      const [client] = clients as [LspClient, LspClient];
      const whole = `${command} @codahq/packs-sdk`;
      client.open(uri(`${name}/pack.ts`), PACK);
      const [diagnostic] = await client.pull(uri(`${name}/pack.ts`));
      assert.ok(String(diagnostic?.message).endsWith(` ${whole}`), String(diagnostic?.message));
      const outline = (await client.connection.sendRequest("packAuth/outline", { uri: uri(`${name}/pack.ts`) })) as PackOutline;
      assert.equal(outline.toolkit.install, whole);
      assert.throws(
        () => findToolkit(join(folder, name, "pack.ts")),
        (error: PackAuthError) =>
          error.code === "toolkit-missing" && error.hint === `Run: ${whole}` && error.remedies?.[0]?.label === "Install in terminal",
      );
    });

  it("a quick fix installs the toolkit for a client with a terminal, and for no other", async () => {
    const [able, plain] = clients as [LspClient, LspClient];
    const actions = async (client: LspClient, only?: readonly string[]): Promise<readonly CodeAction[]> => {
      client.open(uri("nothing/pack.ts"), PACK);
      const allActions = (await client.connection.sendRequest("textDocument/codeAction", {
        textDocument: { uri: uri("nothing/pack.ts") },
        range: { start: { line: 0, character: 26 }, end: { line: 0, character: 26 } },
        context: { diagnostics: [], ...(only === undefined ? {} : { only }) },
      })) as readonly CodeAction[];
      return allActions.filter(({ title }) => title === "Install in terminal");
    };
    const [install, ...otherActions] = await actions(able);
    assert.deepEqual(
      [install?.command?.command, install?.command?.arguments, install?.isPreferred, install?.diagnostics?.[0]?.code, otherActions],
      ["packAuth.installToolkit", [{ uri: uri("nothing/pack.ts") }], true, "toolkit-missing", []],
    );
    assert.equal((await actions(able, ["quickfix"])).length, 1);
    assert.deepEqual(await actions(able, ["source.fixAll"]), []);
    assert.deepEqual(await actions(plain), []);
  });

  it("any other missing package gets the install command of the same manager", async () => {
    for (const [name, specifier, command] of [
      ["yarn", "lodash/fp", "yarn add lodash"],
      ["pnpm", "@acme/client/v2", "pnpm add @acme/client"],
      ["nothing", "left pad; true", undefined],
    ] as const) {
      installToolkit(join(folder, name));
      const entry = write(`${name}/other.ts`, `import x from "${specifier}";\n${PACK}export const y = x;\n`);
      const error = await bundlePack(entry, { folder }).then(
        () => undefined,
        (caught: PackAuthError) => caught,
      );
      assert.deepEqual([error?.code, error?.hint], ["pack-does-not-bundle", command === undefined ? undefined : `Install it: ${command}`]);
    }
  });
});
