// Packs that do not parse, bundle, load, or behave: each gets one clear error, and the host goes on. What attacks on purpose: denial.test.ts.
import assert from "node:assert/strict";
import { basename } from "node:path";
import { z } from "zod";
import type { PackAuthError } from "../../../platform/errors.ts";
import { openPack } from "../../../platform/process/pack.ts";
import { readTable } from "../../support/json-cases.ts";
import { runner } from "../../support/open-packs.ts";
import { packFiles, packWith, removePackFiles } from "../../support/pack-file.ts";
import { processorTime } from "../../support/pack-processes.ts";

const context = {
  invocationToken: "t",
  timezone: "UTC",
  invocationLocation: { protocolAndHost: "https://coda.io", source: "Doc" as const },
};
const open = (entry: string) => openPack(entry, { process: { runner, node: process.execPath } });

async function failure(work: Promise<unknown>): Promise<PackAuthError> {
  try {
    await work;
  } catch (error) {
    return error as PackAuthError;
  }
  throw new Error("it did not fail");
}

/** Runs the body and gives the error. */
async function runs(body: string, timeLimit = 10_000): Promise<PackAuthError> {
  const pack = await open(packWith(body));
  const handlers = { fetch: async () => ({ name: "Error" as const, message: "no" }), console: () => {} };
  try {
    return await failure(pack.execute({ kind: "formula", name: "Try" }, [], context, handlers, { timeLimit }));
  } finally {
    pack.dispose();
  }
}

/** The pack processes that do not come to rest: one that only starts does. */
async function packsThatSpin(): Promise<readonly string[]> {
  if (process.platform !== "linux") return [];
  let spinning: readonly string[] = [];
  for (let window = 0; window < 20; window++) {
    const before = processorTime();
    await new Promise((resolve) => setTimeout(resolve, 500));
    spinning = [...processorTime()].filter(([pid, time]) => time - (before.get(pid) ?? 0) > 2).map(([pid]) => pid);
    if (spinning.length === 0) break;
  }
  return spinning;
}

