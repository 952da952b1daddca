// What is only half typed is not judged: TypeScript says that it is unfinished, and what it will be nobody knows yet.
import assert from "node:assert/strict";
import { analyse } from "../../support/analyse.ts";
import { flagged } from "../../support/flagged.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\n`;
const OAUTH2 = `type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t"`;
const formula = (fields: string, body = 'return "";'): string =>
  `pack.addFormula({ name: "F", description: "D.", parameters: [], resultType: coda.ValueType.String, ${fields}execute: async function ([], context) { ${body} } });\n`;

/** By what is typed. */
const UNFINISHED: Readonly<Record<string, string>> = {
  "the name of a type": "pack.setUserAuthentication({ type: coda.AuthenticationType. });\n",
  "the name of a type, above another field":
    'pack.setUserAuthentication({\n  type: coda.AuthenticationType.\n  instructionsUrl: "https://login.acme.example/help",\n});\n',
  "the name of a type, by which formulas ask for scopes": `pack.setUserAuthentication({ type: coda.AuthenticationType. });\n${formula('extraOAuthScopes: ["write"], ')}`,
  "the name of a requirement": `pack.setUserAuthentication({ ${OAUTH2} });\n${formula("connectionRequirement: coda.ConnectionRequirement., ")}`,
  "the name of a step": `pack.setUserAuthentication({ ${OAUTH2}, postSetup: [{ type: coda.PostSetupType., name: "N", description: "D", getOptions: async function (context) { return [{ display: "A", value: "https://login.acme.example" }]; } }] });\n`,
  "a member of the context": `pack.setUserAuthentication({ ${OAUTH2} });\n${formula("", "await context. ")}`,
  "the name of a field": `pack.setUserAuthentication({ ${OAUTH2}, scop });\n`,
  "the name of a param's field":
    'pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key", d }] });\n' +
    formula(
      "",
      'return (await context.fetcher.fetch({ method: "GET", url: `https://acme.example/?k={{key-${context.invocationToken}}}` })).body;',
    ),
  "a field above another":
    'pack.setUserAuthentication({\n  type: coda.AuthenticationType.CustomHeaderToken,\n  tokenPrefix: \n  headerName: "X-Key",\n});\n',
  "a template inside a step": `pack.setUserAuthentication({ ${OAUTH2}, postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "N", description: "D", getOptions: async function (context) { const url = \`\${ } }] });\nconst words = \`it must be between 0 and 100\`;\n`,
  "a name of the toolkit, above another field":
    'pack.setUserAuthentication({\n  type: coda.\n  instructionsUrl: "https://login.acme.example/help",\n});\n',
  "a name of the toolkit, above params":
    'pack.setUserAuthentication({\n  type: coda.\n  params: [{ name: "key", description: "Key" }],\n});\n',
  "a name of the toolkit": "pack.setUserAuthentication({ type: coda. });\n",
};

/** Nothing beside what is said of the place itself. */
const TO_FILL_IN: Readonly<Record<string, readonly [source: string, rule: string]>> = {
  "a domain, beside the platform's own token": [
    'pack.setUserAuthentication({ type: coda.AuthenticationType.CodaApiHeaderBearerToken });\npack.addNetworkDomain("");\n',
    "network-domain-form",
  ],
  "a domain, beside an endpoint's": [
    'pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, requiresEndpointUrl: true, endpointDomain: "acme.example" });\npack.addNetworkDomain("");\n',
    "network-domain-form",
  ],
  "a domain, beside one that is chosen": [
    'pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, networkDomain: "acme.example" });\npack.addNetworkDomain("");\n',
    "network-domain-form",
  ],
  "a second domain": [
    'pack.addNetworkDomain("acme.example");\npack.addNetworkDomain("");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });\n',
    "network-domain-form",
  ],
  "a param's name": [
    `pack.addNetworkDomain("acme.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "", description: "D" }] });\n${formula("", 'const key = Buffer.from(`{{key-${context.invocationToken}}}`).toString("base64"); return (await context.fetcher.fetch({ method: "GET", url: "https://acme.example", headers: { "X-Key": key, "X-Count": `${Buffer.from("1").toString("base64")}` } })).body;')}`,
    "field-empty",
  ],
};

describe("blanks to fill in", () => {
  for (const [name, [source, rule]] of Object.entries(TO_FILL_IN))
    it(`the blank alone is reported: ${name}`, () => {
      const file = "/pack/pack.ts";
      const text = HEAD.replace(/pack\.addNetworkDomain.*\n/, "") + source;
      const findings = analyse({ [file]: text }, { toolkit: true }).diagnostics(file);
      assert.deepEqual(
        findings.map((diagnostic) => diagnostic.rule),
        [rule],
        findings.map(({ message }) => message).join("\n"),
      );
    });
});

describe("half-typed code", () => {
  for (const [name, source] of Object.entries(UNFINISHED))
    for (const toolkit of [false, true])
      it(`${name} is not flagged, ${toolkit ? "with the toolkit" : "without a toolkit"}`, () => {
        assert.deepEqual(flagged(HEAD + source, { toolkit }), []);
      });

  it("a shorthand of an existing variable is reported as an unknown field", () => {
    const source = `${HEAD}const scop = ["a"];\npack.setUserAuthentication({ ${OAUTH2}, scop });\n`;
    assert.deepEqual(flagged(source), ["error field-unknown: scop"]);
  });

  it("a half-typed enum with a value gets the full name as its fix", () => {
    const source = `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationT });\n`;
    const [finding] = analyse({ "/pack/pack.ts": source }, { toolkit: true }).diagnostics("/pack/pack.ts");
    assert.match(finding?.message ?? "", /^Did you mean AuthenticationType\?/);
  });
});
