// Small packs written from the specification alone: each way that a rule's text can be violated, and the correct code beside it.
import assert from "node:assert/strict";
import { unasked } from "../../server/analysis/features/fixes/fix-all.ts";
import { analyse } from "../support/analyse.ts";
import { fixesOf, flagged, oauth, packOf } from "../support/flagged.ts";

const auth = (fields: string): string => packOf(`pack.setUserAuthentication({ ${fields} });`);
const BEARER = "type: coda.AuthenticationType.HeaderBearerToken";
const step = (fields: string): string =>
  auth(`${BEARER}, postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "a", description: "b", ${fields} }]`);
const query = (params: string): string =>
  `pack.setUserAuthentication({ type: coda.AuthenticationType.MultiQueryParamToken, params: ${params} });`;
const formula = (fields: string): string =>
  `{ name: "A", description: "a", parameters: [], resultType: coda.ValueType.String, execute: async () => "x", ${fields} }`;
const named = (body: string): string => auth(`${BEARER}, getConnectionName: async (context) => { ${body} }`);

const FLAGGED: Readonly<Record<string, readonly [source: string, ...expected: string[]]>> = {
  "a type that is undefined": [auth("type: undefined"), "error auth-type-missing: type: undefined"],
  "a type that is null": [auth("type: null"), "error auth-type-unknown: null"],
  "a type that is a number": [auth("type: 5"), "error auth-type-unknown: 5"],
  "a type that is right on one condition only": [
    auth("type: dev ? coda.AuthenticationType.WebBasic : coda.AuthenticationType.WebBasics"),
    "error auth-type-unknown: WebBasics",
  ],
  "a setter without an argument": [packOf("pack.setUserAuthentication();"), "error auth-type-missing: setUserAuthentication"],
  "a setter with the type alone": [
    packOf("pack.setUserAuthentication(coda.AuthenticationType.WebBasic);"),
    "error auth-type-missing: setUserAuthentication",
  ],
  "a setter with a list": [packOf(`pack.setSystemAuthentication([{ ${BEARER} }]);`), "error auth-type-missing: setSystemAuthentication"],
  "a blank URL, once": [
    auth('type: coda.AuthenticationType.OAuth2, authorizationUrl: " ", tokenUrl: "https://acme.example/token"'),
    'error field-empty: " "',
  ],
  "relative URLs beside an endpointKey": [
    oauth('requiresEndpointUrl: true, endpointKey: "url"', { authorizationUrl: '"/authorize"', tokenUrl: '"/token"' }),
    'error oauth2-url-form: "/authorize"',
    'error oauth2-url-form: "/token"',
    "information oauth2-manual-endpoint: requiresEndpointUrl",
  ],
  "a member that the enum lacks": [
    oauth("credentialsLocation: coda.TokenExchangeCredentialsLocation.Headers"),
    "warning field-type: coda.TokenExchangeCredentialsLocation.Headers",
  ],
  "a member of another enum": [
    oauth("credentialsLocation: coda.ConnectionRequirement.None"),
    "error field-type: coda.ConnectionRequirement.None",
  ],
  "a step's name that is no string": [
    auth(`${BEARER}, postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: 5, description: "b", getOptions: async () => [] }]`),
    "error field-type: 5",
  ],
  "an entry of a list that is no object": [packOf(query('[{ name: "a", description: "A" }, "b"]')), 'error field-type: "b"'],
  "the parameter that another name gives to scopes": [
    oauth('scopeParamName: "user_scope", additionalParams: { user_scope: "a" }'),
    "error oauth2-reserved-param: user_scope",
  ],
  "an endpoint without a scheme": [
    step('getOptions: async () => [{ display: "A", value: "a.acme.example" }]'),
    'error set-endpoint-incomplete: "a.acme.example"',
  ],
  "an endpoint that is a word": [step('getOptions: async () => ["eu"]'), 'error set-endpoint-incomplete: "eu"'],
  "a destructured promise": [
    named('const { body } = context.fetcher.fetch({ method: "GET", url: "https://acme.example/me" }); return body.name;'),
    "warning connection-name-value: context.fetcher.fetch",
  ],
  "a requirement in the formula of a sync table": [
    packOf(
      `pack.addSyncTable({ name: "A", identityName: "A", schema, formula: ${formula("connectionRequirement: coda.ConnectionRequirement.Required")} });`,
    ),
    "error requirement-without-auth: coda.ConnectionRequirement.Required",
  ],
  "a scope twice, by a list that is spread in": [
    `const SHARED = ["a", "b"];\n${oauth('scopes: [...SHARED, "b"]')}`,
    'warning oauth2-scope-duplicate: "b"',
  ],
  "a param twice, by a list that is spread in": [
    packOf(`const shared = [{ name: "a", description: "A" }];\n${query('[...shared, { name: "a", description: "A" }]')}`),
    'error param-name-invalid: "a"',
  ],
  "a param of a list that is spread in": [
    packOf(`const shared = [{ name: "a" }];\n${query("[...shared]")}`),
    'error field-missing: { name: "a" }',
  ],
  "domains passed as a list": [
    `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain(["acme.example"]);\n`,
    'error network-domain-form: ["acme.example"]',
  ],
  "several domains of a list that is spread": [
    `import * as coda from "@codahq/packs-sdk";\nconst DOMAINS = ["acme.example", "other.example"];\nexport const pack = coda.newPack();\npack.addNetworkDomain(...DOMAINS);\npack.setUserAuthentication({ ${BEARER} });\n`,
    `error network-domain-choice: ${BEARER}`,
  ],
  "a requirement of a formula passed to newPack": [
    `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack({ formulas: [coda.makeFormula(${formula("connectionRequirement: coda.ConnectionRequirement.Required")})] });\n`,
    "error requirement-without-auth: coda.ConnectionRequirement.Required",
  ],
};

