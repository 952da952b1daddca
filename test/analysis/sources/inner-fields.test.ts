// Which fields an object inside a configuration takes is what the Packs SDK declares for that very object, also where it is installed: a
// field of another object, or of the configuration around it, is unknown there. The upload validator says the same.
import assert from "node:assert/strict";
import { analyse } from "../../support/analyse.ts";
import { fixesOf, flagged, packOf } from "../../support/flagged.ts";
import { uploadProblemsOfSource } from "../../support/validator.ts";

const user = (config: string, before = ""): string => packOf(`${before}(pack as any).setUserAuthentication({ ${config} });`);
const system = (config: string): string => packOf(`(pack as any).setSystemAuthentication({ ${config} });`);

const WRONG: Readonly<Record<string, readonly [source: string, field: string]>> = {
  "a type in a param": [user('type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key", type: "x" }]'), "type"],
  "a field of a configuration in a param": [
    user('type: coda.AuthenticationType.MultiQueryParamToken, params: [{ name: "key", description: "Key", paramName: "x" }]'),
    "paramName",
  ],
  "a header's prefix in a param": [
    user('type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key", tokenPrefix: "x" }]'),
    "tokenPrefix",
  ],
  "a field of a configuration in a header": [
    system('type: coda.AuthenticationType.MultiHeaderToken, headers: [{ name: "X-Key", description: "Key", headerName: "X-Key" }]'),
    "headerName",
  ],
  "a second header, behind a name": [
    user(
      "type: coda.AuthenticationType.MultiHeaderToken, headers: [FIRST, SECOND]",
      'const FIRST = { name: "X-A", description: "A" };\nconst SECOND = { ...FIRST, name: "X-B", scopes: [] };\n',
    ),
    "scopes",
  ],
  "a step's field in uxConfig": [user('type: coda.AuthenticationType.WebBasic, uxConfig: { description: "x" }'), "description"],
  "a param's field in a configuration": [user('type: coda.AuthenticationType.HeaderBearerToken, name: "x"'), "name"],
  "a field of uxConfig in a configuration": [
    user('type: coda.AuthenticationType.WebBasic, placeholderUsername: "x"'),
    "placeholderUsername",
  ],
  "a step's field in a configuration": [
    user('type: coda.AuthenticationType.HeaderBearerToken, getOptions: async () => ["https://a.acme.example"]'),
    "getOptions",
  ],
};

describe("a field under a name from elsewhere", () => {
  it("the field is renamed to the type's own, and the validator accepts it", async () => {
    const OAUTH = 'type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://acme.example/a", tokenUrl: "https://acme.example/t"';
    for (const [config, name, intendedField] of [
      ['type: coda.AuthenticationType.CustomHeaderToken, name: "X-Key"', "name", "headerName"],
      ['type: coda.AuthenticationType.CustomHeaderToken, header: "X-Key"', "header", "headerName"],
      ['type: coda.AuthenticationType.QueryParamToken, name: "api_key"', "name", "paramName"],
      ['type: coda.AuthenticationType.QueryParamToken, queryParam: "api_key"', "queryParam", "paramName"],
      ['type: coda.AuthenticationType.QueryParamToken, queryParamName: "api_key"', "queryParamName", "paramName"],
      ['type: coda.AuthenticationType.QueryParamToken, parameter: "api_key"', "parameter", "paramName"],
      [`${OAUTH}, extraParams: { audience: "acme" }`, "extraParams", "additionalParams"],
      [`${OAUTH}, authorizationParams: { audience: "acme" }`, "authorizationParams", "additionalParams"],
      [`${OAUTH}, queryParams: { audience: "acme" }`, "queryParams", "additionalParams"],
      [`${OAUTH}, separator: ","`, "separator", "scopeDelimiter"],
    ] as const) {
      const source = user(config);
      assert.deepEqual(
        flagged(source, { toolkit: true }).filter((line) => line.startsWith("error")),
        [`error field-unknown: ${name}`],
        config,
      );
      const [[title, fixed] = ["", ""]] = Object.entries(fixesOf(source, "field-unknown", { toolkit: true }));
      assert.equal(title, `Rename to ${intendedField}`);
      assert.deepEqual(await uploadProblemsOfSource(fixed), []);
    }
  });
});

