// Placeholders put together in every way that real packs do it: the mistake in each is found, and only that.
import assert from "node:assert/strict";
import { analyse, split } from "../support/analyse.ts";
import { fixesOf, packOf } from "../support/flagged.ts";
import { findsOnly } from "../support/shapes.ts";

const CUSTOM = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
`;

findsOnly("placeholders", {
  "the placeholder by +, over lines, through aliases of the token": [
    `// @file: pack.ts
import * as coda from "@codahq/packs-sdk";
import "./requests";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
// @file: requests.ts
export function a(context) {
  const token = context.invocationToken;
  return "https://example.com/?a=" +
    "{{keyA-" +
    token + "}}";
}
export function b({ invocationToken: t }) {
  return \`{{keyB-\${t}}}\`;
}
export class C {
  url() { return \`{{keyC-\${this.coda.invocationToken}}}\`; }
}
export const d = (ctx) => "{{" + "keyD-" + ctx.invocationToken + "}}";
const KEY = "keyE";
export const e = (ctx) => \`{{\${KEY}-\${ctx.invocationToken}}}\`;
`,
    "requests.ts: placeholder-undeclared keyA",
    "requests.ts: placeholder-undeclared keyB",
    "requests.ts: placeholder-undeclared keyC",
    "requests.ts: placeholder-undeclared keyD",
    "requests.ts: placeholder-undeclared ctx.invocationToken",
  ],
  "the placeholder by concat, join and a helper's argument": [
    `${CUSTOM}export const a = (c) => "{{keyA-".concat(c.invocationToken, "}}");
export const b = (c) => ["{{keyB", c.invocationToken].join("-") + "}}";
export const d = (c) => ["{{", "keyD", "-", c.invocationToken, "}}"].join("");
export const used = (c) => \`{{key-\${c.invocationToken}}}\`;
`,
    "pack.ts: placeholder-undeclared keyA",
    "pack.ts: placeholder-undeclared keyB",
    "pack.ts: placeholder-undeclared keyD",
  ],
  "the placeholder by an alias of an alias, a destructured context, and a token taken from a class": [
    `${CUSTOM}export function a(context) { const token = context.invocationToken; const t = token; return \`{{keyA-\${t}}}\`; }
export const b = ({ invocationToken }) => \`{{keyB-\${invocationToken}}}\`;
export class Api {
  constructor(private coda) {}
  url() { return "{{keyC-" + this.coda.invocationToken + "}}"; }
  other() { const { invocationToken: id } = this.coda; return \`{{keyD-\${id}}}\`; }
}
export const used = (c) => \`{{key-\${c.invocationToken}}}\`;
`,
    "pack.ts: placeholder-undeclared keyA",
    "pack.ts: placeholder-undeclared keyB",
    "pack.ts: placeholder-undeclared keyC",
    "pack.ts: placeholder-undeclared keyD",
  ],
});

describe("shapes of packs: a placeholder inside a longer text", () => {
  it("the placeholder is counted once", () => {
    const source = `${CUSTOM}export const a = (c) => "x".concat(\`{{key-\${c.invocationToken}}}\`, "y") + ["a", \`{{key-\${c.invocationToken}}}\`].join("&");\n`;
    assert.equal(analyse(split(source)).packsOf("/pack/pack.ts")[0]?.placeholders.length, 2);
  });
});

describe("a placeholder without its token, in a text before the request", () => {
  const BEFORE = 'pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });\n';
  const SEND = 'return context.fetcher.fetch({ method: "GET", url });';
  const fixed = (code: string): readonly string[] =>
    Object.values(fixesOf(packOf(`${BEFORE}${code}`), "placeholder-malformed")).map((source) => source.split("\n").slice(4, -1).join("\n"));

  it("the fix adds the token where the request's context is visible", () => {
    assert.deepEqual(fixed(`export const get = async (id, context) => { const url = "https://acme.example/{{key}}/a"; ${SEND} };`), [
      `export const get = async (id, context) => { const url = \`https://acme.example/{{key-\${context.invocationToken}}}/a\`; ${SEND} };`,
    ]);
    assert.deepEqual(fixed(`export async function get(id, context) { const url = \`https://acme.example/\${id}?k={{key}}\`;\n ${SEND} }`), [
      `export async function get(id, context) { const url = \`https://acme.example/\${id}?k={{key-\${context.invocationToken}}}\`;\n ${SEND} }`,
    ]);
  });

  it("the fix is not offered where the context may be another, or missing", () => {
    for (const code of [
      `const url = "https://acme.example/{{key}}/a";\nexport const get = async (context) => { ${SEND} };`,
      `const url = "https://acme.example/{{key}}/a";\nexport class Client { get(context) { ${SEND} } }`,
      `export const get = async (given) => { const url = "https://acme.example/{{key}}/a"; const context = given; ${SEND} };`,
    ])
      assert.deepEqual(fixed(code), [], code);
  });
});
