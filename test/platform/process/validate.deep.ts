// The toolkit's upload validator in the pack's process: its words and paths, older toolkits, hostile packs, and bundles of the toolkit.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PackAuthError } from "../../../platform/errors.ts";
import { openPack, type Pack } from "../../../platform/process/pack.ts";
import { validateBundle } from "../../../platform/process/validate-bundle.ts";
import type { UploadValidation } from "../../../protocol/validation.ts";
import { lay, removeFolders } from "../../support/bundle-folders.ts";
import { whileWatched } from "../../support/event-loop-lag.ts";
import { closePacks, pack, runner } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { root } from "../../support/packs.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n';
const TRY =
  'pack.addFormula({ name: "Try", description: "Tries.", parameters: [], resultType: coda.ValueType.String, execute: async () => "" });\n';

const validated = async (source: string): Promise<UploadValidation> => (await pack(packFiles({ "pack.ts": source }))).validate();

async function checked(source: string): Promise<Extract<UploadValidation, { isChecked: true }>> {
  const result = await validated(source);
  assert.ok(result.isChecked, JSON.stringify(result));
  return result;
}

describe("the upload validator in the pack's process", function () {
  this.timeout(120_000);
  afterEach(closePacks);
  after(() => {
    removePackFiles();
    removeFolders();
  });

  it("a pack that the upload accepts has metadata and no messages, and a version that is left out stays out", async () => {
    const { metadata, errors, warnings, toolkitVersion } = await checked(HEAD + TRY);
    assert.deepEqual([errors, warnings], [[], []]);
    assert.match(toolkitVersion, /^\d+\.\d+\.\d+/);
    const { version, formulas } = JSON.parse(metadata) as { version?: string; formulas: readonly { name: string }[] };
    assert.deepEqual([version, formulas.map(({ name }) => name)], [undefined, ["Try"]]);
  });

  it("messages have the validator's words and path, and the names of the list items", async () => {
    const { errors } = await checked(`${HEAD}${TRY}pack.addNetworkDomain("https://example.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, bogus: 1 } as any);
pack.addFormula({ name: "Bad", description: "Bad.", resultType: coda.ValueType.String, execute: async () => "",
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "my id", description: "The ID." })] });
`);
    const byPath = new Map(errors.map((error) => [error.path, error]));
    const parameter = byPath.get("formulas[1].parameters[0].name");
    assert.equal(parameter?.message, "Parameter names can only contain alphanumeric characters and underscores.");
    assert.deepEqual(parameter.at, ["formulas", { index: 1, name: "Bad" }, "parameters", { index: 0, name: "my id" }, "name"]);
    assert.deepEqual(byPath.get("networkDomains[0]")?.at, ["networkDomains", { index: 0, name: "https://example.com" }]);
    assert.deepEqual(
      errors.find(({ message }) => message.includes("bogus"))?.at,
      ["defaultAuthentication", "bogus"],
      JSON.stringify(errors),
    );
  });

  it("an absolute URL is accepted where the validator asks Node's URL, which the platform's runtime lacks", async () => {
    const client = (tokenUrl: string): string => `${HEAD}${TRY}pack.addNetworkDomain("example.com");
pack.setSystemAuthentication({ type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "${tokenUrl}" });
`;
    assert.deepEqual((await checked(client("https://example.com/token"))).errors, []);
    const [error] = (await checked(client("/token"))).errors;
    assert.match(error?.message ?? "", /tokenUrl must be an absolute URL/);
    const { errors } = await checked(`${HEAD}${TRY.replaceAll('"Try"', "typeof URL")}`);
    assert.deepEqual(errors, [], "packs get no URL");
  });

  it("a pack without an authentication type is told so at the member that chooses", async () => {
    const { errors } = await checked(`${HEAD}pack.setUserAuthentication({ type: "Nope" } as any);\n`);
    assert.deepEqual(errors[0]?.at, ["defaultAuthentication", "type"]);
  });

  it("a skill with a tool twice is rejected, as Node's own comparison finds it", async () => {
    const skill = (tools: string): string =>
      `pack.addSkill({ name: "Help", displayName: "Help", description: "Helps.", prompt: "Help.", tools: [${tools}] } as any);\n`;
    const tool = '{ type: coda.ToolType.Pack, formulas: [{ formulaName: "Try" }] }';
    assert.deepEqual((await checked(HEAD + TRY + skill(tool))).errors, []);
    const { errors } = await checked(HEAD + TRY + skill(`${tool}, ${tool}`));
    assert.match(errors.map(({ message }) => message).join(), /[Dd]uplicate/);
  });

  it("a pack that is exported by default only is rejected, as the command rejects it", async () => {
    const { errors } = await checked(`import * as coda from "@codahq/packs-sdk";\nconst pack = coda.newPack();\nexport default pack;\n`);
    assert.match(errors[0]?.message ?? "", /exports neither pack nor manifest/);
  });

  it("a toolkit without a validator, with one of another shape, or without a version is not checked", async () => {
    const manifest = JSON.parse(readFileSync(join(root, "node_modules/@codahq/packs-sdk/package.json"), "utf8")) as object;
    const unversioned = JSON.stringify({ ...manifest, version: "1.17.5\u001b[31m" });
    for (const [files, expected] of [
      [{}, /has no upload validator/],
      [{ "dist/testing/upload_validation.js": "exports.other = 1;\n" }, /cannot be called/],
      [{ "dist/testing/upload_validation.js": "throw new Error();\n" }, /cannot be called/],
      [{ "dist/testing/upload_validation.js": "exports.other = 1;\n", "package.json": unversioned }, /SDK does not name its version/],
      [{ "dist/testing/upload_validation.js": 'require("not-installed");\n' }, /cannot be built/],
    ] as const) {
      const result = await (await openWithToolkit(files)).validate();
      assert.ok(!result.isChecked);
      assert.match(result.reason, expected);
      assert.match(result.reason, /^The installed Packs SDK .*\.$/s);
    }
  });

  it("hostile manifests are told nonsense about themselves, and the host is never blocked", async () => {
    const hostile = {
      "a getter that throws": `Object.defineProperty(pack, "skills", { enumerable: true, get() { throw new Error("no"); } });`,
      "a proxy": "pack.networkDomains = new Proxy([], { get() { throw new Error('no'); } });",
      "changed prototypes": `Array.prototype.map = () => { throw new Error("no"); }; Object.keys = () => { throw new Error("no"); };`,
      "a loop of objects": "const loop: any = {}; loop.self = loop; (pack as any).formulaNamespace = loop;",
      "an error of its own": `Object.defineProperty(pack, "skills", { enumerable: true, get() { throw { validationErrors: [{ message: {}, path: [] }, null] }; } });`,
    };
    for (const [name, statement] of Object.entries(hostile)) {
      const { value, longest } = await whileWatched(() =>
        validated(`${HEAD}${TRY}${statement}\n`).catch((error: PackAuthError) => error.code),
      );
      assert.ok(typeof value === "string" || !value.isChecked || value.errors.length > 0, name);
      assert.ok(longest < 500, `${name}: ${longest} ms`);
    }
  });

  it("a getter that loops is stopped, and the pack can still run", async () => {
    const entry = packFiles({
      "pack.ts": `${HEAD}${TRY}Object.defineProperty(pack, "skills", { enumerable: true, get() { for (;;); } });\n`,
    });
    const opened = await openPack(entry, { process: { runner, node: process.execPath, limits: { loadTime: 4_000 } } });
    try {
      await assert.rejects(opened.validate(), { code: "time-limit", message: /^The pack was not validated within 4 s/ });
      const abort = new AbortController();
      const validation = opened.validate(abort.signal);
      setTimeout(() => abort.abort(), 300);
      await assert.rejects(validation, { name: "AbortError" });
    } finally {
      opened.dispose();
    }
  });

  it("a process that answers late, as on a busy machine, is validated all the same", async () => {
    const busy =
      "(async () => { for (let turn = 0; turn < 100; turn++) await 0; for (const end = Date.now() + 4_000; Date.now() < end; ); })();\n";
    assert.deepEqual((await checked(HEAD + TRY + busy)).errors, []);
  });

  it("a bundle of the toolkit is validated as the pack is", async () => {
    const entry = packFiles({ "pack.ts": HEAD });
    const options = { process: { runner, node: process.execPath } };
    const bundle = (statement: string): string =>
      `'use strict';\nvar module = module || {};\nmodule.exports = (() => { ${statement} })();\n`;
    const definition = '{ formulas: [], formats: [], syncTables: [], networkDomains: ["https://x"], formulaNamespace: "Deprecated" }';
    const result = await validateBundle(entry, bundle(`return { pack: ${definition} };`), options);
    assert.ok(result.isChecked);
    assert.deepEqual(
      result.errors.map(({ path }) => path),
      ["networkDomains[0]"],
    );
    await assert.rejects(validateBundle(entry, bundle("throw new Error('early');"), options), { code: "pack-throws-while-loading" });
    await assert.rejects(validateBundle(entry, bundle("return {};"), options), { code: "pack-not-exported" });
  });
});

/** Opens a pack with a copy of the SDK whose validator is replaced. */
async function openWithToolkit(files: Readonly<Record<string, string>>): Promise<Pack> {
  const toolkit = join(root, "node_modules/@codahq/packs-sdk");
  const own = lay({ "ws/pack.ts": HEAD + TRY, "ws/package.json": "{}", "ws/node_modules/@codahq/packs-sdk": { link: toolkit } });
  const modules = join(own, "ws/node_modules");
  rmSync(join(modules, "@codahq/packs-sdk"));
  const copy = join(modules, "@codahq/packs-sdk");
  mkdirSync(copy, { recursive: true });
  cpSync(join(toolkit, "package.json"), join(copy, "package.json"));
  cpSync(join(toolkit, "dist"), join(copy, "dist"), { recursive: true });
  rmSync(join(copy, "dist/testing/upload_validation.js"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(copy, name), text);
  for (const name of readdirSync(join(root, "node_modules")))
    if (!/^(?:\.|@codahq$)/.test(name)) symlinkSync(join(root, "node_modules", name), join(modules, name));
  return pack(join(own, "ws/pack.ts"));
}
