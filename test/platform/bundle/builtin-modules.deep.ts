// What the toolkit's own build puts in place of Node's modules and of timers, seen from inside a pack.
import assert from "node:assert/strict";
import { createCipheriv, createHash, createHmac, pbkdf2Sync } from "node:crypto";
import { PackAuthError } from "../../../platform/errors.ts";
import type { Pack } from "../../../platform/process/pack.ts";
import { closePacks, pack } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { run } from "../../support/run.ts";

const packOf = (imports: string, expression: string, more: Record<string, string> = {}): Promise<Pack> =>
  pack(
    packFiles({
      "pack.ts": `${imports}
import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addFormula({ name: "Try", description: "Try.", parameters: [], resultType: coda.ValueType.String, execute: async () => JSON.stringify(await (${expression})) } as any);
`,
      ...more,
    }),
  );

async function outcomeOf(loadedPack: Pack) {
  const { outcome } = await run(loadedPack, { kind: "formula", name: "Try" }, [], {
    fetch: () => Promise.reject(new Error("no network here")),
  });
  return outcome.status === "succeeded" ? (JSON.parse(String(outcome.value)) as unknown) : outcome;
}

describe("Node's modules in a pack", function () {
  this.timeout(30_000);
  afterEach(closePacks);
  after(removePackFiles);

  it("crypto works in a pack by its browser replacements", async () => {
    const loadedPack = await packOf(
      'import * as c from "crypto"; import { createHash } from "node:crypto";',
      `[createHash("sha256").update("a").digest("hex"), c.createHmac("sha1", "key").update("a").digest("base64"), c.pbkdf2Sync("p", "s", 1, 8, "sha256").toString("hex"),
        c.createCipheriv("aes-128-cbc", Buffer.alloc(16), Buffer.alloc(16)).update("a".repeat(16)).toString("hex"), c.randomBytes(4).length]`,
    );
    assert.deepEqual(await outcomeOf(loadedPack), [
      createHash("sha256").update("a").digest("hex"),
      createHmac("sha1", "key").update("a").digest("base64"),
      pbkdf2Sync("p", "s", 1, 8, "sha256").toString("hex"),
      createCipheriv("aes-128-cbc", Buffer.alloc(16), Buffer.alloc(16)).update("a".repeat(16)).toString("hex"),
      4,
    ]);
  });
  it("zlib, stream and util work in any order of import", async () => {
    const loadedPack = await packOf(
      'import * as stream from "stream"; import * as zlib from "zlib"; import * as util from "util"; import assert from "assert";',
      `[zlib.gunzipSync(zlib.gzipSync(Buffer.from("zip"))).toString(), typeof util.inherits, util.format("%s", 1), typeof stream.Readable, typeof assert.equal]`,
    );
    assert.deepEqual(await outcomeOf(loadedPack), ["zip", "function", "1", "function", "function"]);
  });
  describe("A require while a formula runs", () => {
    const digest = createHmac("sha256", "k").update("x").digest("hex");
    const HELPERS = {
      "esm.ts": "declare const require: any;\nexport const lazy = () => require('buffer').Buffer.from('a').toString('hex');",
      "common.js": "exports.lazy = function () { return require('node:buffer').Buffer.from('b').toString('hex'); };",
    };
    for (const [name, expression, expected] of [
      ["crypto", "require('crypto').createHmac('sha256', 'k').update('x').digest('hex')", digest],
      ["buffer", "require('buffer').Buffer.from('ab').toString('hex')", "6162"],
      ["buffer/", "require('buffer/').Buffer.from('ab').toString('hex')", "6162"],
      ["stream", "typeof require('stream').Readable", "function"],
      ["process", "typeof require('process').nextTick", "function"],
      ["zlib", "require('zlib').gunzipSync(require('zlib').gzipSync('zip')).toString()", "zip"],
      ["the Packs SDK", "require('@codahq/packs-sdk').ValueType.String", "string"],
      ["an ES module of the pack", "require('./esm').lazy()", "61"],
      ["a CommonJS module of the pack", "require('./common').lazy()", "62"],
    ] as const)
      it(`${name} equals the one imported at the top`, async () => {
        assert.equal(await outcomeOf(await packOf("declare const require: any;", expression, HELPERS)), expected);
      });
    it("crypto works in a pack that is CommonJS itself", async () => {
      const loadedPack = await pack(
        packFiles({
          "pack.ts": "export * from './common-pack';",
          "common-pack.js": `const coda = require("@codahq/packs-sdk");
exports.pack = coda.newPack();
exports.pack.addFormula({ name: "Try", description: "Try.", parameters: [], resultType: "string",
  execute: async () => JSON.stringify(require("crypto").createHmac("sha256", "k").update("x").digest("hex")) });`,
        }),
      );
      assert.equal(await outcomeOf(loadedPack), digest);
    });
  });

  it("require is undefined globally and a function inside a module, as in the SDK's build", async () => {
    const loadedPack = await packOf("declare const require: any;", "[typeof (globalThis as any).require, typeof require]");
    assert.deepEqual(await outcomeOf(loadedPack), ["undefined", "function"]);
  });

  it("Node modules without a browser replacement are reported by name", async () => {
    const failure = (await outcomeOf(await packOf('import * as fs from "fs";', 'fs.readFileSync("/etc/passwd", "utf8")'))) as {
      error: { message: string };
    };
    assert.equal(failure.error.message, "fs.readFileSync is not a function");
    await assert.rejects(packOf('import * as threads from "worker_threads";', "threads"), (error) => {
      assert.ok(error instanceof PackAuthError);
      assert.match(error.hint ?? "", /Do not use this Node module\. The platform's runtime does not have it/);
      return true;
    });
  });

  it("escape and unescape are available", async () => {
    assert.equal(await outcomeOf(await packOf("", "unescape(escape('é ☃ %'))")), "é ☃ %");
  });

  const wait = "new Promise((resolve) => setTimeout(() => resolve('waited'), 5))";
  it("timers are available if the pack's options choose the toolkit's fake ones", async () => {
    const options = (timerStrategy: string) => ({ ".coda-pack.json": JSON.stringify({ packId: 1, options: { timerStrategy } }) });
    assert.equal(await outcomeOf(await packOf("", wait, options("fake"))), "waited");
    for (const [files, message] of [
      [options("error"), /timerStrategy fake/],
      [options("none"), /setTimeout is not defined: the platform's runtime has no setTimeout either/],
      [{ ".coda-pack.json": "{" }, /setTimeout is not defined/],
    ] as const) {
      const failure = (await outcomeOf(await packOf("", wait, files))) as { error: { message: string } };
      assert.match(failure.error.message, message);
    }
  });
});
