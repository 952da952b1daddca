// A pack that is given its definition without setters: the same is said of it, and the upload validator agrees.
import assert from "node:assert/strict";
import { analyse, split } from "../support/analyse.ts";
import { fixesOf } from "../support/flagged.ts";
import { uploadProblemsOfSource } from "../support/validator.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n';
const JS = 'const coda = require("@codahq/packs-sdk");\nconst pack = coda.newPack();\nmodule.exports = { pack };\n';
const CUSTOM = "{ type: coda.AuthenticationType.CustomHeaderToken }";
const BEARER = "{ type: coda.AuthenticationType.HeaderBearerToken }";
const MISSING = "error field-missing: type: coda.AuthenticationType.CustomHeaderToken";

const WRONG: Readonly<Record<string, readonly [source: string, ...findings: string[]]>> = {
  "the users' authentication": [`${HEAD}pack.addNetworkDomain("example.com");\npack.defaultAuthentication = ${CUSTOM} as any;\n`, MISSING],
  "the system's authentication": [
    `${HEAD}pack.addNetworkDomain("example.com");\npack.systemConnectionAuthentication = ${CUSTOM} as any;\n`,
    MISSING,
  ],
  "an authentication behind a name": [
    `${HEAD}pack.addNetworkDomain("example.com");\nconst auth: any = ${CUSTOM};\n(pack as any)["defaultAuthentication"] = auth;\n`,
    MISSING,
  ],
  "an unknown field": [
    `${HEAD}pack.networkDomains = ["example.com"];\npack.defaultAuthentication = { type: coda.AuthenticationType.HeaderBearerToken, headerName: "X" } as any;\n`,
    "error field-not-for-type: headerName",
  ],
  "no domain": [`${HEAD}pack.defaultAuthentication = ${BEARER};\n`, "error network-domain-missing: defaultAuthentication"],
  "an invalid domain": [
    `${HEAD}pack.networkDomains = ["https://example.com"];\npack.defaultAuthentication = ${BEARER};\n`,
    'error network-domain-form: "https://example.com"',
  ],
  "a domain that is pushed": [
    `${HEAD}pack.networkDomains.push("https://example.com");\npack.setUserAuthentication(${BEARER});\n`,
    'error network-domain-form: "https://example.com"',
  ],
  "several domains": [
    `${HEAD}pack.networkDomains = ["example.com", "example.org"];\npack.setUserAuthentication(${BEARER});\n`,
    "error network-domain-choice: type: coda.AuthenticationType.HeaderBearerToken",
  ],
  "assigned at once": [`${HEAD}Object.assign(pack, { networkDomains: ["example.com"], defaultAuthentication: ${CUSTOM} });\n`, MISSING],
  "a builder that is made by itself": [
    `import * as coda from "@codahq/packs-sdk";\nexport const pack = new coda.PackDefinitionBuilder({ networkDomains: ["example.com"] });\npack.defaultAuthentication = ${CUSTOM} as any;\n`,
    MISSING,
  ],
  "a manifest in JavaScript": [
    `const coda = require("@codahq/packs-sdk");\nexports.manifest = { version: "1.0", formulas: [], networkDomains: ["example.com"], defaultAuthentication: ${CUSTOM} };\n`,
    MISSING,
  ],
  "a manifest among the exports": [
    `const coda = require("@codahq/packs-sdk");\nmodule.exports = { manifest: { version: "1.0", formulas: [], networkDomains: ["example.com"], defaultAuthentication: ${CUSTOM} } };\n`,
    MISSING,
  ],
  "a manifest that is exported under another name": [
    `import * as coda from "@codahq/packs-sdk";\nconst definition: any = { version: "1.0", formulas: [], networkDomains: ["example.com"], defaultAuthentication: ${CUSTOM} };\nexport { definition as manifest };\n`,
    MISSING,
  ],
  JavaScript: [`${JS}pack.networkDomains = ["example.com"];\npack.defaultAuthentication = ${CUSTOM};\n`, MISSING],
};

