// Attacks of a pack on the machine and the host that run it. Tests show that each attack is stopped or bounded, and the bench measures how
// long it blocks the host.
import type { ErrorCode } from "../../platform/errors.ts";
import { packFiles } from "./pack-file.ts";

export interface Attack {
  /** The body of a function; `context` is defined if a formula is the attacker. */
  readonly body: string;
  readonly endsWith: ErrorCode;
  /** The attack needs no `await`, so it can be placed wherever pack code is called. */
  readonly anywhere?: boolean;
}

const LOOPING_MODULE = "0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,102,0,0,10,9,1,7,0,3,64,12,0,11,11";

export const ATTACKS: Readonly<Record<string, Attack>> = {
  "an endless loop": { body: "for (;;) {}", endsWith: "time-limit", anywhere: true },
  "an endless loop of microtasks": {
    // Each microtask releases the one before, so the loop consumes time but not memory.
    body: "const spin = (): void => { void Promise.resolve().then(spin); }; spin(); await new Promise(() => {})",
    endsWith: "time-limit",
  },
  "an endless loop in WebAssembly": {
    body: `new (WebAssembly as any).Instance(new (WebAssembly as any).Module(new Uint8Array([${LOOPING_MODULE}]))).exports.f()`,
    endsWith: "time-limit",
  },
  "an endless regular expression": { body: "return /^(a+)+$/.test('a'.repeat(60) + 'b')", endsWith: "time-limit" },
  "waiting for memory that nobody shares": {
    body: "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)",
    endsWith: "time-limit",
  },
  "a promise that never settles": { body: "await new Promise(() => {})", endsWith: "time-limit" },
  "a fetch that never settles": {
    body: "await context.fetcher.fetch({ method: 'GET', url: 'https://example.com/never' })",
    endsWith: "time-limit",
  },
  "a heap bomb": { body: "const all: any[] = []; for (;;) all.push(new Array(1000).fill({}))", endsWith: "memory-limit" },
  "an ArrayBuffer bomb": {
    body: "const all: any[] = []; for (;;) all.push(new Uint8Array(20_000_000).fill(1))",
    endsWith: "memory-limit",
    anywhere: true,
  },
  "a bomb of WebAssembly's memory": {
    body: "const memory = new (WebAssembly as any).Memory({ initial: 1 }); for (;;) { memory.grow(300); new Uint8Array(memory.buffer).fill(1) }",
    endsWith: "memory-limit",
  },
  "a flood of promises": { body: "const all: any[] = []; for (;;) all.push(Promise.resolve([]).then((x) => x))", endsWith: "memory-limit" },
  "a flood of output": { body: "for (;;) console.log('x'.repeat(1000))", endsWith: "time-limit" },
  "a giant result": { body: "return 'x'.repeat(8_000_000)", endsWith: "output-limit" },
  "a result of nothing but brackets": { body: "return Array.from({ length: 1_100_000 }, () => [])", endsWith: "output-limit" },
  "a result of too many parts": {
    body: "return Array.from({ length: 2_000 }, () => 'x'.repeat(10_000))",
    endsWith: "output-limit",
  },
  "a result that nests without end": {
    body: "let list: any[] = []; for (let i = 0; i < 100_000; i++) list = [list]; return list",
    endsWith: "pack-threw",
  },
  "a giant error": {
    body: "const e = new Error('x'.repeat(3_000_000)); e.stack = 'at '.repeat(1_000_000) + ')'; throw e",
    endsWith: "pack-threw",
  },
  "a giant stack": {
    body: "const e = new Error('no'); e.stack = ('    at ' + 'a('.repeat(20_000) + ':1:1\\n').repeat(150); throw e",
    endsWith: "pack-threw",
  },
  "thousands of fetches at a time": {
    body: "await Promise.all(Array.from({ length: 5_000 }, (_, i) => context.fetcher.fetch({ method: 'GET', url: 'https://example.com/' + i })))",
    endsWith: "pack-threw",
  },
  "thousands of fetches that never settle": {
    body: "await Promise.all(Array.from({ length: 20_000 }, (_, i) => context.fetcher.fetch({ method: 'GET', url: 'https://example.com/never' + i })))",
    endsWith: "time-limit",
  },
  "many large requests": {
    body: "const body = 'x'.repeat(10_000_000); for (let i = 0; i < 40; i++) context.fetcher.fetch({ method: 'POST', url: 'https://example.com/', body }).catch(() => {}); await new Promise(() => {})",
    endsWith: "time-limit",
  },
  "requests of nothing but headers": {
    body: "const headers = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => ['h' + i, 'x'.repeat(20)])); for (let i = 0; i < 4; i++) await context.fetcher.fetch({ method: 'GET', url: 'https://example.com/', headers }).catch(() => {}); throw new Error('refused')",
    endsWith: "pack-threw",
  },
  "requests to endless addresses": {
    body: "const url = 'https://example.com/?' + 'a%20b&'.repeat(500_000); for (let i = 0; i < 4; i++) await context.fetcher.fetch({ method: 'GET', url }).catch(() => {}); throw new Error('refused')",
    endsWith: "pack-threw",
  },
  "an end of the process": { body: "(process as any).exit(0)", endsWith: "pack-threw" },
  "a crash": { body: "const b: any = { toJSON() { for (;;) b.x = [b.x, new Array(1e6).fill(1.5)] } }; return b", endsWith: "memory-limit" },
  "a recursion without end": {
    body: "const dive = (n: number): number => dive(n + 1) + 1; return dive(0)",
    endsWith: "pack-threw",
    anywhere: true,
  },
};

/** The places from which pack code is called. Each function returns a formula with the attack at that place. */
export const PLACES: Readonly<Record<string, (name: string, body: string) => string>> = {
  "a getter of the result": (name, body) => formula(name, `return { get value(): any { ${body} } }`),
  "a toJSON of the result": (name, body) => formula(name, `return { toJSON(): any { ${body} } }`),
  "an item of a long result": (name, body) =>
    formula(
      name,
      `const list: any[] = Array.from({ length: 1_000 }, (_, i) => i); list[700] = { get value(): any { ${body} } }; return list`,
    ),
  "an error's getter": (name, body) => formula(name, `throw { get message(): any { ${body} } }`),
  "what an awaited function calls": (name, body) =>
    formula(name, `const inner = async (): Promise<any> => { await null; ${body} }; return await inner()`),
  "a column format": (name, body) =>
    `${formula(name, body)} pack.addColumnFormat({ name: "${name}", instructions: "Tries.", formulaName: "${name}", matchers: [] });`,
  "an autocomplete": (name, body) => `pack.addFormula({ name: "${name}", description: "Tries.", resultType: coda.ValueType.String,
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "text", description: "Text.", autocomplete: async function (): Promise<any> { ${body} } })],
  connectionRequirement: coda.ConnectionRequirement.None, execute: async ([text]) => text });`,
};

export const formula = (name: string, body: string): string =>
  `pack.addFormula({ name: "${name}", description: "Tries.", parameters: [], resultType: coda.ValueType.String, connectionRequirement: coda.ConnectionRequirement.None,
  execute: async function (_: any, context: any): Promise<any> { ${body} } });`;

/** Returns a pack with these statements. */
export const attackingSource = (statements: string): string =>
  `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n${statements}\n`;

export const attackingPack = (statements: string): string => packFiles({ "pack.ts": attackingSource(statements) });
