// What pack code must never be able to do, tried from inside a pack, on every Node that the product runs on (security.md 1).
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openPack, type Pack } from "../../platform/pack.ts";
import { startPackProcess } from "../../platform/process.ts";
import { type NodeVersion, nodeVersions } from "../support/nodes.ts";
import { packWith, removePackFiles } from "../support/pack-file.ts";
import { runner } from "../support/packs.ts";

/** Each gives "kept" unless it got out. `reach(value)` looks for the outer realm behind a value. */
const PROBES: Readonly<Record<string, string>> = {
  "process through a constructor of the realm": "return reach(globalThis)",
  "process through the context": "return reach(context)",
  "process through the fetcher": "return reach(context.fetcher) !== 'kept' ? 'out' : reach(context.fetcher.fetch)",
  "process through the promise of a fetch":
    "const p = context.fetcher.fetch({ method: 'GET', url: 'https://example.com' }); p.catch(() => {}); return reach(p)",
  "process through the error of a fetch":
    "try { await context.fetcher.fetch({ method: 'GET', url: 'https://example.com' }) } catch (e) { return reach(e) } return 'no error'",
  "process through a StatusCodeError's response":
    "try { await context.fetcher.fetch({ method: 'GET', url: 'https://example.com/404' }) } catch (e: any) { return reach(e) !== 'kept' ? 'out' : reach(e.response) } return 'no error'",
  "process through the console": "return reach(console.log)",
  "process through crypto": "return reach((globalThis as any).crypto.getRandomValues)",
  "process through an error of crypto":
    "try { (globalThis as any).crypto.getRandomValues(new Uint8Array(70000)) } catch (e) { return reach(e) } return 'no error'",
  "process through a literal import":
    "try { const m = await (0, (globalThis as any).__import ?? ((s: string) => import(/* @vite-ignore */ 'node:fs')))('node:fs'); return m && m.readFileSync ? 'imported' : 'kept' } catch (e) { return reach(e) }",
  "process through a deep stack":
    "function dive(): any { try { return dive() } catch (e) { return (globalThis as any).crypto.getRandomValues(new Uint8Array(8)) && e } } return reach(dive())",
  "process through prepareStackTrace":
    "let found = 'kept'; (Error as any).prepareStackTrace = (_: any, sites: any[]) => { for (const s of sites) { for (const get of ['getThis', 'getFunction']) { try { const v = s[get]?.(); if (v) found = reach(v) === 'kept' ? found : 'out' } catch {} } } return '' }; void new Error().stack; try { (globalThis as any).crypto.getRandomValues(0) } catch (e: any) { void e.stack } return found",
  eval: "try { (0, eval)('1'); return 'evaluated' } catch { return 'kept' }",
  Function: "try { new Function('return 1')(); return 'made' } catch { return 'kept' }",
  "an async function's constructor": "try { (async () => {}).constructor('return 1')(); return 'made' } catch { return 'kept' }",
  "a generator's constructor": "try { (function* () {}).constructor('yield 1')(); return 'made' } catch { return 'kept' }",
  "require of a built-in": "const fs: any = require('fs'); return typeof fs.readFileSync === 'function' ? 'read' : 'kept'",
  child_process:
    "const c: any = require('child_process'); return typeof c.spawn === 'function' || typeof c.execSync === 'function' ? 'spawned' : 'kept'",
  "the environment": "return Object.keys((process as any).env ?? {}).length === 0 ? 'kept' : 'env'",
  "native bindings": "try { return typeof (process as any).binding('fs') === 'object' ? 'bound' : 'kept' } catch { return 'kept' }",
  "timers and network globals":
    "return ['setTimeout','fetch','XMLHttpRequest','WebSocket','Worker','URL','queueMicrotask'].filter((n) => typeof (globalThis as any)[n] !== 'undefined').join() || 'kept'",
  "pollution of the bridge":
    "(Object.prototype as any).toJSON = function () { return reach(this) !== 'kept' ? 'out' : this }; (Array.prototype as any).map = () => ['polluted']; return 'kept'",
  "process through the blob storage":
    "if (reach(context.temporaryBlobStorage) !== 'kept') return 'out'; try { await context.temporaryBlobStorage.storeBlob('no buffer', 'text/plain') } catch (e) { if (reach(e) !== 'kept') return 'out' } try { await context.temporaryBlobStorage.storeUrl('https://example.com/404') } catch (e) { return reach(e) } return 'no error'",
  "process through the logger": "return reach(context.logger)",
  "process through Buffer": "const B: any = (globalThis as any).Buffer; return reach(B) !== 'kept' ? 'out' : reach(B.from('a'))",
  "process through a proxy that is thrown":
    "let busy = false; let found = 'kept'; throw new Proxy(Object.assign(new Error('kept'), { name: 'x' }), { get(t: any, k) { if (!busy) { busy = true; if (reach(arguments) !== 'kept') found = 'out'; busy = false } return k === 'message' ? found : t[k] } })",
  "process through a long list in parts":
    "const list: any[] = Array.from({ length: 1000 }, () => 'kept'); (list as any).slice = function () { return [reach(arguments)] }; const found = { toJSON() { return reach(arguments) } }; list[5] = found; return new Set(list.map((x) => (typeof x === 'string' ? x : x.toJSON()))).size === 1 ? 'kept' : 'out'",
  "what the toolkit's script left behind":
    "return (globalThis as any).__packAuthToolkit === undefined && (globalThis as any).__packAuthExports === undefined ? 'kept' : 'left'",
  "a thenable result": "return { then(resolve: any) { resolve(reach(resolve)) } }",
  "a getter in the result": "return { get value() { return 'x' }, toJSON() { return reach(arguments) } }",
};