const SILENT: Readonly<Record<string, string>> = {
  "URLs that dynamic registration may find": auth("type: coda.AuthenticationType.OAuth2, useDynamicClientRegistration: dynamic"),
  "types that are all right": auth("type: dev ? coda.AuthenticationType.WebBasic : coda.AuthenticationType.HeaderBearerToken"),
  "a configuration from elsewhere": packOf('import { config } from "elsewhere";\npack.setUserAuthentication(config);'),
  "scope, where the scopes are sent by another name": oauth(
    'scopeParamName: "user_scope", scopes: ["a"], additionalParams: { scope: "bot" }',
  ),
  "endpoints that are computed": step("getOptions: async (context) => sites.map((site) => ({ display: site, value: `https://${site}` }))"),
  "a promise that is awaited later": named(
    'const request = context.fetcher.fetch({ method: "GET", url: "https://acme.example/me" }); const { body } = await request; return body.name;',
  ),
  "a list with one that is spread in from elsewhere": packOf(
    `import { more } from "elsewhere";\n${query('[...more, { name: "a", description: "A" }]')}`,
  ),
  "domains of a list from elsewhere": `import * as coda from "@codahq/packs-sdk";\nimport { DOMAINS } from "elsewhere";\nexport const pack = coda.newPack();\npack.addNetworkDomain(...DOMAINS);\npack.setUserAuthentication({ ${BEARER} });\n`,
  "a sync table that needs no account": packOf(
    `pack.addSyncTable({ name: "A", identityName: "A", schema, connectionRequirement: coda.ConnectionRequirement.None, formula: ${formula("")} });`,
  ),
};

describe("the specification's rules", () => {
  for (const [what, [source, ...expected]] of Object.entries(FLAGGED))
    it(`a finding is reported: ${what}`, () => assert.deepEqual(flagged(source), expected));
  for (const [what, source] of Object.entries(SILENT)) it(`no finding is reported: ${what}`, () => assert.deepEqual(flagged(source), []));

  it("the fix of a missing type offers first what the fields fit", () => {
    const source = auth('headerName: "X-Key"');
    assert.equal(Object.keys(fixesOf(source, "auth-type-missing"))[0], "Add type: CustomHeaderToken");
  });

  it("a bare type is put into a configuration", () => {
    const fixes = fixesOf(packOf("pack.setUserAuthentication(coda.AuthenticationType.WebBasic);"), "auth-type-missing");
    assert.deepEqual(Object.values(fixes), [packOf("pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });")]);
  });

  it("a duplicate scope of a spread list is not removed from that list", () => {
    const fixes = fixesOf(`const SHARED = ["a", "b", "b"];\n${oauth("scopes: [...SHARED]")}`, "oauth2-scope-duplicate");
    assert.deepEqual(fixes, {});
  });

  it("a field of an unknown type may be renamed to a field of any type", () => {
    assert.deepEqual(Object.keys(fixesOf(auth('type: chosen(), tokenUr: "https://acme.example/token"'), "field-unknown")), [
      "Rename to tokenUrl",
      "Remove tokenUr",
    ]);
  });

  it("an endpointDomain in capitals is rewritten as the domain that covers it", () => {
    const fixes = fixesOf(auth(`${BEARER}, requiresEndpointUrl: true, endpointDomain: "Eu.ACME.example"`), "endpoint-domain-undeclared");
    assert.deepEqual(Object.keys(fixes), ["Change to eu.acme.example"]);
  });
});

const BARE = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n`;
const CUSTOM = 'type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }]';
const fetching = (url: string): string =>
  `pack.addFormula({ name: "A", description: "a", parameters: [], resultType: coda.ValueType.String, execute: async ([], context) => (await context.fetcher.fetch({ method: "GET", url: ${url} })).body.name });`;

/** Where requests and credentials go, who needs an account, and what users are asked for is for the author to say. */
const DECISIONS: Readonly<Record<string, string>> = {
  "network-domain-missing": `${BARE}pack.setUserAuthentication({ ${BEARER} });\n${fetching('"https://acme.example/me"')}\n`,
  "fetch-host-undeclared": packOf(fetching('"https://other.example/me"')),
  "network-domain-unmatched": auth(`${BEARER}, networkDomain: "api.acme.example"`),
  "endpoint-domain-undeclared": auth(`${BEARER}, requiresEndpointUrl: true, endpointDomain: "other.example"`),
  "requirement-without-auth": packOf(`pack.addFormula(${formula("connectionRequirement: coda.ConnectionRequirement.Required")});`),
  "requirement-never": packOf(
    `pack.setUserAuthentication({ ${BEARER}, defaultConnectionRequirement: coda.ConnectionRequirement.None });\npack.addFormula(${formula("")});`,
  ),
  "placeholder-undeclared": packOf(
    `pack.setUserAuthentication({ ${CUSTOM} });\n${fetching('"https://acme.example/?a={{key-" + context.invocationToken + "}}&b={{other-" + context.invocationToken + "}}"')}`,
  ),
  "set-endpoint-incomplete": auth(`${BEARER}, postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "a", description: "b" }]`),
};

describe("fixes that need the author's decision", () => {
  for (const [rule, source] of Object.entries(DECISIONS))
    it(`the fix of ${rule} is offered, and never made unasked`, () => {
      const findings = analyse({ "/pack/pack.ts": source })
        .diagnostics("/pack/pack.ts")
        .filter((diagnostic) => diagnostic.rule === rule);
      assert.deepEqual(
        findings.map(({ fixes }) => fixes.length),
        [1],
      );
      assert.deepEqual(findings.flatMap(unasked), []);
    });
});
