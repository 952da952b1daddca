// Sources made of one structure over and over: nested, in rows, in chains of names, in circles of files. Small ones show what grows
// exponentially, large ones what grows with the square.
import type { Random } from "./random.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n';

/** What stands around an expression, to be nested. */
const AROUND: readonly (readonly [before: string, after: string])[] = [
  ["(", ")"],
  ["[", "]"],
  ["[...", "]"],
  ["{ a: ", " }"],
  ["{ ...", " }"],
  ["{ [", "]: 1 }"],
  ["{ type: coda.AuthenticationType.Custom, params: [", "] }"],
  ["{ url: ", " }"],
  ["f(", ")"],
  ["f(x, ", ")"],
  ["f(() => ", ")"],
  ["() => ", ""],
  ["async () => { return ", "; }"],
  ["function () { return ", "; }"],
  ["(function (a) { const b = a; b.c = 1; return ", "; })()"],
  ["x ? ", " : y"],
  ["x ? y : ", ""],
  ["x && ", ""],
  ["x ?? ", ""],
  ["x + ", ""],
  ["", " + x"],
  ["`a${", "}b`"],
  ["`{{key-${", "}}}`"],
  ["await ", ""],
  ["!", ""],
  ["-", ""],
  ["new A(", ")"],
  ["", ".a"],
  ["", "[0]"],
  ["", "()"],
  ["", " as any"],
  ["", "!"],
  ["<any>", ""],
  ["f<", ">(x)"],
  ["Object.assign({}, ", ")"],
  ["Object.freeze(", ")"],
  ["[", '].join("/")'],
  ['"a".concat(', ")"],
  ["coda.withQueryParams(", ', { a: "b" })'],
  ["JSON.stringify(", ")"],
  ["Buffer.from(", ').toString("base64")'],
  ["encodeURIComponent(", ")"],
  ['context.fetcher.fetch({ method: "GET", url: ', " })"],
  ["class { a = ", "; }"],
  ["class { static { ", "; } }"],
  ["(a = ", ")"],
  ["(a, ", ")"],
  ["<div>", "</div>"],
  ["/* a */", "// b\n"],
];

/** Statements that hold a statement. */
const HOLDING: readonly (readonly [before: string, after: string])[] = [
  ["{ ", " }"],
  ["if (x) { ", " }"],
  ["if (x) ", ""],
  ["if (x) y; else ", ""],
  ["for (const a of b) { ", " }"],
  ["while (x) ", ""],
  ["try { ", " } finally { y; }"],
  ["try { y; } catch { ", " }"],
  ["switch (x) { case 1: ", " }"],
  ["function f(a) { ", " return a; }"],
  ["async function f(a, context) { ", " await context.fetcher.fetch({ url: a }); }"],
  ["const f = (a) => { ", " return a; };"],
  ["namespace N { ", " }"],
  ["class A { m() { ", " } }"],
  ["label: ", ""],
  ["function f(pack) { ", " pack.addNetworkDomain(a); }"],
];

