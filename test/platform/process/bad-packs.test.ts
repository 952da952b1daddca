// Packs that do not parse, bundle, load, or behave: each gets one clear error, and the host goes on. What attacks on purpose: denial.test.ts.
import assert from "node:assert/strict";
import { basename } from "node:path";
import type { PackAuthError } from "../../../platform/errors.ts";
import { openPack } from "../../../platform/process/pack.ts";
import { packFiles, packWith, removePackFiles } from "../../support/pack-file.ts";
import { processorTime } from "../../support/pack-processes.ts";
import { runner } from "../../support/packs.ts";

const context = { invocationToken: "t", timezone: "UTC", invocationLocation: { protocolAndHost: "https://coda.io" } };
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

describe("bad packs", function () {
  this.timeout(60_000);
  after(removePackFiles);

  it("does not exist", async () => {
    assert.equal((await failure(open("nowhere/pack.ts"))).code, "pack-not-found");
  });

  it("does not parse: the error names the line", async () => {
    const error = await failure(open(packFiles({ "pack.ts": "export const pack = {\n  (((\n" })));
    assert.equal(error.code, "pack-does-not-bundle");
    assert.equal(error.location?.line, 1);
  });

  it("throws while it loads, as CommonJS: the stack is the pack's own, without what builds it", async () => {
    const entry = packFiles({ "pack.ts": "", "pack.js": "const f = () => { throw new Error('no'); };\nf();\nexports.pack = {};\n" });
    const error = await failure(open(entry.replace(/ts$/, "js")));
    assert.deepEqual(
      error.stackFrames?.map(({ location }) => `${basename(location?.path ?? "")}:${(location?.line ?? 0) + 1}`),
      ["pack.js:1", "pack.js:2", "pack.js:1"].slice(0, error.stackFrames?.length),
    );
    assert.ok((error.stackFrames?.length ?? 0) >= 2 && !JSON.stringify(error.stackFrames).includes("pack-auth:"));
  });

  it("imports what is not installed: the error names the command", async () => {
    const error = await failure(open(packFiles({ "pack.ts": 'import x from "not-installed";\nexport const pack = x;\n' })));
    assert.equal(error.code, "pack-does-not-bundle");
    assert.match(error.hint ?? "", /npm install not-installed/);
  });

  it("imports a client for HTTP that is not installed: the error names the platform's own", async () => {
    const error = await failure(open(packFiles({ "pack.ts": 'import got from "got";\nexport const pack = got;\n' })));
    assert.equal(error.code, "pack-does-not-bundle");
    assert.equal(error.hint, "Use context.fetcher.fetch. got has no network in the platform's runtime.");
  });

  it("has no toolkit: the error names the command", async () => {
    const error = await failure(open(packFiles({ "pack.ts": "export const pack = {};\n" }, { toolkit: false })));
    assert.equal(error.code, "toolkit-missing");
    assert.match(error.hint ?? "", /npm install --save-dev @codahq\/packs-sdk/);
  });

  it("has a toolkit that is only half installed: the error names the command", async () => {
    const files = { "pack.ts": "export const pack = {};\n", "node_modules/@codahq/packs-sdk/package.json": "{" };
    const error = await failure(open(packFiles(files, { toolkit: false })));
    assert.equal(error.code, "toolkit-missing");
    assert.match(error.hint ?? "", /: npm install$/);
  });

  it("has its toolkit in an archive of Yarn's: the error says how to take it out", async () => {
    const error = await failure(open(packFiles({ "pack.ts": "export const pack = {};\n", ".pnp.cjs": "" }, { toolkit: false })));
    assert.equal(error.code, "toolkit-missing");
    assert.match(error.hint ?? "", /nodeLinker: node-modules.*yarn install/);
    assert.equal(error.remedies, undefined);
  });

  it("throws while loading: the error names the source line", async () => {
    const error = await failure(
      open(packFiles({ "pack.ts": 'import "./other";\nexport const pack = 1;\n', "other.ts": "\n\nthrow new Error('too early');\n" })),
    );
    assert.equal(error.code, "pack-throws-while-loading");
    assert.match(error.message, /too early/);
    assert.match(error.stackFrames?.[0]?.location?.path ?? "", /other\.ts$/);
    assert.equal(error.stackFrames?.[0]?.location?.line, 2);
  });

  it("exports no pack", async () => {
    assert.equal((await failure(open(packFiles({ "pack.ts": "export const other = 1;\n" })))).code, "pack-not-exported");
  });

  it("throws: the error names the source line, and a missing global is explained", async () => {
    const thrown = await runs("\n\nthrow new Error('mine');");
    assert.equal(thrown.code, "pack-threw");
    assert.match(thrown.stackFrames?.[0]?.location?.path ?? "", /pack\.ts$/);
    assert.match((await runs("setTimeout(() => {}, 1); return ''")).message, /the platform's runtime has no setTimeout either/);
  });

  it("asks for the network past the platform: the error names the way", async () => {
    assert.match(
      (await runs("await fetch('https://acme.example'); return ''")).message,
      /: use context\.fetcher\.fetch, .* has no fetch either$/,
    );
    // As axios throws it.
    const axios = "There is no suitable adapter to dispatch the request since :\\n- adapter xhr is not supported by the environment";
    assert.match((await runs(`throw new Error("${axios}");`)).message, /environment\nUse context\.fetcher\.fetch\. /);
  });

  it("gives a result that is no JSON: the error says why", async () => {
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
  it("pack code that goes on after its formula returned is ended", async () => {
    const pack = await open(packWith(`${spin} spin(); return 'x'`));
    const handlers = { fetch: async () => ({ name: "Error" as const, message: "no" }), console: () => {} };
    await pack.execute({ kind: "formula", name: "Try" }, [], context, handlers, { timeLimit: 4_000 }).catch(() => {});
    assert.deepEqual(await packsThatSpin(), []);
    pack.dispose();
  });
  it("pack code that goes on after it was loaded is ended, before anything runs", async () => {
    const pack = await open(packWith("return 'x'", `${spin} spin();`));
    assert.deepEqual(await packsThatSpin(), []);
    pack.dispose();
  });

  // What a pack can do to the messages of its own process: each object that becomes JSON is asked for its toJSON first.
  const forge = (message: string): string =>
    `let once = false; (Object.prototype as any).toJSON = function () { if (once) return this; once = true; return ${message} }; `;
  for (const message of [
    "{ type: 'failed', id: 1, error: { name: 'Error', message: 'x', stack: 5 } }",
    "{ type: 'failed', id: 1, error: { name: 1, message: null } }",
    "{ type: 'failed', id: 1 }",
    "{ type: 'failed', id: 1, error: { name: 'E', message: 'x', stack: 'at f (pack-bundle.js:0:0)\\n at f (pack-bundle.js:99999999999:1)' } }",
    "{ type: 'console', executionId: 1 }",
    "{ type: 'console', entry: { time: 'now', level: 'shout', message: {} } }",
    "{ type: 'fetch', executionId: 1, fetchId: 1 }",
    "{ type: 'fetch', executionId: 1, fetchId: 1, request: null }",
    "{ type: 'fetch', executionId: 1, fetchId: 1, request: { method: 'POST', url: 'https://example.com', body: 5, headers: [] } }",
    "{ type: 'storeBlob', executionId: 1, fetchId: 1, request: {} }",
    "{ type: 'succeeded', id: '1', value: 1 }",
    "{ type: 'loaded', definition: { formulas: 'none' } }",
    "{ type: 'nothing' }",
    "[]",
    "null",
  ]) {
    it(`sends a message of its own making: ${message}`, async () => {
      const error = await runs(`${forge(message)} console.log('x'); return 'x'`, 3_000);
      assert.match(error.code, /^(process-crashed|pack-threw)$/);
      assert.ok(error.message.length > 0);
    });
  }

  it("an optional parameter that was left out is undefined, as on the platform", async () => {
    const pack = await open(packWith("const [a = 'default', b] = args; return a + ' ' + typeof b"));
    const execution = await pack.execute({ kind: "formula", name: "Try" }, [undefined, undefined], context, {
      fetch: async () => ({ name: "Error", message: "no" }),
      console: () => {},
    });
    pack.dispose();
    assert.equal(execution?.value, "default undefined");
  });

  it("a rejection that the pack forgot ends nothing", async () => {
    const body =
      "void Promise.reject(new Error('x')); await context.fetcher.fetch({ method: 'GET', url: 'https://acme.example' }).catch(() => {});";
    const pack = await open(packWith(`${body} return 'fine'`));
    const handlers = { fetch: async () => ({ name: "Error" as const, message: "no" }), console: () => {} };
    const execution = await pack.execute({ kind: "formula", name: "Try" }, [], context, handlers).finally(() => pack.dispose());
    assert.equal(execution?.value, "fine");
  });

  it("a run that is stopped gives nothing, and the next one works", async () => {
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
