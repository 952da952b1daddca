// What stands in the place of a network domain and is none: nothing, no text, a template's left-over, a host that no name has.
import assert from "node:assert/strict";
import { split } from "../../support/analyse.ts";
import { fixesOf, flagged, flaggedBy } from "../../support/flagged.ts";
import { problemsOf } from "../../support/judged.ts";
import { staySilent } from "../../support/traps.ts";

const NEW = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n';
const BEARER = "pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n";
const declares = (args: string, before = ""): string => `${NEW}${before}pack.addNetworkDomain(${args});\n${BEARER}`;
const JS = 'const coda = require("@codahq/packs-sdk");\nconst pack = coda.newPack();\nmodule.exports = { pack };\n';

/** The source, and what network-domain-form says of it, as `severity text`. An error is what the validator rejects, and nothing else is one. */
const NO_DOMAINS: Readonly<Record<string, readonly [source: string, ...findings: string[]]>> = {
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

/** What the upload takes, what is said of it, and what it is corrected to. */
const NO_HOSTS: Readonly<Record<string, readonly [source: string, flaggedText: string, corrected?: string]>> = {
  "a name in braces": [declares('"{subdomain}.acme.com"'), '"{subdomain}.acme.com"'],
  "a name in capitals": [declares('"YOUR_DOMAIN.acme.com"'), '"YOUR_DOMAIN.acme.com"'],
  "a name in angle brackets": [declares('"<your-domain>.acme.com"'), '"<your-domain>.acme.com"'],
  "your own": [declares("'your-subdomain.acme.com'"), "'your-subdomain.acme.com'"],
  "two dots": [declares('"acme..com"'), '"acme..com"', "acme.com"],
  "a comma at the end": [declares('"acme.com,"'), '"acme.com,"', "acme.com"],
  "a semicolon at the end": [declares('"acme.com;"'), '"acme.com;"', "acme.com"],
  "quotes in it": [declares(`"'acme.com'"`), `"'acme.com'"`],
  "behind a constant": [declares("DOMAIN", 'const DOMAIN = "{tenant}.acme.com";\n'), "DOMAIN"],
  "an IP address": [declares('"10.0.0.5"'), '"10.0.0.5"'],
  "an IP address of the internet": [declares("'8.8.8.8'"), "'8.8.8.8'"],
  "an IP address of version 6": [declares('"[2001:db8::1]"'), '"[2001:db8::1]"'],
  "an IP address of version 6 without brackets": [declares('"fe80::1"'), '"fe80::1"'],
  "an IP address behind a constant": [declares("HOST", 'const HOST = "192.168.0.2";\n'), "HOST"],
  "an IP address in JavaScript": [`// @file: pack.js\n${JS}pack.addNetworkDomain("10.0.0.5");\n`, '"10.0.0.5"'],
  "in newPack's list": [
    `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack({ networkDomains: ["<tenant>.acme.com"] } as any);\n`,
    '"<tenant>.acme.com"',
  ],
  "in another file, in JavaScript": [
    `// @file: pack.js\nconst { DOMAIN } = require("./domain");\n${JS}pack.addNetworkDomain(DOMAIN);\n// @file: domain.js\nexports.DOMAIN = "{tenant}.acme.com";\n`,
    "DOMAIN",
  ],
};

/** The endpoint's domain, what is declared, and what is said. */
const ENDPOINTS: Readonly<Record<string, readonly [field: string, domains: string, ...findings: string[]]>> = {
  "under a declared one": ['"{tenant}.acme.com"', 'pack.addNetworkDomain("acme.com");\n', 'warning "{tenant}.acme.com"'],
  "under none": ['"acme.com,"', 'pack.addNetworkDomain("acme.com");\n', 'error "acme.com,"'],
  "chosen for the credentials": [
    '"<tenant>.acme.com", networkDomain: "<tenant>.acme.com"',
    'pack.addNetworkDomain("<tenant>.acme.com");\n',
    'warning "<tenant>.acme.com"',
  ],
  "a real domain": ['"eu.acme.com"', 'pack.addNetworkDomain("acme.com");\n'],
};

describe("arguments of addNetworkDomain", function () {
  this.timeout(60_000);
  for (const [name, [source, ...expected]] of Object.entries(NO_DOMAINS))
    it(`an argument is checked as the upload checks it: ${name}`, async () => {
      assert.deepEqual(flaggedBy("network-domain-form", source), expected);
      const rejected = await problemsOf(split(source));
      assert.equal(rejected.length > 0, expected.join().includes("error "), rejected.join());
    });

  for (const [name, [source, flaggedText, corrected]] of Object.entries(NO_HOSTS)) {
    it(`a domain that no host matches gets a warning: ${name}`, async () => {
      assert.deepEqual(flaggedBy("network-domain-form", source), [`warning ${flaggedText}`]);
      assert.deepEqual(await problemsOf(split(source)), []);
    });
    if (corrected !== undefined)
      it(`a domain that no host matches is corrected: ${name}`, () => {
        assert.deepEqual(fixesOf(source, "network-domain-form"), {
          [`Change to ${corrected}`]: source.replace(flaggedText, JSON.stringify(corrected)),
        });
      });
  }
  it("a placeholder in a domain has no fix", () => {
    for (const domain of ['"{subdomain}.acme.com"', '"YOUR_DOMAIN.acme.com"'])
      assert.deepEqual(fixesOf(declares(domain), "network-domain-form"), {});
  });
  for (const [name, [field, domains, ...expected]] of Object.entries(ENDPOINTS))
    it(`an endpointDomain is checked as a domain: ${name}`, async () => {
      const source = `${NEW}${domains}pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, requiresEndpointUrl: true, endpointDomain: ${field} });\n`;
      assert.deepEqual(flaggedBy("endpoint-domain-form", source), expected);
      assert.deepEqual(flaggedBy("endpoint-domain-undeclared", source), []);
      assert.equal((await problemsOf(split(source))).length > 0, expected.join().startsWith("error "));
    });
  it("an empty call leaves the authentication without a domain", () => {
    assert.deepEqual(flagged(declares("")), [
      "warning network-domain-form: addNetworkDomain",
      "error network-domain-missing: setUserAuthentication",
    ]);
  });
});

staySilent("what may be a domain", {
  "a function of one's own": `${NEW}const addNetworkDomain = () => pack.addNetworkDomain("acme.com");\naddNetworkDomain();\n`,
  "a function that is declared": `${NEW}function addNetworkDomain() { pack.addNetworkDomain("acme.com"); }\naddNetworkDomain();\n`,
  "a method of one's own": `${NEW}class Registry { addNetworkDomain() { pack.addNetworkDomain("acme.com"); } }\nnew Registry().addNetworkDomain();\n`,
  "a property of one's own": `${NEW}const registry = { addNetworkDomain: () => pack.addNetworkDomain("acme.com") };\nregistry.addNetworkDomain();\n`,
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
  "letters of others": declares('"münchen.example"'),
  "in the form that is sent": declares('"xn--mnchen-3ya.example"'),
  "with an underscore": declares('"_api.acme.com"'),
  "a host of this machine": declares('"127.0.0.1"'),
  "of numbers": declares('"1.1.1.acme.com"'),
  "called todo": declares('"todo.acme.com"'),
  "of people called Your": declares('"yourls.org"'),
  "in a file that is a template": declares('"{{domain}}"'),
  "in a file that a build fills in": declares('"%DOMAIN%"'),
  "put together": declares("`${process.env.TENANT}.acme.com`"),
  "no domain in a list that is spread": `${NEW}pack.addNetworkDomain(...[]);\n`,
  "in JavaScript": `${JS.replace("const pack", 'const { DOMAIN } = require("our-domains");\nconst pack')}pack.addNetworkDomain(DOMAIN);\n`,
});