/** In rows; `#` is the number of the piece, `<` that of the one before it. */
const ROWS: readonly string[] = [
  "const a# = a<;\n",
  "const a# = [a<, a<];\n",
  "const a# = [...a<, ...a<];\n",
  "const a# = { ...a<, ...a< };\n",
  "const a# = { a: a<, b: a< };\n",
  "const a# = a< + a<;\n",
  "const a# = `${a<}${a<}`;\n",
  "const a# = x ? a< : a<;\n",
  "const a# = x ? a< : [a<];\n",
  "const a# = a< ?? a<;\n",
  "const a# = f(a<, a<);\n",
  "const a# = a<[a<];\n",
  "const a# = { [a<]: a< };\n",
  "const { a: a#, b: b# } = a<;\n",
  "const [a#, ...b#] = a<;\n",
  "let a# = a<; a# = a<;\n",
  "const a# = a<; a#.v = a<;\n",
  "const a# = a<; a#.push(a<);\n",
  "const a# = { a: 1 }; a.b = a#; a#.b = a;\n",
  "a.push({ b: # });\n",
  "a.b# = #;\n",
  "a.b.c = a;\n",
  "Object.assign(a, { b#: # });\n",
  "f#(a);\n",
  "function f#(x) { return f<(x) + f<(x); }\n",
  "function f#(x) { return f<(f<(x)); }\n",
  "function f#(x) { return [f<(x), f<(x)]; }\n",
  "function f#(x) { return { a: f<(x), b: f<(x) }; }\n",
  "function f#(x) { return { ...f<(x), ...f<(x) }; }\n",
  "function f#(x) { return x ? f<(x) : f<(x); }\n",
  "function f#(x) { return `${f<(x)}${f<(x)}`; }\n",
  "function f#() { return f<() + f<(); }\n",
  "function f#() { return `${f<()}/${f<()}`; }\n",
  "const f# = () => f<() + f<();\n",
  "function f#(b) { const a = b; a.v = 1; return a; }\n",
  "function f#(context, url) { f<(context, url); return f<(context, url + '/'); }\n",
  "async function f#(context, url) { await f<(context, url); return context.fetcher.fetch({ method: 'GET', url: url + '/' }); }\n",
  "async function f#(context, a) { return context.fetcher.fetch({ method: 'GET', url: `https://example.com/${a}/#` }); }\n",
  "function f#(pack, config) { f<(pack, config); f<(pack, config); pack.setUserAuthentication(config); }\n",
  "function f#(pack) { pack.addNetworkDomain('a#.example.com'); f<(pack); }\n",
  "pack.addNetworkDomain('a#.example.com');\n",
  "pack.addNetworkDomain(a);\n",
  "pack.addNetworkDomain('https://a#.example.com/');\n",
  "pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: 'a#', description: '' }] });\n",
  "pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: 'http://a#.example', tokenUrl: 'x', scopes: ['a b'] });\n",
  "pack.setUserAuthentication({ type: coda.AuthenticationType.Nope, a#: 1 });\n",
  "pack.setUserAuthentication(a);\n",
  "pack.addFormula({ name: 'F#', description: '', parameters: [], resultType: coda.ValueType.String, execute: async ([], context) => (await context.fetcher.fetch({ method: 'GET', url: 'https://a#.example.org/{{key-' + context.invocationToken + '}}' })).body });\n",
  "pack.addFormula({ name: 'F#', execute: async ([], context) => f<(context, 'https://a#.example.org') });\n",
  "pack.addSyncTable({ name: 'T#', identityName: 'T#', schema: a, formula: { name: 'T#', execute: async ([], context) => context.fetcher.fetch({ url: a }) } });\n",
  "const b# = `{{key#-${context.invocationToken}}}`;\n",
  "const b# = '{{key#}}';\n",
  "const b# = '{{';\n",
  "const b# = '{{ a }} }} {{';\n",
  "const token# = 'ghp_0123456789abcdefghij0123456789abcdef';\n",
  "// pack-auth-disable-next-line field-unknown\n",
  "// pack-auth-disable-next-line field-unknown, field-missing, url-invalid -- reason\na;\n",
  "/* pack-auth-disable */\n",
  "/* pack-auth-enable */\n",
  "import { a# } from './a#';\n",
  "import { a } from './a';\n",
  "import coda#, * as all# from '@codahq/packs-sdk';\n",
  "import { a } from './a';\nimport { b } from './b';\n",
  "export { a# } from './a';\n",
  "export * from './a';\n",
  "export * from './a#';\n",
  "export const a# = a<;\n",
  "export const pack# = coda.newPack();\n",
  "exports.a# = exports.a<;\n",
  "module.exports = { ...module.exports, a#: 1 };\n",
  "const a# = require('./a#');\n",
  "enum E# { A = 'a', B = 1 }\n",
  "enum E { A# = 'a' }\n",
  "class A# extends A< { static readonly a = A<.a; m() { return this.m(); } }\n",
  "interface I# extends I< { a: I<; }\n",
  "type T# = T< | T<;\n",
  "namespace N { export const a# = a<; }\n",
  "type T# = { [K in keyof T<]: T<[K] };\n",
  "label#: for (;;) break label#;\n",
  "a;\n",
  ";",
  "a#(",
  "a,",
  "{",
  "}",
  "(",
  "[",
  "<",
  "a<",
  "`",
  "${",
  "`${",
  "'",
  '"',
  "/",
  "/*",
  "//\n",
  "/* */",
  "*/",
  "\n",
  "\r",
  "\r\n",
  " ",
  "\t",
  "\u00a0",
  "\u2028",
  "\0",
  "a",
  "0",
  "#",
  "@a ",
  "=>",
  "a=>",
  "(a)=>",
  "async ",
  "await ",
  "type ",
  "keyof ",
  "unique ",
  "export ",
  "import ",
  "import(",
  "import a from ",
  "export default ",
  "declare ",
  "abstract ",
  "function ",
  "function(",
  "class ",
  "class{",
  "new ",
  "a.",
  "a?.",
  "a!",
  "a ? ",
  "a ? b : ",
  "a as ",
  "a satisfies ",
  "<a>",
  "</a>",
  "a<b,",
  "a || ",
  "a ?? ",
  "a = ",
  "a + ",
  "...",
  "[a",
  "{a",
  "{a:",
  "({a:",
  "({...",
  "f(",
  "f(a,",
  "if(a)",
  "for(;;)",
  "do ",
  "while(a)",
  "try{",
  "switch(a){case b:",
  "case a:",
  "else ",
  "return ",
  "\\u0061",
  "/a/",
  "/[",
  "/(a+)+/",
  "0x",
  "1_",
  "<<<<<<< a\n",
  "<!--",
  "#!a\n",
  "export const pack ",
  "exports pack ",
  "export a ",
  "newPack",
  "context",
  "(context",
  "fetch",
  "fetch(",
  "fetcher ",
  "fetcher: ",
  "context, ctx",
  "enum ConnectionRequirement {",
  "pack.setUserAuthentication({",
  "pack.setUserAuthentication(",
  "{{",
  "}}",
  "'{{' +",
  "https://",
  "'https://' + ",
  "${1:a}",
  "is",
  "check",
  "valid(",
  "import {",
  "import { a",
  "from '",
  "x: { type: ",
];

