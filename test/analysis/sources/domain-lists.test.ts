// A pack whose domains stand in a list of its definition gets one more in that list: a call of addNetworkDomain would be undone by the list
// that comes later, or stand in a pack that has no such calls.
import assert from "node:assert/strict";
import { analyse, apply, split } from "../../support/analyse.ts";
import { fixesOf } from "../../support/flagged.ts";
import { problemsOf } from "../../support/judged.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\n';
const SENDS = `pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, execute: async function ([], context) { const answer = await context.fetcher.fetch({ method: "GET", url: "https://other.example/x" }); return answer.body; } });\n`;
const NEW = `${HEAD}export const pack = coda.newPack();\n`;

/** What the list becomes. */
const CASES: Readonly<Record<string, readonly [source: string, list: string, fixed: string]>> = {
  "written to the pack": [
    `${NEW}pack.networkDomains = ["acme.example"];\n${SENDS}`,
    '["acme.example"]',
    '["acme.example", "other.example"]',
  ],
  "on lines of their own": [
    `${NEW}pack.networkDomains = [\n  "acme.example",\n  "b.example",\n];\n${SENDS}`,
    '"b.example",\n]',
    '"b.example",\n  "other.example",\n]',
  ],
  "with a comma at the end": [
    `${NEW}pack.networkDomains = ["acme.example", ];\n${SENDS}`,
    '["acme.example", ]',
    '["acme.example", "other.example", ]',
  ],
  empty: [`${NEW}pack.networkDomains = [];\n${SENDS}`, "[]", '["other.example"]'],
  "passed to newPack": [
    `${HEAD}export const pack = coda.newPack({ networkDomains: ["acme.example"] } as any);\n${SENDS}`,
    '["acme.example"]',
    '["acme.example", "other.example"]',
  ],
  "by Object.assign": [
    `${NEW}Object.assign(pack, { networkDomains: ["acme.example"] });\n${SENDS}`,
    '["acme.example"]',
    '["acme.example", "other.example"]',
  ],
  "behind a name": [
    `${NEW}const DOMAINS = ["acme.example"];\npack.networkDomains = DOMAINS;\n${SENDS}`,
    '["acme.example"]',
    '["acme.example", "other.example"]',
  ],
  "in another file, in JavaScript": [
    `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst { DOMAINS } = require("./domains");\nconst pack = coda.newPack();\nexports.pack = pack;\npack.networkDomains = DOMAINS;\n${SENDS.replace("coda.ValueType.String", '"string"')}// @file: domains.js\nexports.DOMAINS = ["acme.example"];\n`,
    '["acme.example"]',
    '["acme.example", "other.example"]',
  ],
};

describe("a host outside the domains of a list", function () {
  this.timeout(60_000);
  for (const [name, [source, list, fixed]] of Object.entries(CASES))
    it(`the fix adds the domain to the list: ${name}`, async () => {
      const files = split(source);
      const findings = Object.keys(files).flatMap((file) => analyse(files, { toolkit: true }).diagnostics(file));
      const [finding, ...remaining] = findings.filter(({ rule }) => rule === "fetch-host-undeclared");
      assert.deepEqual(remaining, []);
      const [fix, ...more] = finding?.fixes ?? [];
      assert.deepEqual([fix?.title, more], ["Add network domain other.example", []]);
      const mended = fix === undefined ? {} : apply(files, fix);
      const expectedFiles = Object.fromEntries(Object.entries(files).map(([file, text]) => [file, text.replace(list, fixed)]));
      assert.deepEqual(mended, expectedFiles);
      assert.deepEqual(
        Object.keys(mended).flatMap((file) => analyse(mended, { toolkit: true }).diagnostics(file)),
        [],
      );
      assert.deepEqual(await problemsOf(mended), []);
    });
});

describe("a second domain beside an authentication", () => {
  const AUTH = "pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n";
  const get = (declared: string): string =>
    `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain(${declared});\n${AUTH}export const get = (context) => context.fetcher.fetch({ method: "GET", url: "https://api.acme.com/me" });\n`;

  it("the fix is titled with where the credentials keep going", async () => {
    const source = get('"acme.org"');
    const { "Add network domain acme.com, and send credentials to acme.org alone": fixed, ...otherFixes } = fixesOf(
      source,
      "fetch-host-undeclared",
    );
    assert.deepEqual(otherFixes, {});
    assert.match(fixed ?? "", /networkDomain: "acme\.org"/);
    assert.deepEqual(await problemsOf({ "/pack/pack.ts": fixed ?? "" }), []);
  });

  it("an administrator's credentials stay with the first domain", () => {
    const admin =
      'pack.addAdminAuthentication({ name: "admin", displayName: "Admin", description: "Admin.", authentication: { type: coda.AuthenticationType.HeaderBearerToken } });\n';
    const { "Add network domain acme.com, and send credentials to acme.org alone": fixed = "" } = fixesOf(
      get('"acme.org"').replace(AUTH, admin),
      "fetch-host-undeclared",
    );
    assert.match(fixed, /authentication: \{ type: coda\.AuthenticationType\.HeaderBearerToken, networkDomain: "acme\.org" \}/);
  });

  it("a domain added beside an invalid one does not copy it", () => {
    for (const declared of ['"{subdomain}.acme.io"', '"https://acme.io"']) {
      const [[title, fixed = ""] = []] = Object.entries(fixesOf(get(declared), "fetch-host-undeclared"));
      assert.equal(title, "Add network domain acme.com");
      assert.doesNotMatch(fixed, /networkDomain:/);
    }
  });
});
