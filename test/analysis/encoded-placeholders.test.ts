// A placeholder that is encoded before it is sent: the platform looks for it in the request, and does not find it.
import assert from "node:assert/strict";
import { flaggedBy, packOf } from "../support/flagged.ts";
import { staySilent } from "../support/traps.ts";

const PAIR = "`{{user-${context.invocationToken}}}:{{key-${context.invocationToken}}}`";
const CUSTOM =
  'pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "user", description: "User" }, { name: "key", description: "Key" }] });\n';
const sends = (header: string, before = "", auth = CUSTOM): string =>
  packOf(
    `${auth}pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, execute: async function ([id], context) { ${before}const answer = await context.fetcher.fetch({ method: "GET", url: "https://acme.example/", headers: { Authorization: ${header} } }); return answer.body; } });`,
  );

const WRONG: Readonly<Record<string, readonly [source: string, flaggedText: string]>> = {
  "by a Buffer": [sends(`"Basic " + Buffer.from(${PAIR}).toString("base64")`), `Buffer.from(${PAIR}).toString("base64")`],
  "in a template": [
    sends(`\`Basic \${Buffer.from(${PAIR}, "utf8").toString("base64")}\``),
    `Buffer.from(${PAIR}, "utf8").toString("base64")`,
  ],
  "by btoa": [sends(`"Basic " + btoa(${PAIR})`), `btoa(${PAIR})`],
  "behind names": [
    sends('"Basic " + encoded', `const pair = ${PAIR}; const encoded = Buffer.from(pair).toString("base64"); `),
    'Buffer.from(pair).toString("base64")',
  ],
  "in a sum": [
    sends('"Basic " + btoa("{{user-" + context.invocationToken + "}}:x")'),
    'btoa("{{user-" + context.invocationToken + "}}:x")',
  ],
  "in the URL": [
    packOf(
      `${CUSTOM}export const a = (context) => context.fetcher.fetch({ method: "GET", url: \`https://acme.example/?auth=\${btoa(${PAIR})}\` });`,
    ),
    `btoa(${PAIR})`,
  ],
  "in another file, in JavaScript": [
    `// @file: pack.js
const coda = require("@codahq/packs-sdk");
const { get } = require("./get");
const pack = coda.newPack();
module.exports = { pack };
pack.addNetworkDomain("acme.example");
${CUSTOM}pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: "string", execute: ([], context) => get(context) });
// @file: get.js
exports.get = async (context) => {
  const headers = { Authorization: "Basic " + btoa(${PAIR}) };
  return (await context.fetcher.fetch({ method: "GET", url: "https://acme.example/", headers })).body;
};
`,
    `btoa(${PAIR})`,
  ],
};

describe("encoded placeholders", () => {
  for (const [name, [source, flaggedText]] of Object.entries(WRONG))
    it(`the encoded placeholder is flagged: ${name}`, () => {
      assert.deepEqual(flaggedBy("placeholder-malformed", source), [`warning ${flaggedText}`]);
    });
});

const PARAM_USE = `export const url = (context) => \`https://acme.example/\${${PAIR}}\`;\n`;
staySilent("what is encoded", {
  "a parameter": `${sends('"Basic " + btoa(id)')}${PARAM_USE}`,
  "beside a placeholder": `${sends(`\`Basic \${btoa(id)}:\${${PAIR}}\``)}`,
  "a text that is not sent": `${packOf(CUSTOM)}export const log = (context) => btoa(${PAIR});\n`,
  "by a function of one's own": `import { encode } from "our-codecs";\n${sends(`"Basic " + encode(${PAIR})`)}`,
  "in hexadecimal": sends(`"Basic " + Buffer.from(${PAIR}).toString("utf8")`),
  "the token alone, as an id": `${sends("btoa(context.invocationToken)", "", CUSTOM).replace("Authorization", '"X-Request-Id"')}${PARAM_USE}`,
});