const REACH = `
function reach(value: any): string {
  const seen = new Set<any>();
  const queue = [value];
  while (queue.length > 0 && seen.size < 4000) {
    const v = queue.pop();
    if (v === null || (typeof v !== "object" && typeof v !== "function") || seen.has(v)) continue;
    seen.add(v);
    try {
      const F = v.constructor && v.constructor.constructor;
      if (typeof F === "function") { const p = F("return typeof process === 'object' && process.pid && process")(); if (p) return "process"; }
    } catch {}
    try { if (typeof v.mainModule === "object" || typeof v.getBuiltinModule === "function" || typeof v.binding === "function" && v.pid) return "process object"; } catch {}
    let keys: any[] = [];
    try { keys = Reflect.ownKeys(v); } catch {}
    for (const k of keys) { try { const d = Object.getOwnPropertyDescriptor(v, k)!; queue.push(d.value, d.get, d.set); } catch {} }
    try { queue.push(Object.getPrototypeOf(v)); } catch {}
  }
  return "kept";
}`;

const context = {
  invocationToken: "00000000-0000-4000-8000-000000000000",
  timezone: "UTC",
  invocationLocation: { protocolAndHost: "https://coda.io" },
};

for (const node of nodeVersions()) {
  describe(`escapes from a pack, ${node.name}`, function () {
    this.timeout(60_000);
    after(removePackFiles);

    for (const [name, body] of Object.entries(PROBES)) {
      it(name, async () => {
        assert.equal(await attempt(node, body), "kept");
      });
    }

    it("reading a file by any path", async () => {
      const secret = join(dirname(packWith("return ''")), "secret.txt");
      writeFileSync(secret, "canary");
      const body = `for (const name of ["fs", "node:fs", "fs/promises"]) { try { const fs: any = require(name); const text = await (fs.readFileSync ?? fs.readFile)?.(${JSON.stringify(secret)}, "utf8"); if (text === "canary") return text } catch {} } return "kept"`;
      assert.equal(await attempt(node, body), "kept");
      assert.equal(readFileSync(secret, "utf8"), "canary");
    });

    for (const flag of ["--permission", "--experimental-permission", "--disallow-code-generation-from-strings", "--frozen-intrinsics"]) {
      it(`fails closed without ${flag}`, async () => {
        const isOther = (flag === "--permission") === Number(/\d+/.exec(await version(node))?.[0]) < 22;
        if (flag.endsWith("permission") && isOther) return;
        await assert.rejects(
          startPackProcess({ runner, node: node.path, withoutFlags: flag.endsWith("permission") ? [flag, "--allow-fs-read"] : [flag] }),
          { code: "sandbox-layer-missing" },
        );
      });
    }
  });
}

async function version(node: NodeVersion): Promise<string> {
  const process = await startPackProcess({ runner, node: node.path });
  process.dispose();
  return process.selfTest.node;
}

async function attempt(node: NodeVersion, body: string): Promise<unknown> {
  let pack: Pack | undefined;
  try {
    pack = await openPack(packWith(body, REACH), { process: { runner, node: node.path } });
    const answer = await pack.execute({ kind: "formula", name: "Try" }, [], context, {
      fetch: async ({ url }) =>
        url.endsWith("404")
          ? {
              name: "StatusCodeError",
              message: "404",
              response: { status: 404, headers: {}, body: { text: "no" } },
              options: { method: "GET", url },
            }
          : { name: "Error", message: "refused" },
      console: () => {},
    });
    return answer?.value;
  } catch (error) {
    // What a probe throws on purpose says what it found.
    return error instanceof Error ? error.message : error;
  } finally {
    pack?.dispose();
  }
}