/** Where a value is put, so that somebody looks at it. */
const SINKS: readonly ((value: string) => string)[] = [
  (value) => `pack.setUserAuthentication(${value});\n`,
  (value) => `pack.setSystemAuthentication(${value});\n`,
  (value) => `pack.setUserAuthentication({ type: ${value} });\n`,
  (value) => `pack.setUserAuthentication({ ...${value} });\n`,
  (value) =>
    `pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: ${value}, tokenUrl: ${value}, scopes: ${value} });\n`,
  (value) => `pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: ${value}, networkDomain: ${value} });\n`,
  (value) =>
    `pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, requiresEndpointUrl: true, getConnectionName: async (context) => ${value}, postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "a", description: "b", getOptions: async (context) => ${value} }] });\n`,
  (value) => `pack.addNetworkDomain(${value});\n`,
  (value) => `pack.addNetworkDomain(...${value});\n`,
  (value) => `for (const a of ${value}) pack.addNetworkDomain(a);\n`,
  (value) => `pack.addFormula(${value});\n`,
  (value) =>
    `pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "" }] });\npack.addFormula({ name: "F", description: "", parameters: [], resultType: coda.ValueType.String, connectionRequirement: ${value}, execute: async function ([x, y], context) { return context.fetcher.fetch({ method: "GET", url: ${value}, headers: ${value} }); } });\n`,
  (value) =>
    `pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\npack.addFormula({ name: "F", description: "", parameters: [], resultType: coda.ValueType.String, execute: async function ([x, y], context) { const url = ${value}; return context.fetcher.fetch({ method: "GET", url }); } });\n`,
  (value) => `export const made = coda.newPack(${value});\n`,
  (value) => `export const manifest = ${value};\n`,
  (value) => `export default ${value};\n`,
  (value) => `const a = ${value};\na.b = 1;\n`,
];