describe("values of the wrong kind in a list field", () => {
  it("an object in place of a list gets one finding with a valid fix", async () => {
    for (const [type, field] of [
      ["Custom", "params"],
      ["MultiHeaderToken", "headers"],
    ] as const) {
      const source = system(`type: coda.AuthenticationType.${type}, ${field}: { "X-A": "First", "X-B": "Second" }`);
      assert.deepEqual(
        flagged(source, { toolkit: true }).filter((line) => line.startsWith("error")),
        ['error field-type: { "X-A": "First", "X-B": "Second" }'],
      );
      const [fixed = ""] = Object.values(fixesOf(source, "field-type", { toolkit: true }));
      assert.deepEqual(await uploadProblemsOfSource(fixed), []);
    }
    const misspelt = system('type: coda.AuthenticationType.Custom, params: { name: "a", descripton: "First" }');
    assert.deepEqual(
      flagged(misspelt, { toolkit: true }).filter((line) => line.includes("field-unknown")),
      ["error field-unknown: descripton"],
    );
  });

  it("an entry with a misnamed name gets one finding with a valid fix", async () => {
    for (const [type, field, name] of [
      ["MultiQueryParamToken", "params", "key"],
      ["Custom", "params", "id"],
      ["MultiHeaderToken", "headers", "header"],
      ["MultiHeaderToken", "headers", "key"],
    ] as const) {
      const source = system(`type: coda.AuthenticationType.${type}, ${field}: [{ ${name}: "X-A", description: "First" }]`);
      assert.deepEqual(
        flagged(source, { toolkit: true }).filter((line) => line.startsWith("error")),
        [`error field-unknown: ${name}`],
      );
      const [fixed = ""] = Object.values(fixesOf(source, "field-unknown", { toolkit: true }));
      assert.deepEqual(await uploadProblemsOfSource(fixed), []);
    }
  });
});

describe("fields of objects inside a configuration", () => {
  for (const [name, [source, field]] of Object.entries(WRONG))
    it(`${name} is an unknown field, as in the upload validator`, async () => {
      assert.deepEqual(flagged(source, { toolkit: true }), [`error field-unknown: ${field}`]);
      // Without an SDK nobody can say that a newer one has no such field; where one of uxConfig belongs is known.
      const severity = field === "placeholderUsername" ? "error" : "warning";
      assert.deepEqual(flagged(source), [`${severity} field-unknown: ${field}`]);
      const [problem] = await uploadProblemsOfSource(source);
      assert.match(problem?.message ?? "", new RegExp(`"${field}"`));
    });

  it("an unknown field is flagged in JavaScript across files", () => {
    const files = {
      "/pack/pack.js":
        'const coda = require("@codahq/packs-sdk");\nconst { PARAMS } = require("./params");\nconst pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: PARAMS });\nmodule.exports = { pack };\n',
      "/pack/params.js": 'exports.PARAMS = [{ name: "key", description: "Key", placeholderPassword: "x" }];\n',
    };
    const analysis = analyse(files, { toolkit: true });
    assert.deepEqual(
      Object.keys(files).flatMap((file) => analysis.diagnostics(file).map(({ rule, place }) => `${place.file} ${rule}`)),
      ["/pack/params.js field-unknown"],
    );
  });

  it("all fields that the objects take are accepted", async () => {
    for (const source of [
      user('type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }]'),
      user('type: coda.AuthenticationType.MultiHeaderToken, headers: [{ name: "X-Key", description: "Key", tokenPrefix: "Key" }]'),
      user('type: coda.AuthenticationType.WebBasic, uxConfig: { placeholderUsername: "a", placeholderPassword: "b", usernameOnly: true }'),
      user(
        'type: coda.AuthenticationType.WebBasic, postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Site", getOptions: async () => [] }]',
      ),
    ]) {
      assert.deepEqual(flagged(source, { toolkit: true }), []);
      assert.deepEqual(await uploadProblemsOfSource(source), []);
    }
  });
});
