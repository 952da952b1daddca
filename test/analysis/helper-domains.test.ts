// Domains that a helper declares for its callers: each caller's argument is a declared domain, where the helper does nothing else with it.
import assert from "node:assert/strict";
import { analyse, split } from "../support/analyse.ts";
import { problemsOf } from "../support/judged.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n';
const SENDS = `pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, execute: async function ([], context) { const answer = await context.fetcher.fetch({ method: "GET", url: "https://other.example/x" }); return answer.body; } });\n`;
const ALLOW = "function allow(pack: coda.PackDefinitionBuilder, domain: string) { pack.addNetworkDomain(domain); }\n";
const JS = 'const coda = require("@codahq/packs-sdk");\nconst pack = coda.newPack();\nexports.pack = pack;\n';

/** With what is found, and where. */
const CASES: Readonly<Record<string, readonly [source: string, findings: readonly string[]]>> = {
  "an invalid domain": [`${HEAD}${ALLOW}allow(pack, "https://other.example");\n${SENDS}`, ['network-domain-form "https://other.example"']],
  "a domain that no request goes to": [`${HEAD}${ALLOW}allow(pack, "acme.example");\n${SENDS}`, ["fetch-host-undeclared other.example"]],
  "one for each caller": [`${HEAD}${ALLOW}allow(pack, "acme.example");\nallow(pack, "other.example");\n${SENDS}`, []],
  "one of its own, and the caller's": [
    `${HEAD}const allow = (to: coda.PackDefinitionBuilder, domain: string) => { to.addNetworkDomain("acme.example", domain); };\nallow(pack, "www.acme.example");\n${SENDS}`,
    ["fetch-host-undeclared other.example"],
  ],
  "through two helpers": [
    `${HEAD}${ALLOW}function setUp(pack: coda.PackDefinitionBuilder, host: string) { allow(pack, host); }\nsetUp(pack, "acme.example");\n${SENDS}`,
    ["fetch-host-undeclared other.example"],
  ],
  "a part of the caller's argument, in JavaScript": [
    `${JS}function allow(pack, { domain }) { pack.addNetworkDomain(domain); }\nallow(pack, { domain: "acme.example" });\n${SENDS.replace("coda.ValueType.String", '"string"')}`,
    ["fetch-host-undeclared other.example"],
  ],
  "in another file": [
    `// @file: pack.ts\n${HEAD}import { allow } from "./allow";\nallow(pack, "https://other.example/");\n${SENDS}// @file: allow.ts\nimport * as coda from "@codahq/packs-sdk";\nexport ${ALLOW}`,
    ['network-domain-form "https://other.example/"'],
  ],
  "for the pack that is made there": [
    `import * as coda from "@codahq/packs-sdk";\nfunction made(pack: coda.PackDefinitionBuilder, domain: string) { pack.addNetworkDomain(domain); return pack; }\nexport const pack = made(coda.newPack(), "https://other.example");\n${SENDS}`,
    ['network-domain-form "https://other.example"'],
  ],
  "for the pack that is made there, in another file": [
    `// @file: pack.ts\nimport { newPack } from "@codahq/packs-sdk";\nimport { made } from "./made";\nexport const pack = made(newPack(), { domain: "https://other.example" });\n// @file: made.ts\nimport type { PackDefinitionBuilder } from "@codahq/packs-sdk";\nexport const made = (to: PackDefinitionBuilder, { domain }: { domain: string }) => to.addNetworkDomain(domain);\n`,
    ['network-domain-form "https://other.example"'],
  ],
  "for the pack of the file, by a list": [
    `${HEAD}function allow(domain: string) { pack.addNetworkDomain(domain); }\nfor (const domain of ["acme.example", "other.example"]) allow(domain);\n${SENDS}`,
    [],
  ],
  "a part, by the type that the helper says it has": [
    `${HEAD}const allow = (to: coda.PackDefinitionBuilder, { more, domain }: { more?: string; domain: string }) => void to.addNetworkDomain(domain);\nallow(pack, { domain: "acme.example" });\n${SENDS}`,
    ["fetch-host-undeclared other.example"],
  ],
  "a part that the helper looks at first": [
    `${HEAD}const allow = (to: coda.PackDefinitionBuilder, { domain }: { domain: string }) => void (domain? to.addNetworkDomain(domain): domain);\nallow(pack, { domain: "acme.example" });\n${SENDS}`,
    [],
  ],
  "a helper that looks at it first": [
    `${HEAD}function allow(pack: coda.PackDefinitionBuilder, domain: string) { if (domain !== "acme.example") pack.addNetworkDomain(domain); }\nallow(pack, "acme.example");\n${SENDS}`,
    [],
  ],
  "a helper that changes it": [
    `${HEAD}function allow(pack: coda.PackDefinitionBuilder, domain: string) { pack.addNetworkDomain(domain.replace("https://", "")); }\nallow(pack, "https://other.example");\n${SENDS}`,
    [],
  ],
};

describe("domains declared by a helper", function () {
  this.timeout(60_000);
  for (const [name, [source, expected]] of Object.entries(CASES))
    it(`the helper's domains are judged: ${name}`, async () => {
      const files = split(source);
      const analysis = analyse(files, { toolkit: true });
      const findings = Object.keys(files).flatMap((file) =>
        analysis.diagnostics(file).map(({ rule, place: { start, end } }) => `${rule} ${files[file]?.slice(start, end)}`),
      );
      assert.deepEqual(findings, expected);
      // Where the requests go, the validator does not know.
      assert.equal(
        (await problemsOf(files)).length > 0,
        expected.some((finding) => finding.startsWith("network-domain-form")),
      );
    });
});
