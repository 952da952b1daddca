// `{{key}}` in what a request sends may be a tag of the API's own templates, and need not be the credential.
import assert from "node:assert/strict";
import { analyse } from "../../support/analyse.ts";
import { fixedUnasked } from "../../support/flagged.ts";

const send = (options: string): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
pack.addFormula({ name: "Send", description: "Sends.", parameters: [], resultType: coda.ValueType.String, execute: async ([], context) => (await context.fetcher.fetch({ method: "POST", ${options} })).body });
`;
const findMalformed = (source: string) =>
  analyse({ "/pack/pack.ts": source })
    .diagnostics("/pack/pack.ts")
    .filter(({ rule }) => rule === "placeholder-malformed")
    .map(({ severity, message }) => `${severity} ${message}`);

describe("a placeholder without the token", () => {
  const URL = 'url: "https://acme.example/mails"';
  const MESSAGE =
    "warning Write {{key-<invocationToken>}} if the credential is meant: two braces, the name, a hyphen, the value of context.invocationToken. {{key}} is sent as it is.";

  it("a placeholder in a body or form is only a warning, and is not rewritten unasked", () => {
    for (const text of ['body: JSON.stringify({ token: "{{key}}" })', 'form: { token: "{{key}}" }', 'body: "<token>{{ key }}</token>"']) {
      const source = send(`${URL}, ${text}`);
      assert.deepEqual(findMalformed(source), [text.includes("{{ key }}") ? MESSAGE.replace("{{key}} is", "{{ key }} is") : MESSAGE], text);
      assert.equal(fixedUnasked(source), source);
    }
  });

  it("a placeholder beside other tags is not flagged", () => {
    for (const html of ["Dear {{name}}, your key is {{key}}.", "{{key}} {{#if paid}}"])
      assert.deepEqual(findMalformed(send(`${URL}, body: JSON.stringify({ html: ${JSON.stringify(html)} })`)), [], html);
  });

  it("a placeholder in a URL or header, or with a literal token, is an error", () => {
    for (const text of [
      'url: "https://acme.example/{{key}}"',
      `${URL}, headers: { "X-Key": "{{key}}" }`,
      `${URL}, body: JSON.stringify({ a: "{{key-invocationToken}}" })`,
    ])
      assert.match(findMalformed(send(text)).join(), /^error Write \{\{key-<invocationToken>\}\}: /, text);
  });
});