it("an undeclared endpoint domain is added to the definition", () => {
  const source = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack({ networkDomains: ["acme.example"], defaultAuthentication: { type: coda.AuthenticationType.WebBasic, requiresEndpointUrl: true, endpointDomain: "other.example" } });\n`;
  assert.deepEqual(fixesOf(source, "endpoint-domain-undeclared"), {
    "Add network domain other.example, and send the credentials to it, too": source
      .replace('["acme.example"]', '["acme.example", "other.example"]')
      .replace('"other.example" } });', '"other.example", networkDomain: ["acme.example", "other.example"] } });'),
  });
});

const RIGHT: Readonly<Record<string, string>> = {
  "a complete definition": `${HEAD}pack.networkDomains = ["example.com"];\npack.defaultAuthentication = { type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-Key" };\n`,
  "a property named like one of every object": `const coda = require("@codahq/packs-sdk");\nexports.manifest = { version: "1.0", formulas: [], networkDomains: ["example.com"], defaultAuthentication: ${BEARER}, constructor: { type: "None" } };\n`,
  "a field is written later": `${HEAD}pack.networkDomains = ["example.com"];\npack.defaultAuthentication = ${CUSTOM} as any;\n(pack.defaultAuthentication as any).headerName = "X-Key";\npack.defaultAuthentication!.instructionsUrl = "https://example.com/help";\n`,
  "domains that replace others": `${HEAD}pack.addNetworkDomain("example.com");\npack.networkDomains = ["example.org"];\npack.setUserAuthentication(${BEARER});\n`,
  "domains that are pushed": `${HEAD}pack.networkDomains.push("example.com");\npack.setUserAuthentication(${BEARER});\n`,
  "a domain by a condition": `${HEAD}pack.addNetworkDomain("example.com");\nif (process.env.NEVER) pack.networkDomains = ["example.org"];\npack.setUserAuthentication(${BEARER});\n`,
  "another object of that name": `${HEAD}pack.addNetworkDomain("example.com");\nconst settings: any = {};\nsettings.defaultAuthentication = ${CUSTOM};\nsettings.networkDomains = ["https://example.com/"];\n`,
};

function readFindings(source: string): readonly string[] {
  const files = split(source);
  const analysis = analyse(files);
  return Object.keys(files).flatMap((file) =>
    analysis.diagnostics(file).map(({ severity, rule, place }) => `${severity} ${rule}: ${files[file]?.slice(place.start, place.end)}`),
  );
}

describe("a pack's definition without setters", () => {
  for (const [name, [source, ...expected]] of Object.entries(WRONG))
    it(`a wrong definition is flagged: ${name}`, async () => {
      assert.deepEqual(readFindings(source), expected);
      assert.notDeepEqual(await uploadProblemsOfSource(source), []);
    });

  for (const [name, source] of Object.entries(RIGHT))
    it(`a right definition is accepted: ${name}`, async () => {
      assert.deepEqual(readFindings(source), []);
      assert.deepEqual(await uploadProblemsOfSource(source), []);
    });

  it("a definition is read through a helper and through a file that imports the pack", () => {
    assert.deepEqual(
      readFindings(
        `// @file: pack.ts\nimport * as coda from "@codahq/packs-sdk";\nimport { setUp } from "./set-up";\nexport const pack = coda.newPack();\nsetUp(pack);\nimport "./domains";\n// @file: set-up.ts\nimport * as coda from "@codahq/packs-sdk";\nexport function setUp(pack: coda.PackDefinitionBuilder) {\n  pack.defaultAuthentication = ${CUSTOM} as any;\n}\n// @file: domains.ts\nimport { pack } from "./pack";\npack.networkDomains.push("https://example.com");\n`,
      ),
      [MISSING, 'error network-domain-form: "https://example.com"'],
    );
  });
});
