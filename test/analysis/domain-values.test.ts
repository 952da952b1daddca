// What stands in the place of a network domain and is none: nothing, no text, a template's left-over, a host that no name has.
import assert from "node:assert/strict";
import { split } from "../support/analyse.ts";
import { flagged, flaggedBy } from "../support/flagged.ts";
import { problemsOf } from "../support/judged.ts";
import { staySilent } from "../support/traps.ts";

const NEW = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n';
const BEARER = "pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n";
const declares = (given: string, before = ""): string => `${NEW}${before}pack.addNetworkDomain(${given});\n${BEARER}`;
const JS = 'const coda = require("@codahq/packs-sdk");\nconst pack = coda.newPack();\nmodule.exports = { pack };\n';

/** The source, and what network-domain-form says of it, as `severity text`. An error is what the validator rejects, and nothing else is one. */
const NO_DOMAINS: Readonly<Record<string, readonly [source: string, ...found: string[]]>> = {
  "no argument": [`${NEW}pack.addNetworkDomain();\n`, "warning addNetworkDomain"],
  "no argument, in a chain": [
    'import { newPack } from "@codahq/packs-sdk";\nexport const pack = newPack().addNetworkDomain().addNetworkDomain("acme.com");\n',
    "warning addNetworkDomain",
  ],
  "no argument beside a domain, in JavaScript": [
    `// @file: pack.js\n${JS}pack.addNetworkDomain("acme.com");\npack.addNetworkDomain();\n`,
    "warning addNetworkDomain",
  ],
  "a number": [declares("42"), "error 42"],
  "a boolean": [declares("true"), "error true"],
  null: [declares("null"), "error null"],
  undefined: [declares("undefined"), "error undefined"],
  "an object": [declares('{ domain: "acme.com" }'), 'error { domain: "acme.com" }'],
  "a function": [declares('() => "acme.com"'), 'error () => "acme.com"'],
  "a regular expression": [declares("/acme.com/"), "error /acme.com/"],
  "behind a constant": [declares("PORT", "const PORT = 443;\n"), "error PORT"],
  "beside a domain": [declares('"acme.com", 42'), "error 42"],
  "in newPack's list": [
    `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack({ networkDomains: ["acme.com", 42] } as any);\n`,
    "error 42",
  ],
  "in a list that is spread": [declares("...DOMAINS", 'const DOMAINS = ["acme.com", 42];\n'), "error 42"],
  "in another file, in JavaScript": [
    `// @file: pack.js\nconst { DOMAIN } = require("./domain");\n${JS}pack.addNetworkDomain(DOMAIN);\n// @file: domain.js\nexports.DOMAIN = 42;\n`,
    "error DOMAIN",
  ],
};

describe("what stands in the place of a network domain", function () {
  this.timeout(60_000);
  for (const [name, [source, ...wanted]] of Object.entries(NO_DOMAINS))
    it(`is no domain: ${name}`, async () => {
      assert.deepEqual(flaggedBy("network-domain-form", source), wanted);
      const rejected = await problemsOf(split(source));
      assert.equal(rejected.length > 0, wanted.join().includes("error "), rejected.join());
    });

  it("is nothing: then the pack has none for its authentication", () => {
    assert.deepEqual(flagged(declares("")), [
      "warning network-domain-form: addNetworkDomain",
      "error network-domain-missing: setUserAuthentication",
    ]);
  });
});

staySilent("what may be a domain", {
  "of the environment": declares("process.env.DOMAIN"),
  "with a default": declares('process.env.DOMAIN ?? "acme.com"'),
  "a constant that is set by a condition": declares(
    "domain",
    'let domain = null;\nif (globalThis.isTest) domain = "acme.io";\nelse domain = "acme.com";\n',
  ),
  "declared first and set later": declares("domain", 'let domain;\ndomain = "acme.com";\n'),
  "an enum's member": declares("Host.Api", 'enum Host { Api = "acme.com" }\n'),
  "of an object": declares("HOSTS.api", 'const HOSTS = { api: "acme.com" };\n'),
  "looked up": declares("HOSTS[ENV]", 'const ENV = process.env.ENV;\nconst HOSTS = { live: "acme.com", test: "acme.io" };\n'),
  "of a package": declares("DOMAIN", 'import { DOMAIN } from "our-domains";\n'),
  "of a function": declares("domain()", 'const domain = () => "acme.com";\n'),
  "no domain in a list that is spread": `${NEW}pack.addNetworkDomain(...[]);\n`,
  "in JavaScript": `${JS.replace("const pack", 'const { DOMAIN } = require("our-domains");\nconst pack')}pack.addNetworkDomain(DOMAIN);\n`,
});
