// A list of nothing to ask the user for is right where the account is its endpoint: nothing is said, and the upload takes it.
import assert from "node:assert/strict";
import { analyse } from "../support/analyse.ts";
import { flagged, packOf } from "../support/flagged.ts";
import { uploadProblemsOfSource } from "../support/validator.ts";

const set = (config: string, before = ""): string => packOf(`${before}pack.setUserAuthentication({ ${config} });`);
const STEP =
  'postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Choose a site.", getOptions: async () => ["https://a.acme.example"] }]';

const SILENT: Readonly<Record<string, string>> = {
  "the endpoint is entered": set("type: coda.AuthenticationType.Custom, params: [], requiresEndpointUrl: true"),
  "the endpoint is entered, and checked": set(
    'type: coda.AuthenticationType.Custom, params: [], requiresEndpointUrl: true, endpointDomain: "acme.example"',
  ),
  "it is chosen": set(`type: coda.AuthenticationType.Custom, params: [], ${STEP}`),
  "the list and the endpoint stand behind names": set(
    "type: coda.AuthenticationType.Custom, params: NONE, requiresEndpointUrl: ASKS",
    "const NONE: never[] = [];\nconst ASKS = true;\n",
  ),
  "the endpoint is spread in": set(
    "...BASE, type: coda.AuthenticationType.Custom as const, params: []",
    "const BASE = { requiresEndpointUrl: true };\n",
  ),
  "a list of headers": set("type: coda.AuthenticationType.MultiHeaderToken, headers: [], requiresEndpointUrl: true"),
  "a list of parameters": set("type: coda.AuthenticationType.MultiQueryParamToken, params: [], requiresEndpointUrl: true"),
  "the system's own": packOf(
    "pack.setSystemAuthentication({ type: coda.AuthenticationType.Custom, params: [], requiresEndpointUrl: true });",
  ),
};

const REPORTED: Readonly<Record<string, readonly [source: string, ...expected: string[]]>> = {
  "no endpoint": [set("type: coda.AuthenticationType.Custom, params: []"), "warning field-empty: []"],
  "an endpoint that is switched off": [
    set("type: coda.AuthenticationType.Custom, params: [], requiresEndpointUrl: false"),
    "warning field-empty: []",
  ],
  "headers, and no endpoint": [set("type: coda.AuthenticationType.MultiHeaderToken, headers: []"), "error field-empty: []"],
  "a name that is empty": [
    set('type: coda.AuthenticationType.Custom, params: [{ name: "", description: "Key" }], requiresEndpointUrl: true'),
    'error field-empty: ""',
  ],
};

describe("an empty list of fields to enter", () => {
  for (const [name, source] of Object.entries(SILENT))
    it(`the empty list is accepted when the account has an endpoint: ${name}`, async () => {
      assert.deepEqual(flagged(source), []);
      assert.deepEqual(flagged(source, { toolkit: true }), []);
      assert.deepEqual(await uploadProblemsOfSource(source), []);
    });

  it("the empty list is accepted across JavaScript files", () => {
    const files = {
      "/pack/pack.js":
        'const coda = require("@codahq/packs-sdk");\nconst { AUTH } = require("./auth");\nconst pack = coda.newPack();\npack.setUserAuthentication(AUTH);\nmodule.exports = { pack };\n',
      "/pack/auth.js":
        'const coda = require("@codahq/packs-sdk");\nexports.AUTH = { type: coda.AuthenticationType.Custom, params: [], requiresEndpointUrl: true };\n',
    };
    const analysis = analyse(files);
    assert.deepEqual(
      Object.keys(files).flatMap((file) => analysis.diagnostics(file)),
      [],
    );
  });

  for (const [name, [source, ...findings]] of Object.entries(REPORTED))
    it(`the empty list gets the expected findings: ${name}`, () => assert.deepEqual(flagged(source), findings));
});
