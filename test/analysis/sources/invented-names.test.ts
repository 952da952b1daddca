// Names that people and generators invent: what they mean is named, what only looks like them is not, and nothing is turned into its opposite unasked.
import assert from "node:assert/strict";
import { analyse } from "../../support/analyse.ts";
import { fixedUnasked, fixesOf, flagged, oauth, packOf } from "../../support/flagged.ts";

const FILE = "/pack/pack.ts";
const typed = (type: string, fields = ""): string =>
  packOf(`pack.setUserAuthentication({ type: coda.AuthenticationType.${type}${fields} });`);
const readMessages = (source: string, rule: string, toolkit = false): readonly string[] =>
  analyse({ [FILE]: source }, { toolkit })
    .diagnostics(FILE)
    .filter((diagnostic) => diagnostic.rule === rule)
    .map(({ message }) => message);
const firstFix = (source: string, rule: string): string | undefined => Object.keys(fixesOf(source, rule))[0];

describe("an invented authentication type", () => {
  for (const [type, fields, intendedType] of [
    ["NoAuth", "", "None"],
    ["NoAuthentication", "", "None"],
    ["Anonymous", "", "None"],
    ["BasicAuth", "", "WebBasic"],
    ["HTTPBasic", "", "WebBasic"],
    ["UsernamePassword", "", "WebBasic"],
    ["BearerToken", "", "HeaderBearerToken"],
    ["ApiKey", ', headerName: "X-Key"', "CustomHeaderToken"],
    ["ApiKey", ', paramName: "key"', "QueryParamToken"],
    ["HeaderToken", ', headerName: "X-Key"', "CustomHeaderToken"],
    ["HeaderAuthToken", ', headerName: "X-Key"', "CustomHeaderToken"],
    ["HeaderApiKey", ', headerName: "X-Key"', "CustomHeaderToken"],
    ["QueryString", ', paramName: "key"', "QueryParamToken"],
    ["AWSRole", ', service: "s3"', "AWSAssumeRole"],
    ["OpenIdConnect", "", "OAuth2"],
    ["OAuth1", "", "OAuth2"],
  ] as const)
    it(`${type}${fields} gets ${intendedType} as its first fix, and not unasked`, () => {
      const source = typed(type, fields);
      assert.equal(firstFix(source, "auth-type-unknown"), `Change to ${intendedType}`);
      assert.equal(fixedUnasked(source), source);
    });

  it("a synonym of one type alone gets that type in the message", () => {
    const [message = ""] = readMessages(typed("BasicAuth"), "auth-type-unknown");
    assert.ok(message.startsWith("Use WebBasic. "), message);
  });

  it("a misspelt type is corrected unasked", () => {
    for (const [type, right] of [
      ["HeaderBearer", "HeaderBearerToken"],
      ["OAuth", "OAuth2"],
      ["CustomHeader", "CustomHeaderToken"],
      ["ClientCredentials", "OAuth2ClientCredentials"],
      ["QueryParameter", "QueryParamToken"],
      ["MultiHeaders", "MultiHeaderToken"],
    ] as const)
      assert.equal(fixedUnasked(typed(type)), typed(right), type);
  });
});

describe("an invented connection requirement", () => {
  const required = (name: string): string =>
    typed("WebBasic", `, defaultConnectionRequirement: coda.ConnectionRequirement.${name}`).concat(
      'pack.addFormula({ name: "Hi", description: "Hi.", parameters: [], resultType: coda.ValueType.String, execute: async () => "" });\n',
    );

  for (const name of ["NotRequired", "Unrequired", "NoneRequired", "NonRequired", "NotOptional"])
    it(`${name} is not changed to its opposite unasked`, () => {
      assert.equal(firstFix(required(name), "requirement-unknown"), "Change to None");
      assert.equal(fixedUnasked(required(name)), required(name));
    });

  it("a misspelt requirement is corrected unasked", () => {
    for (const [name, right] of [
      ["Non", "None"],
      ["none", "None"],
      ["Require", "Required"],
      ["OPTIONAL", "Optional"],
    ] as const)
      assert.equal(fixedUnasked(required(name)), required(right), name);
  });
});