const BETWEEN: readonly (readonly [before: string, after: string])[] = [
  ["", ""],
  ['"', '"'],
  ["`", "`"],
  ["/*", "*/"],
  ["// ", ""],
  ["/", "/"],
  ["`${", "}`"],
  ["[", "]"],
  ["{", "}"],
  ["(", ")"],
  ["function f(context) {", "}"],
  ["function f(", ") {}"],
  ["{ a: '", "' }"],
];

/** Deep enough for what doubles at each level, and no more than a person could have written. */
const LEVELS = [8, 32, 100, 1_000, 100_000];
const SIZES = [2_500, 40_000, 250_000, 1_000_000];

const number = (row: string, index: number): string =>
  row.replaceAll("#", String(index)).replaceAll(/(?<=\b[a-zA-Z]+)<(?=[\W]|$)/g, String(index - 1));

function rows(pieces: readonly string[], size: number): string {
  const lines: string[] = [];
  for (let length = 0, index = 1; length < size; index++)
    for (const piece of pieces) {
      const text = number(piece, index);
      lines.push(text);
      length += text.length;
    }
  return lines.join("");
}

function nested(around: readonly (readonly [string, string])[], levels: number, size: number, inside: string): string {
  const length = around.reduce((sum, [before, after]) => sum + before.length + after.length, 0);
  const times = Math.max(1, Math.min(levels, Math.floor(size / length)));
  const before = around.map(([text]) => text).join("");
  const after = around
    .map(([, text]) => text)
    .reverse()
    .join("");
  return before.repeat(times) + inside + after.repeat(times);
}

export interface Repeated {
  /** In words, for reports. */
  readonly what: string;
  readonly text: string;
}

/** The same seed makes the same. */
export function repeated(random: Random): Repeated {
  const size = random.pick(SIZES);
  const structure = random.pick([inRows, inRows, inside, inside, inStatements, onOneLine])(size, random);
  return { what: `${structure.what}, ${structure.text.length} characters`, text: HEAD + structure.text };
}

type Make = (size: number, random: Random) => Repeated;

const oneOrTwo = <T>(all: readonly T[], random: Random): readonly T[] =>
  random.oneIn(3) ? [random.pick(all), random.pick(all)] : [random.pick(all)];

/** And somebody who asks for the last of them. */
const inRows: Make = (size, random) => {
  const pieces = oneOrTwo(ROWS, random);
  const most = random.pick([30, 300, Number.POSITIVE_INFINITY]);
  const body = rows(pieces, Math.min(size, most * pieces.join("").length));
  const last = Math.max(0, body.split("\n").length - 1);
  const value = random.pick([`a${last}`, `f${last}(x)`, "a", `f${last}()`, `f${last}(a${last}, x)`]);
  const sink = random.pick(SINKS)(value);
  return { what: `rows of ${JSON.stringify(pieces)} with ${sink}`, text: random.oneIn(4) ? sink + body : body + sink };
};

const inside: Make = (size, random) => {
  const around = oneOrTwo(AROUND, random);
  const levels = random.pick(LEVELS);
  const core = random.pick(["x", '"a"', "{}", "[]", "context.endpoint", "coda.AuthenticationType.OAuth2", ""]);
  const text = random.pick(SINKS)(nested(around, levels, size, core));
  return { what: `${JSON.stringify(around)} nested ${levels} times around ${core}`, text };
};

const inStatements: Make = (size, random) => {
  const around = oneOrTwo(HOLDING, random);
  const levels = random.pick(LEVELS);
  const core = random.pick([random.pick(SINKS)("x"), "a.b = 1;", "return a;", "", random.pick(ROWS)]);
  return { what: `${JSON.stringify(around)} nested ${levels} times around ${core}`, text: nested(around, levels, size, core) };
};

/** Inside a text, a comment, a template or nowhere. */
const onOneLine: Make = (size, random) => {
  const piece = random.pick(ROWS).replaceAll("\n", " ");
  const [before, after] = random.pick(BETWEEN);
  const text = random.pick(SINKS)(before + rows([piece], size) + after);
  return { what: `a line of ${JSON.stringify(piece)} between ${before} and ${after}`, text };
};
