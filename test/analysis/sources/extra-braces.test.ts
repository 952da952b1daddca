// A placeholder with a brace too many: the platform replaces what stands between two, and the third is sent beside the value.
import assert from "node:assert/strict";
import { fixesOf, flaggedBy, packOf } from "../../support/flagged.ts";
import { staySilent } from "../../support/traps.ts";

const KEY = "key-${context.invocationToken}";
const CUSTOM = 'pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });\n';
const sends = (fields: string, before = ""): string =>
  packOf(
    `${CUSTOM}pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, execute: async function ([id], context) { ${before}const answer = await context.fetcher.fetch({ method: "POST", url: "https://acme.example/", ${fields} }); return answer.body; } });`,
  );

/** The source, what is flagged, and what it becomes. */
const WRONG: Readonly<Record<string, readonly [source: string, flaggedText: string, fixed?: string]>> = {
  "in a header": [sends(`headers: { "X-Key": \`{{${KEY}}}}\` }`), `{{${KEY}}}}`, `{{${KEY}}}`],
  "behind a scheme": [sends(`headers: { Authorization: \`Bearer {{${KEY}}}}\` }`), `{{${KEY}}}}`, `{{${KEY}}}`],
  "two too many": [sends(`headers: { "X-Key": \`{{${KEY}}}}}\` }`), `{{${KEY}}}}}`, `{{${KEY}}}`],
  "in a sum": [
    sends('headers: { "X-Key": "{{key-" + context.invocationToken + "}}}" }'),
    '{{key-" + context.invocationToken + "}}}',
    '{{key-" + context.invocationToken + "}}',
  ],
  "in JSON": [sends(`body: JSON.stringify({ key: \`{{${KEY}}}}\` })`), `{{${KEY}}}}`, `{{${KEY}}}`],
  "in an object beside an unknown value": [
    sends(`body: JSON.stringify({ id: id, key: \`{{${KEY}}}}\`, other: id })`),
    `{{${KEY}}}}`,
    `{{${KEY}}}`,
  ],
  "in handwritten JSON": [sends(`body: \`{"key":"{{${KEY}}}}"}\``).replace('{"key":"', '"key":"'), `{{${KEY}}}}`, `{{${KEY}}}`],
  "in a form": [sends(`form: { key: \`{{${KEY}}}}\` }`), `{{${KEY}}}}`, `{{${KEY}}}`],
  "one too many before it": [sends(`headers: { "X-Key": \`{{{${KEY}}}\` }`), `{{{${KEY}}}`, `{{${KEY}}}`],
  "behind a name": [sends('headers: { "X-Key": key }', `const key = \`{{${KEY}}}}\`; `), `{{${KEY}}}}`, `{{${KEY}}}`],
  "of a helper in another file, in JavaScript": [
    `// @file: pack.js
const coda = require("@codahq/packs-sdk");
const { get } = require("./get");
const pack = coda.newPack();
module.exports = { pack };
pack.addNetworkDomain("acme.example");
${CUSTOM}pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: "string", execute: ([], context) => get(context) });
// @file: get.js
exports.get = async (context) => (await context.fetcher.fetch({ method: "GET", url: \`https://acme.example/?key={{${KEY}}}}\` })).body;
`,
    `{{${KEY}}}}`,
  ],
};

describe("a placeholder with an extra brace", () => {
  for (const [name, [source, flaggedText, fixed]] of Object.entries(WRONG)) {
    it(`the extra brace is flagged: ${name}`, () => {
      assert.deepEqual(flaggedBy("placeholder-malformed", source), [`warning ${flaggedText}`]);
    });
    if (fixed !== undefined)
      it(`the fix removes the extra brace: ${name}`, () => {
        assert.deepEqual(Object.values(fixesOf(source, "placeholder-malformed")), [source.replace(flaggedText, () => fixed)]);
      });
  }
});

staySilent("braces beside a placeholder", {
  "a number in JSON": sends(`body: \`{"id":{{${KEY}}}}\``),
  "a number in an object in JSON": sends(`body: \`{"a":{"id":{{${KEY}}}}}\``),
  "JSON in several texts": sends(`body: '{"id":' + \`{{${KEY}}}\` + "}"`),
  "JSON on several lines": sends(`body: \`{\n  "a": \${id},\n  "id": {{${KEY}}}}\``),
  "behind what is not known": sends(`body: \`\${id}{{${KEY}}}}\``),
  "before what is not known": sends(`body: \`{{{${KEY}}}\${id}\``),
  "a text that is put together elsewhere": sends("body", `let body = '{"id":'; body += \`{{${KEY}}}}\`; `),
  "an identifier in braces": sends(`headers: { "X-Id": \`{{{${KEY}}}}\` }`),
  "in a query language": sends(`body: \`query { me(key: "{{${KEY}}}") }\``),
  "in a query of another": sends(`body: \`{me(key:{{${KEY}}}){id}}\``),
  "as it should be": sends(`headers: { "X-Key": \`{{${KEY}}}\` }`),
});
