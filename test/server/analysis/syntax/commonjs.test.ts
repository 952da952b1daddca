// CommonJS as people write it, and as compilers do: the pack is recognised, all that is missing from it is said, and the upload agrees.
import assert from "node:assert/strict";
import { analyse, split } from "../../../support/analyse.ts";
import { uploadProblemsOfSource } from "../../../support/validator.ts";

const REQUIRE_SDK = 'const coda = require("@codahq/packs-sdk");\n';
const GIVE = "module.exports = { pack };\n";
const SET = "pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n";
const NEW = "const pack = coda.newPack();\n";

/** Each declares no domain. */
const SDK_IMPORTS: Readonly<Record<string, string>> = {
  "m.default ?? m": 'const m = require("@codahq/packs-sdk");\nconst coda = m.default ?? m;\n',
  "m.default || m": 'const m = require("@codahq/packs-sdk");\nconst coda = m.default || m;\n',
  "a condition": 'const m = require("@codahq/packs-sdk");\nconst coda = m.default ? m.default : m;\n',
  "both required": 'const coda = require("@codahq/packs-sdk").default ?? require("@codahq/packs-sdk");\n',
  "TypeScript's function around it": 'const __importStar = (m) => m;\nconst coda = __importStar(require("@codahq/packs-sdk"));\n',
  "tslib's function around it":
    'const tslib_1 = { __importStar: (m) => m };\nconst coda = tslib_1.__importStar(require("@codahq/packs-sdk"));\n',
  "esbuild's function around it": 'const __toESM = (m) => m;\nvar coda = __toESM(require("@codahq/packs-sdk"), 1);\n',
  "Babel's function around it":
    'const _interopRequireWildcard = (m) => m;\nvar coda = _interopRequireWildcard(require("@codahq/packs-sdk"));\n',
  "assigned to a name later": 'let coda;\ncoda = require("@codahq/packs-sdk");\n',
};

const PACK_EXPORTS: Readonly<Record<string, string>> = {
  "exported as it is made": `${REQUIRE_SDK}const pack = exports.pack = coda.newPack();\n${SET}`,
  "exported as it is made, in parentheses": `${REQUIRE_SDK}const pack = (exports.pack = coda.newPack());\n${SET}`,
  "assigned to module.exports as it is made": `${REQUIRE_SDK}const pack = module.exports.pack = coda.newPack();\n${SET}`,
  "made where it is exported": `${REQUIRE_SDK}exports.pack = coda.newPack();\nexports.${SET}`,
  "made and set up on module.exports": `${REQUIRE_SDK}module.exports.pack = coda.newPack();\nmodule.exports.${SET}`,
  "an empty export before": `${REQUIRE_SDK}Object.defineProperty(exports, "__esModule", { value: true });\nexports.pack = void 0;\nexports.pack = coda.newPack();\nexports.${SET}`,
  "exports and module.exports": `${REQUIRE_SDK}${NEW}exports = module.exports = { pack };\n${SET}`,
  "two names at once": `${REQUIRE_SDK}${NEW}exports.default = exports.pack = pack;\n${SET}`,
  "assigned to the exports": `${REQUIRE_SDK}${NEW}Object.assign(exports, { pack });\n${SET}`,
  "assigned to module.exports, by another name": `${REQUIRE_SDK}const p = coda.newPack();\nObject.assign(module.exports, { pack: p });\np.${SET.slice(5)}`,
  "defined as a value": `${REQUIRE_SDK}${NEW}Object.defineProperty(exports, "pack", { enumerable: true, value: pack });\n${SET}`,
  "defined by a getter": `${REQUIRE_SDK}${NEW}Object.defineProperty(exports, "pack", { enumerable: true, get: function () { return pack; } });\n${SET}`,
  "called as compilers call": `${REQUIRE_SDK}exports.pack = (0, coda.newPack)();\nexports.${SET}`,
  "set up from module.exports": `${REQUIRE_SDK}${NEW}${GIVE}module.exports.auth = { type: coda.AuthenticationType.HeaderBearerToken };\npack.setUserAuthentication(module.exports.auth);\n`,
  "made from a module that is required in place": `${REQUIRE_SDK}const pack = require("@codahq/packs-sdk").newPack();\n${SET}${GIVE}`,
  "destructured from the exports": `${REQUIRE_SDK}const { pack } = module.exports = { pack: coda.newPack() };\n${SET}`,
};

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