describe("an invented field", () => {
  for (const [invented, intendedField] of [
    ["authorizeUrl", "authorizationUrl"],
    ["authorizationEndpoint", "authorizationUrl"],
  ] as const)
    it(`${invented} is corrected to ${intendedField} unasked`, () => {
      const source = packOf(
        `pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, ${invented}: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t" });`,
      );
      assert.deepEqual(flagged(source), [`error field-unknown: ${invented}`]);
      assert.equal(fixedUnasked(source), source.replace(invented, intendedField));
    });

  for (const [invented, intendedField] of [
    ["getAccountName", "getConnectionName"],
    ["responseKey", "nestedResponseKey"],
    ["tokenAuthMethod", "credentialsLocation"],
    ["pkceMethod", "pkceChallengeMethod"],
    ["postSetupSteps", "postSetup"],
    ["helpUrl", "instructionsUrl"],
    ["authPrefix", "tokenPrefix"],
    ["defaultRequirement", "defaultConnectionRequirement"],
  ] as const)
    it(`${invented} gets a message that names ${intendedField}`, () => {
      const [message] = readMessages(oauth(`${invented}: undefined`), "field-unknown");
      assert.equal(message, `Use ${intendedField}. There is no field ${invented}, and the platform rejects unknown fields.`);
    });

  for (const name of ["endpoint", "endpointUrl"])
    it(`${name} is not corrected to another field`, () => {
      const source = oauth(`${name}: "https://acme.example/api"`);
      assert.deepEqual(readMessages(source, "field-unknown", true), [
        `Remove it. There is no field ${name}, and the platform rejects unknown fields.`,
      ]);
      assert.equal(fixedUnasked(source), source);
    });

  it("a list of prompts is corrected to the list of params", () => {
    const source = typed("Custom", ', fields: [{ key: "apiKey", label: "API key" }]');
    assert.deepEqual(
      flagged(source).filter((line) => line.startsWith("error")),
      ["error field-unknown: fields"],
    );
    const fixed = fixedUnasked(source);
    assert.equal(fixed, typed("Custom", ', params: [{ name: "apiKey", description: "API key" }]'));
  });

  it("authType is corrected to type", () => {
    const source = packOf("pack.setUserAuthentication({ authType: coda.AuthenticationType.WebBasic });");
    assert.deepEqual(flagged(source), ["error field-unknown: authType"]);
    assert.equal(fixedUnasked(source), source.replace("authType", "type"));
  });
});

describe("fields nested in an extra object", () => {
  it("nested fields get one finding, whose fix moves them out", () => {
    const source = packOf(`pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  oauth2: {
    authorizationUrl: "https://login.acme.example/authorize",
    tokenUrl: "https://login.acme.example/token",
  },
  scopes: ["read"],
});`);
    assert.deepEqual(flagged(source), ["error field-unknown: oauth2"]);
    assert.deepEqual(readMessages(source, "field-unknown"), [
      "Move its fields out of it. There is no field oauth2, and the platform rejects unknown fields.",
    ]);
    const [fixed = ""] = Object.values(fixesOf(source, "field-unknown"));
    assert.deepEqual(flagged(fixed), []);
  });

  it("a whole configuration is moved out of the extra object", () => {
    const source = packOf("pack.setUserAuthentication({ authentication: { type: coda.AuthenticationType.WebBasic } });");
    assert.deepEqual(flagged(source), ["error field-unknown: authentication"]);
    const [fixed = ""] = Object.values(fixesOf(source, "field-unknown"));
    assert.equal(fixed, packOf("pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });"));
  });

  it("deeply nested fields, as in OpenAPI, are moved out", () => {
    const source = packOf(`pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  flows: { authorizationCode: { authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t", scopes: ["a"] } },
});`);
    assert.deepEqual(flagged(source), ["error field-unknown: flows"]);
    const [fixed = ""] = Object.values(fixesOf(source, "field-unknown"));
    assert.deepEqual(flagged(fixed), []);
  });

  it("nested fields are not moved where the field exists already", () => {
    const source = packOf(
      'pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-Key", options: { headerName: "X-Other" } });',
    );
    assert.deepEqual(Object.keys(fixesOf(source, "field-unknown", { toolkit: true })), ["Remove options"]);
  });
});

describe("a promise in place of a configuration", () => {
  it("the promise is reported as a configuration without a type", () => {
    const source = packOf(
      "async function auth() { return { type: coda.AuthenticationType.WebBasic } as const; }\npack.setUserAuthentication(auth() as any);",
    );
    assert.deepEqual(flagged(source), ["error auth-type-missing: setUserAuthentication"]);
  });
});

describe("an invented method of the pack", () => {
  for (const [what, statements] of Object.entries({
    "declaring domains": 'pack.addNetworkDomains("acme.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });',
    "setting the authentication":
      'pack.addNetworkDomain("acme.example");\npack.setAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t" });\npack.addFormula({ name: "F", description: "D.", parameters: [], resultType: coda.ValueType.String, connectionRequirement: coda.ConnectionRequirement.Required, extraOAuthScopes: ["write"], execute: async ([], context) => (await context.fetcher.fetch({ method: "GET", url: `${context.endpoint}/me` })).body });',
  }))
    it(`the method for ${what} is the only finding`, () => {
      const source = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n${statements}\n`;
      assert.deepEqual(
        flagged(source, { toolkit: true }).map((line) => line.split(":")[0]),
        ["error toolkit-import"],
      );
    });
});
