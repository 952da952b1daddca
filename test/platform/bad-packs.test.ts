// Packs that do not parse, bundle, load, end or behave: each gets one clear error, and the host goes on.
import assert from "node:assert/strict";
import type { PackAuthError } from "../../platform/errors.ts";
import { openPack } from "../../platform/pack.ts";
import type { ProcessLimits } from "../../platform/process.ts";
import { packFiles, packWith, removePackFiles } from "../support/pack-file.ts";
import { runner } from "../support/packs.ts";

const context = { invocationToken: "t", timezone: "UTC", invocationLocation: { protocolAndHost: "https://coda.io" } };
const open = (entry: string, limits: Partial<ProcessLimits> = {}) =>
  openPack(entry, { process: { runner, node: process.execPath, limits } });

async function failure(work: Promise<unknown>): Promise<PackAuthError> {
  try {
    await work;
  } catch (error) {
    return error as PackAuthError;
  }
  throw new Error("it did not fail");
}

/** Runs the body and gives the error, and how far the host's own event loop lagged meanwhile. */
async function runs(
  body: string,
  options: { limits?: Partial<ProcessLimits>; timeLimit?: number } = {},
): Promise<{ error: PackAuthError; lag: number }> {
  const pack = await open(packWith(body), options.limits);
  let lag = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    lag = Math.max(lag, performance.now() - last - 10);
    last = performance.now();
  }, 10);
  try {
    const error = await failure(
      pack.execute(
        { kind: "formula", name: "Try" },
        [],
        context,
        { fetch: async () => ({ name: "Error", message: "no" }), console: () => {} },
        { timeLimit: options.timeLimit ?? 10_000 },
      ),
    );
    return { error, lag };
  } finally {
    clearInterval(watch);
    pack.dispose();
  }
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

  it("imports what is not installed: the error names the command", async () => {
    const error = await failure(open(packFiles({ "pack.ts": 'import x from "not-installed";\nexport const pack = x;\n' })));
    assert.equal(error.code, "pack-does-not-bundle");
    assert.match(error.hint ?? "", /npm install not-installed/);
  });

  it("has no toolkit: the error names the command", async () => {
    const error = await failure(open(packFiles({ "pack.ts": "export const pack = {};\n" }, { toolkit: false })));
    assert.equal(error.code, "toolkit-missing");
    assert.match(error.hint ?? "", /npm install @codahq\/packs-sdk/);
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

  it("never finishes loading", async () => {
    const error = await failure(open(packFiles({ "pack.ts": "for (;;) {}\nexport const pack = 1;\n" }), { loadTime: 2_000 }));
    assert.equal(error.code, "time-limit");
  });

  it("throws: the error names the source line, and a missing global is explained", async () => {
    const thrown = await runs("\n\nthrow new Error('mine');");
    assert.equal(thrown.error.code, "pack-threw");
    assert.match(thrown.error.stackFrames?.[0]?.location?.path ?? "", /pack\.ts$/);
    assert.match((await runs("setTimeout(() => {}, 1); return ''")).error.message, /the platform's runtime has no setTimeout either/);
  });

  for (const [name, body, code] of [
    ["an endless loop", "for (;;) {}", "time-limit"],
    ["a promise that never settles", "await new Promise(() => {})", "time-limit"],
    ["an endless microtask loop", "const spin = (): any => Promise.resolve().then(spin); await spin()", "time-limit"],
    ["a heap bomb", "const all: any[] = []; for (;;) all.push(new Array(1000).fill({}))", "memory-limit"],
    ["an ArrayBuffer bomb", "const all: any[] = []; for (;;) { all.push(new Uint8Array(20_000_000).fill(1)) }", "memory-limit"],
    ["a giant result", "return 'x'.repeat(80_000_000)", "output-limit"],
    ["deep recursion", "const dive = (n: number): number => dive(n + 1) + 1; return dive(0)", "pack-threw"],
  ] as const) {
    it(`${name} is stopped, and the host does not stall`, async () => {
      const { error, lag } = await runs(body, { timeLimit: code === "time-limit" ? 1_500 : 30_000 });
      assert.equal(error.code, code, error.message);
      // A guard against hanging; the figure itself is looked at in the bench.
      assert.ok(lag < 2_000, `the host lagged ${lag} ms`);
    });
  }

  it("a flood of console output is capped", async () => {
    const pack = await open(packWith("for (let i = 0; i < 50_000; i++) console.log(i); return 'done'"));
    let lines = 0;
    const answer = await pack.execute({ kind: "formula", name: "Try" }, [], context, {
      fetch: async () => ({ name: "Error", message: "no" }),
      console: () => void lines++,
    });
    pack.dispose();
    assert.equal(answer?.value, "done");
    assert.equal(lines, 5_000);
  });

  it("an optional parameter that was left out is undefined, as on the platform", async () => {
    const pack = await open(packWith("const [a = 'default', b] = args; return a + ' ' + typeof b"));
    const answer = await pack.execute({ kind: "formula", name: "Try" }, [undefined, undefined], context, {
      fetch: async () => ({ name: "Error", message: "no" }),
      console: () => {},
    });
    pack.dispose();
    assert.equal(answer?.value, "default undefined");
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
