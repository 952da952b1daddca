// Domains and URLs that are nearly right: letter case, what cannot be seen, a top-level domain, a scheme that is none.
import assert from "node:assert/strict";
import { analyse, split } from "../support/analyse.ts";
import { fixesOf } from "../support/flagged.ts";
import { uploadProblemsOfSource } from "../support/validator.ts";

const pack = (domains: readonly string[], config: string): string =>
  `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n${domains.map((domain) => `pack.addNetworkDomain(${JSON.stringify(domain)});\n`).join("")}pack.setUserAuthentication({ ${config} } as any);\n`;
const BEARER = "type: coda.AuthenticationType.HeaderBearerToken";
/** Two domains, and the system's account. */
const system = (user: string): string =>
  `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.com");\npack.addNetworkDomain("acme.org");\n${user}pack.setSystemAuthentication({ ${BEARER} });\n`;
const CLIENT = "type: coda.AuthenticationType.OAuth2ClientCredentials";

/** The source, whether the upload rejects it, and what is said. */
const CASES: Readonly<Record<string, readonly [source: string, rejected: boolean, ...findings: string[]]>> = {
  "networkDomain in another case": [
    pack(["Acme.com", "acme.org"], `${BEARER}, networkDomain: "acme.com"`),
    true,
    "error network-domain-unmatched",
  ],
  "networkDomain in the same case": [pack(["Acme.com", "acme.org"], `${BEARER}, networkDomain: "Acme.com"`), false],
  "endpointDomain in another case": [
    pack(["Acme.com"], `${BEARER}, requiresEndpointUrl: true, endpointDomain: "acme.com"`),
    true,
    "error endpoint-domain-undeclared",
  ],
  "endpointDomain under a domain in another case": [
    pack(["acme.com"], `${BEARER}, requiresEndpointUrl: true, endpointDomain: "eu.ACME.com"`),
    true,
    "error endpoint-domain-undeclared",
  ],
  "networkDomain, and no domain is declared": [
    pack([], `${BEARER}, requiresEndpointUrl: true, networkDomain: "acme.com"`),
    true,
    "error network-domain-unmatched",
  ],
  "a list, and no domain is declared": [
    pack([], `${BEARER}, requiresEndpointUrl: true, networkDomain: ["acme.com"]`),
    true,
    "error network-domain-unmatched",
  ],
  "no choice, for the system's account alone": [system(""), true, "error network-domain-choice"],
  "no choice, beside users without an account": [system("pack.setUserAuthentication({ type: coda.AuthenticationType.None });\n"), false],
  "an invisible character": [pack(["acme\u200b.com"], BEARER), false, "error network-domain-form"],
  "an invisible character at the beginning": [pack(["\ufeffacme.com"], BEARER), false, "error network-domain-form"],
  "a top-level domain": [pack(["com"], BEARER), false, "warning network-domain-form"],
  "a country": [pack(["IO"], BEARER), false, "warning network-domain-form"],
  "an invalid scheme": [pack(["acme.com"], `${CLIENT}, tokenUrl: "htps://acme.com/token"`), false, "error oauth2-url-form"],
  "another scheme": [pack(["acme.com"], `${CLIENT}, tokenUrl: "ftp://acme.com/token"`), false, "error oauth2-url-form"],
  "a scheme in another case": [pack(["acme.com"], `${CLIENT}, tokenUrl: "HTTPS://acme.com/token"`), false],
  "a placeholder for a repository": [
    pack(["github.com"], `${BEARER}, instructionsUrl: "https://github.com/acme/your-repo"`),
    false,
    "warning url-placeholder",
  ],
  "a placeholder for a user": [
    pack(["acme.com"], `${BEARER}, instructionsUrl: "https://acme.com/YOUR_USERNAME/keys"`),
    false,
    "warning url-placeholder",
  ],
  "a page about repositories": [
    pack(["github.com"], `${BEARER}, instructionsUrl: "https://docs.github.com/creating-your-repository-from-a-template"`),
    false,
  ],
};

const findRules = (source: string): readonly string[] => {
  const files = split(source);
  const analysis = analyse(files);
  return Object.keys(files).flatMap((file) => analysis.diagnostics(file).map(({ severity, rule }) => `${severity} ${rule}`));
};

describe("nearly right domains and URLs", () => {
  for (const [name, [source, isRejected, ...expected]] of Object.entries(CASES))
    it(`findings agree with the upload: ${name}`, async () => {
      assert.deepEqual(findRules(source), expected);
      assert.equal((await uploadProblemsOfSource(source)).length > 0, isRejected);
    });

  it("an unmatched domain is flagged in JavaScript across files", () => {
    assert.deepEqual(
      findRules(
        '// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst { DOMAIN, AUTH } = require("./auth");\nconst pack = coda.newPack();\npack.addNetworkDomain(DOMAIN, "acme.org");\npack.setUserAuthentication(AUTH);\nmodule.exports = { pack };\n// @file: auth.js\nconst coda = require("@codahq/packs-sdk");\nexports.DOMAIN = "Acme.com";\nexports.AUTH = { type: coda.AuthenticationType.HeaderBearerToken, networkDomain: "acme.com" };\n',
      ),
      ["error network-domain-unmatched"],
    );
  });

  it("keys of Custom authentication may go to all services, and the upload accepts each choice", async () => {
    const params = 'params: [{ name: "a", description: "A." }, { name: "b", description: "B." }]';
    const several = ["acme.com", "files.example"];
    const choices = async (config: string): Promise<readonly string[]> => {
      const fixes = fixesOf(pack(several, config), "network-domain-choice");
      for (const [title, fixed] of Object.entries(fixes)) assert.deepEqual(await uploadProblemsOfSource(fixed), [], title);
      return Object.keys(fixes);
    };
    const one = several.map((domain) => `Send the credentials to ${domain}`);
    assert.deepEqual(await choices(`type: coda.AuthenticationType.Custom, ${params}`), [...one, "Send the credentials to all of them"]);
    // One token for all would give it to each of them.
    assert.deepEqual(await choices(BEARER), one);
  });
});

it("a domain with a port gets a warning that does not claim to know the platform", () => {
  const source = pack(["acme.com:8443"], BEARER);
  const [only, ...more] = analyse({ "/pack/pack.ts": source })
    .diagnostics("/pack/pack.ts")
    .filter(({ rule }) => rule === "network-domain-form");
  assert.deepEqual(more, []);
  assert.equal(only?.severity, "warning");
  assert.match(only?.message ?? "", /"acme\.com:8443" has a port, and the platform may know hosts without one only\.$/);
});
