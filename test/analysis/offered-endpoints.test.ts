// Endpoints that a SetEndpoint step offers, and that no network domain of the pack covers. The upload does not run the step: whoever
// chooses such an endpoint finds out.
import assert from "node:assert/strict";
import { analyse, split } from "../support/analyse.ts";
import { fixesOf } from "../support/flagged.ts";
import { problemsOf } from "../support/judged.ts";

const pack = (getOptions: string, more = "", before = ""): string =>
  `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\n${before}pack.setUserAuthentication({\n  type: coda.AuthenticationType.HeaderBearerToken,\n${more}  postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Site", ${getOptions} }],\n});\n`;

const CASES: Readonly<Record<string, readonly [source: string, ...findings: string[]]>> = {
  "in a list": [pack('getOptions: async () => [{ display: "EU", value: "https://eu.other.example" }]'), '"https://eu.other.example"'],
  "one of several, as a text": [
    pack('getOptions: async function (context) { return ["https://eu.acme.example", "https://notacme.example/v1"]; }'),
    '"https://notacme.example/v1"',
  ],
  "by a condition": [
    pack(
      'getOptions: async function (context) { if (context.timezone) return [{ display: "A", value: "https://a.acme.example" }]; return [{ display: "B", value: "https://b.other.example" }]; }',
    ),
    '"https://b.other.example"',
  ],
  "a list with a name": [
    pack("getOptions: async () => SITES", "", 'const SITES = [{ display: "B", value: "https://other.example:8443/x" }];\n'),
    '"https://other.example:8443/x"',
  ],
  "a text that is put together": [
    pack('getOptions: async () => [{ display: "EU", value: `https://${REGION}.other.example` }]', "", 'const REGION = "eu";\n'),
    "`https://${REGION}.other.example`",
  ],
  "a method that is a function of its own": [
    pack("getOptions: sites", "", 'async function sites() { return ["https://OTHER.example"]; }\n'),
    '"https://OTHER.example"',
  ],
  "in another file": [
    `// @file: pack.ts\n${pack("getOptions: sites").replace("import * as", 'import { sites } from "./sites";\nimport * as')}// @file: sites.ts\nexport const sites = async (context: unknown) => [\n  { display: "Us", value: "https://us.acme.example" },\n  { display: "Them", value: "https://them.example/api" },\n];\n`,
    '"https://them.example/api"',
  ],
  "in JavaScript": [
    '// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst { SITES } = require("./sites.json.js");\nconst pack = coda.newPack();\nmodule.exports = { pack };\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Site", async getOptions() { return SITES; } }] });\n// @file: sites.json.js\nexports.SITES = [{ display: "Them", value: "https://them.example" }];\n',
    '"https://them.example"',
  ],
  "mapped from a list of texts": [
    pack('getOptions: async () => ["https://eu.acme.example", "https://eu.other.example"].map((url) => ({ display: url, value: url }))'),
    "url",
  ],
  "mapped from a list with a name": [
    pack(
      "getOptions: async function () { return REGIONS.map((region) => ({ display: region, value: `https://${region}.other.example` })); }",
      "",
      'const REGIONS = ["eu"];\n',
    ),
    "`https://${region}.other.example`",
  ],
  "mapped from the entries of an object": [
    pack(
      "getOptions: async () => Object.entries(SITES).map(([display, value]) => ({ display, value }))",
      "",
      'const SITES = { Us: "https://us.acme.example", Them: "https://them.example" };\n',
    ),
    "value",
  ],
  "mapped by a function with a name, in another file, in JavaScript": [
    '// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst { SITES, optionOf } = require("./sites");\nconst pack = coda.newPack();\nmodule.exports = { pack };\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Site", async getOptions() { return SITES.map(optionOf); } }] });\n// @file: sites.js\nexports.SITES = [{ host: "them.example" }, { host: "acme.example" }];\nexports.optionOf = ({ host }) => ({ display: host, value: "https://" + host });\n',
    '"https://" + host',
  ],
  "mapped and filtered": [
    pack(
      'getOptions: async (context) => ["https://eu.other.example"].filter(() => context.timezone).map((url) => ({ display: url, value: url }))',
    ),
  ],
  "mapped by what looks at the item": [
    pack(
      'getOptions: async () => ["eu"].map((one) => { if (one === "eu") return "https://acme.example"; return "https://eu.acme.example"; })',
    ),
  ],
  "a covered endpoint": [pack('getOptions: async () => ["https://acme.example", { display: "A", value: "https://a.b.acme.example/c" }]')],
  "an endpoint known at run time": [
    pack(
      'getOptions: async function (context) { const answer = await context.fetcher.fetch({ method: "GET", url: "https://acme.example/sites" }); return answer.body.map((site: any) => ({ display: site.name, value: site.url })); }',
    ),
  ],
  "a host that is partly known": [
    pack('getOptions: async (context) => [{ display: "EU", value: `https://${context.timezone}.other.example` }]'),
  ],
  "domains that are not all known": [
    pack('getOptions: async () => ["https://eu.other.example"]', "", "pack.addNetworkDomain(process.env.DOMAIN as string);\n"),
  ],
};

function readFindings(source: string): readonly string[] {
  const files = split(source);
  const analysis = analyse(files, { toolkit: true });
  return Object.keys(files).flatMap((file) =>
    analysis
      .diagnostics(file)
      .filter(({ rule }) => rule === "endpoint-domain-undeclared")
      .map(({ severity, place }) => `${severity} ${files[place.file]?.slice(place.start, place.end)}`),
  );
}

describe("offered endpoints outside the network domains", function () {
  this.timeout(60_000);
  for (const [name, [source, ...expected]] of Object.entries(CASES))
    it(`endpoints are judged: ${name}`, async () => {
      assert.deepEqual(
        readFindings(source),
        expected.map((text) => `error ${text}`),
      );
      if (!source.includes("process.env")) assert.deepEqual(await problemsOf(split(source)), []);
    });

  it("the fix adds a domain, which the upload accepts", async () => {
    const source = CASES["in a list"]?.[0] ?? "";
    const [title, fixed = ""] = Object.entries(fixesOf(source, "endpoint-domain-undeclared"))[0] ?? [];
    assert.equal(title, "Add network domain eu.other.example, and send the credentials to it, too");
    assert.deepEqual(readFindings(fixed), []);
    assert.deepEqual(await problemsOf({ "/pack/pack.ts": fixed }), []);
  });
});
