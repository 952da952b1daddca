// CommonJS as people write it, and as compilers do: the pack is recognised, all that is missing from it is said, and the upload agrees.
import assert from "node:assert/strict";
import { analyse, split } from "../../../support/analyse.ts";
import { readTable, texts } from "../../../support/json-cases.ts";
import { uploadProblemsOfSource } from "../../../support/validator.ts";

const REQUIRE_SDK = 'const coda = require("@codahq/packs-sdk");\n';
const GIVE = "module.exports = { pack };\n";
const SET = "pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n";
const NEW = "const pack = coda.newPack();\n";

/** Each declares no domain. */
const SDK_IMPORTS = readTable("test/server/analysis/syntax/cases/sdk-imports.json", texts);

const PACK_EXPORTS = readTable("test/server/analysis/syntax/cases/pack-exports.json", texts);

const readFindings = (source: string): readonly string[] => {
  const files = split(source);
  const analysis = analyse(files);
  return Object.keys(files).flatMap((file) =>
    analysis
      .diagnostics(file)
      .map(({ rule, place }) => `${file.slice("/pack/".length)} ${rule}: ${files[file]?.slice(place.start, place.end)}`),
  );
};

async function lacksDomain(source: string): Promise<void> {
  assert.deepEqual(readFindings(`// @file: pack.js\n${source}`), ["pack.js network-domain-missing: setUserAuthentication"]);
  const [problem] = await uploadProblemsOfSource(source);
  assert.match(problem?.message ?? "", /did not declare a network domain/);
}

describe("CommonJS", () => {
  for (const [name, sdkImport] of Object.entries(SDK_IMPORTS))
    it(`the SDK import is recognised: ${name}`, () => lacksDomain(`${sdkImport}${NEW}${SET}${GIVE}`));

  for (const [name, source] of Object.entries(PACK_EXPORTS)) it(`the exported pack is recognised: ${name}`, () => lacksDomain(source));

  it("a module that is required in passing belongs to the pack", () => {
    assert.deepEqual(
      readFindings(
        `// @file: pack.js\n${REQUIRE_SDK}const pack = exports.pack = coda.newPack();\npack.addNetworkDomain("example.com");\nrequire("./auth")(pack);\nrequire("./query").addTo(pack);\n// @file: auth.js\n${REQUIRE_SDK}module.exports = (pack) => pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken });\n// @file: query.js\n${REQUIRE_SDK}exports.addTo = function (pack) {\n  pack.setSystemAuthentication({ type: coda.AuthenticationType.QueryParamToken });\n};\n`,
      ),
      [
        "auth.js field-missing: type: coda.AuthenticationType.CustomHeaderToken",
        "query.js field-missing: type: coda.AuthenticationType.QueryParamToken",
      ],
    );
  });

  it("a configuration that is exported as it is declared is read in the other file", () => {
    assert.deepEqual(
      readFindings(
        `// @file: pack.js\n${REQUIRE_SDK}const config = require("./config");\nconst pack = exports.pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication(config.auth);\n// @file: config.js\nconst m = require("@codahq/packs-sdk");\nconst coda = m.default ?? m;\nconst auth = exports.auth = { type: coda.AuthenticationType.CustomHeaderToken };\n`,
      ),
      ["config.js field-missing: type: coda.AuthenticationType.CustomHeaderToken"],
    );
  });

  it("a write to an export changes the exported object", () => {
    for (const source of [
      `${REQUIRE_SDK}const pack = exports.pack = coda.newPack();\npack.addNetworkDomain("example.com");\nconst auth = exports.auth = { type: coda.AuthenticationType.CustomHeaderToken };\nexports.auth.headerName = "X-Key";\npack.setUserAuthentication(auth);\n`,
      `${REQUIRE_SDK}exports.pack = coda.newPack();\nexports.pack.addNetworkDomain("example.com");\nexports.auth = { type: coda.AuthenticationType.CustomHeaderToken };\nexports.auth.headerName = "X-Key";\nexports.pack.setUserAuthentication(exports.auth);\n`,
      `${REQUIRE_SDK}exports.pack = coda.newPack();\nexports.pack.addNetworkDomain("example.com");\nexports.auth = { type: coda.AuthenticationType.CustomHeaderToken };\nif (process.env.KEY) exports.auth = { type: coda.AuthenticationType.HeaderBearerToken };\nexports.pack.setUserAuthentication(exports.auth);\n`,
      `${REQUIRE_SDK}const auth = { type: coda.AuthenticationType.CustomHeaderToken };\nexports.auth = auth;\nmodule.exports.auth.headerName = "X-Key";\nconst pack = exports.pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication(auth);\n`,
    ])
      assert.deepEqual(readFindings(`// @file: pack.js\n${source}`), []);
    assert.deepEqual(
      readFindings(
        `// @file: pack.js\n${REQUIRE_SDK}const { auth } = require("./auth");\nconst pack = exports.pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication(auth);\n// @file: auth.js\n${REQUIRE_SDK}exports.auth = { type: coda.AuthenticationType.CustomHeaderToken };\nexports.auth.headerName = "X-Key";\n`,
      ),
      [],
    );
  });

  it("a call of a local function named require loads no module", () => {
    assert.deepEqual(
      readFindings(
        `// @file: pack.js\n${REQUIRE_SDK}const load = (require) => require("./nothing");\nconst m = { default: 1 };\nconst n = m.default ?? m;\n${NEW}pack.addNetworkDomain("example.com");\n${SET}${GIVE}`,
      ),
      [],
    );
  });
});