describe("Faulty packs", function () {
  this.timeout(60_000);
  after(removePackFiles);

  it("a pack that does not exist is reported", async () => {
    assert.equal((await failure(open("nowhere/pack.ts"))).code, "pack-not-found");
  });

  it("a pack that does not parse is reported with its line", async () => {
    const error = await failure(open(packFiles({ "pack.ts": "export const pack = {\n  (((\n" })));
    assert.equal(error.code, "pack-does-not-bundle");
    assert.equal(error.location?.line, 1);
  });

  it("a CommonJS pack that throws while loading shows its own stack frames only", async () => {
    const entry = packFiles({ "pack.ts": "", "pack.js": "const f = () => { throw new Error('no'); };\nf();\nexports.pack = {};\n" });
    const error = await failure(open(entry.replace(/ts$/, "js")));
    assert.deepEqual(
      error.stackFrames?.map(({ location }) => `${basename(location?.path ?? "")}:${(location?.line ?? 0) + 1}`),
      ["pack.js:1", "pack.js:2", "pack.js:1"].slice(0, error.stackFrames?.length),
    );
    assert.ok((error.stackFrames?.length ?? 0) >= 2 && !JSON.stringify(error.stackFrames).includes("pack-auth:"));
  });

  it("a pack that imports a missing package gets the install command as hint", async () => {
    const error = await failure(open(packFiles({ "pack.ts": 'import x from "not-installed";\nexport const pack = x;\n' })));
    assert.equal(error.code, "pack-does-not-bundle");
    assert.match(error.hint ?? "", /npm install not-installed/);
  });

  it("a pack that imports a missing HTTP client gets a hint to context.fetcher.fetch", async () => {
    const error = await failure(open(packFiles({ "pack.ts": 'import got from "got";\nexport const pack = got;\n' })));
    assert.equal(error.code, "pack-does-not-bundle");
    assert.equal(error.hint, "Use context.fetcher.fetch. got has no network in the platform's runtime.");
  });

  it("a pack without the toolkit gets the install command as hint", async () => {
    const error = await failure(open(packFiles({ "pack.ts": "export const pack = {};\n" }, { toolkit: false })));
    assert.equal(error.code, "toolkit-missing");
    assert.match(error.hint ?? "", /npm install --save-dev @codahq\/packs-sdk/);
  });

  it("a pack with a half-installed toolkit gets the install command as hint", async () => {
    const files = { "pack.ts": "export const pack = {};\n", "node_modules/@codahq/packs-sdk/package.json": "{" };
    const error = await failure(open(packFiles(files, { toolkit: false })));
    assert.equal(error.code, "toolkit-missing");
    assert.match(error.hint ?? "", /: npm install$/);
  });

  it("a pack with its toolkit in Yarn Plug'n'Play gets a hint to unpack it", async () => {
    const error = await failure(open(packFiles({ "pack.ts": "export const pack = {};\n", ".pnp.cjs": "" }, { toolkit: false })));
    assert.equal(error.code, "toolkit-missing");
    assert.match(error.hint ?? "", /nodeLinker: node-modules.*yarn install/);
    assert.equal(error.remedies, undefined);
  });

  it("a pack that throws while loading is reported with its source line", async () => {
    const error = await failure(
      open(packFiles({ "pack.ts": 'import "./other";\nexport const pack = 1;\n', "other.ts": "\n\nthrow new Error('too early');\n" })),
    );
    assert.equal(error.code, "pack-throws-while-loading");
    assert.match(error.message, /too early/);
    assert.match(error.stackFrames?.[0]?.location?.path ?? "", /other\.ts$/);
    assert.equal(error.stackFrames?.[0]?.location?.line, 2);
  });

  it("a file that exports no pack is reported", async () => {
    assert.equal((await failure(open(packFiles({ "pack.ts": "export const other = 1;\n" })))).code, "pack-not-exported");
  });

  it("a throw is reported with its source line, and a missing global is explained", async () => {
    const thrown = await runs("\n\nthrow new Error('mine');");
    assert.equal(thrown.code, "pack-threw");
    assert.match(thrown.stackFrames?.[0]?.location?.path ?? "", /pack\.ts$/);
    assert.match((await runs("setTimeout(() => {}, 1); return ''")).message, /the platform's runtime has no setTimeout either/);
  });

  it("a direct network call gets a hint to context.fetcher.fetch", async () => {
    assert.match(
      (await runs("await fetch('https://acme.example'); return ''")).message,
      /: use context\.fetcher\.fetch, .* has no fetch either$/,
    );
    // As axios throws it.
    const axios = "There is no suitable adapter to dispatch the request since :\\n- adapter xhr is not supported by the environment";
    assert.match((await runs(`throw new Error("${axios}");`)).message, /environment\nUse context\.fetcher\.fetch\. /);
  });

  it("a result that is no JSON is reported with the reason", async () => {
    for (const [body, why] of [
      ["const list: any[] = []; list.push(list); return list", /circular/],
      ["return 5n", /BigInt/],
      ["return { get name(): string { throw new Error('mine') } }", /mine/],
    ] as const) {
      const error = await runs(body);
      assert.equal(error.code, "pack-threw");
      assert.match(error.message, why);
      assert.match(error.message, /cannot be sent as JSON/);
    }
  });

  it("a flood of console output is capped", async () => {
    const pack = await open(packWith("for (let i = 0; i < 50_000; i++) console.log(i); return 'done'"));
    let lines = 0;
    const execution = await pack.execute({ kind: "formula", name: "Try" }, [], context, {
      fetch: async () => ({ name: "Error", message: "no" }),
      console: () => void lines++,
    });
    pack.dispose();
    assert.equal(execution?.value, "done");
    assert.equal(lines, 5_000);
  });

  const spin = "const spin = (): void => void Promise.resolve().then(spin); ";
  it("pack code that keeps running after its formula returned is ended", async () => {
    const pack = await open(packWith(`${spin} spin(); return 'x'`));
    const handlers = { fetch: async () => ({ name: "Error" as const, message: "no" }), console: () => {} };
    await pack.execute({ kind: "formula", name: "Try" }, [], context, handlers, { timeLimit: 4_000 }).catch(() => {});
    assert.deepEqual(await packsThatSpin(), []);
    pack.dispose();
  });
  it("pack code that keeps running after it was loaded is ended before a run", async () => {
    const pack = await open(packWith("return 'x'", `${spin} spin();`));
    assert.deepEqual(await packsThatSpin(), []);
    pack.dispose();
  });

  // What a pack can do to the messages of its own process: each object that becomes JSON is asked for its toJSON first.
  const forge = (message: string): string =>
    `let once = false; (Object.prototype as any).toJSON = function () { if (once) return this; once = true; return ${message} }; `;
  for (const message of readTable("isolation/cases/forged-messages.json", z.array(z.string()))) {
    it(`a forged message fails the run without a crash of the host: ${message}`, async () => {
      const error = await runs(`${forge(message)} console.log('x'); return 'x'`, 3_000);
      assert.match(error.code, /^(process-crashed|pack-threw)$/);
      assert.ok(error.message.length > 0);
    });
  }

  it("an optional parameter without a value is undefined", async () => {
    const pack = await open(packWith("const [a = 'default', b] = args; return a + ' ' + typeof b"));
    const execution = await pack.execute({ kind: "formula", name: "Try" }, [undefined, undefined], context, {
      fetch: async () => ({ name: "Error", message: "no" }),
      console: () => {},
    });
    pack.dispose();
    assert.equal(execution?.value, "default undefined");
  });

  it("a forgotten rejection does not end the run", async () => {
    const body =
      "void Promise.reject(new Error('x')); await context.fetcher.fetch({ method: 'GET', url: 'https://acme.example' }).catch(() => {});";
    const pack = await open(packWith(`${body} return 'fine'`));
    const handlers = { fetch: async () => ({ name: "Error" as const, message: "no" }), console: () => {} };
    const execution = await pack.execute({ kind: "formula", name: "Try" }, [], context, handlers).finally(() => pack.dispose());
    assert.equal(execution?.value, "fine");
  });

  it("a stopped run returns nothing, and the next one works", async () => {
    const pack = await open(packWith("if (!(globalThis as any).second) { (globalThis as any).second = true; for (;;) {} } return 'x'"));
    const abort = new AbortController();
    const handlers = { fetch: async () => ({ name: "Error" as const, message: "no" }), console: () => {} };
    setTimeout(() => abort.abort(), 300);
    assert.equal(await pack.execute({ kind: "formula", name: "Try" }, [], context, handlers, { signal: abort.signal }), undefined);
    const again = pack.execute({ kind: "formula", name: "Try" }, [], context, handlers, { timeLimit: 1_000 });
    assert.equal((await failure(again)).code, "time-limit");
    pack.dispose();
  });
});
