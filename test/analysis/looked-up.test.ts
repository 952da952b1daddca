// Values that are looked up in a table of constants, or taken of a list one by one: whatever is looked up, it is one of those that are there.
import assert from "node:assert/strict";
import { analyse, split } from "../support/analyse.ts";
import { problemsOf } from "../support/judged.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n`;
const DOMAIN = 'pack.addNetworkDomain("acme.example");\n';
const HOSTS = 'const HOSTS: Record<string, string> = { eu: "https://eu.acme.example", us: "https://us.other.example" };\n';
const sends = (url: string, before = ""): string =>
  `pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, execute: async function ([key], context) { ${before}const answer = await context.fetcher.fetch({ method: "GET", url: ${url} }); return answer.body; } });\n`;

const UNDECLARED = "fetch-host-undeclared: us.other.example";

const REQUESTS: Readonly<Record<string, readonly [source: string, ...findings: string[]]>> = {
  "of a table, by a parameter": [`${HEAD}${DOMAIN}${HOSTS}${sends('HOSTS[key] + "/x"')}`, UNDECLARED],
  "in a template": [
    `${HEAD}${DOMAIN}const NAMES: any = { eu: "eu.acme.example", us: "us.other.example" };\n${sends("`https://${NAMES[key]}/x`")}`,
    UNDECLARED,
  ],
  "in a constant of the function": [`${HEAD}${DOMAIN}${HOSTS}${sends("coda.joinUrl(base, 'x')", "const base = HOSTS[key]; ")}`, UNDECLARED],
  "with a fallback": [`${HEAD}${DOMAIN}${HOSTS}${sends("base + '/x'", 'const base = HOSTS[key] ?? "https://acme.example"; ')}`, UNDECLARED],
  "by a key with a default": [`${HEAD}${DOMAIN}${HOSTS}${sends('HOSTS[key || "eu"] + "/x"')}`, UNDECLARED],
  "of a table that has more written to it": [
    `${HEAD}${DOMAIN}const HOSTS: any = { us: "https://us.other.example" };\nHOSTS.eu = "https://eu.acme.example";\n${sends('HOSTS[key] + "/x"')}`,
    UNDECLARED,
  ],
  "of a table of another file": [
    `// @file: pack.ts\nimport { HOSTS } from "./hosts";\n${HEAD}${DOMAIN}${sends('HOSTS[key] + "/x"')}// @file: hosts.ts\nexport const HOSTS: Record<string, string> = {\n  eu: "https://eu.acme.example",\n  us: "https://us.other.example",\n};\n`,
    UNDECLARED,
  ],
  "in JavaScript": [
    '// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst hosts = require("./hosts");\nconst pack = coda.newPack();\nexports.pack = pack;\npack.addNetworkDomain("acme.example");\npack.addFormula({ name: "A", description: "A.", parameters: [], resultType: "string", execute: async ([key], context) => (await context.fetcher.fetch({ method: "GET", url: hosts.HOSTS[key] + "/x" })).body });\n// @file: hosts.js\nexports.HOSTS = { eu: "https://eu.acme.example", us: "https://us.other.example" };\n',
    UNDECLARED,
  ],
  "all of them declared": [`${HEAD}${DOMAIN}pack.addNetworkDomain("other.example");\n${HOSTS}${sends('HOSTS[key] + "/x"')}`],
  "by a name that is known": [`${HEAD}${DOMAIN}${HOSTS}${sends('HOSTS["eu"] + "/x"')}`],
  "of a table that may have more": [
    `${HEAD}${DOMAIN}const HOSTS: any = { ...JSON.parse("{}"), us: "https://us.other.example" };\n${sends('HOSTS[key] + "/x"')}`,
  ],
  "of a table that other code receives": [
    `${HEAD}import { fill } from "some-package";\n${DOMAIN}const HOSTS: any = { us: "https://us.other.example" };\nfill(HOSTS);\n${sends('HOSTS[key] + "/x"')}`,
  ],
};

const AUTH = "pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n";
const LIST = 'const DOMAINS = ["acme.example", "b.example"];\n';
const CHOICE = "network-domain-choice";

/** What the upload says of each is what is found. */
const LOOPS: Readonly<Record<string, readonly [source: string, ...findings: string[]]>> = {
  "a loop by an index": [
    `${HEAD}${LIST}for (let i = 0; i < DOMAINS.length; i++) pack.addNetworkDomain(DOMAINS[i]);\n${AUTH}`,
    `${CHOICE}: type: coda.AuthenticationType.HeaderBearerToken`,
  ],
  "an invalid domain in the list": [
    `${HEAD}const DOMAINS = ["acme.example", "https://b.example"];\nfor (let index = 0; index < DOMAINS.length; ++index) {\n  pack.addNetworkDomain(DOMAINS[index]);\n}\n`,
    'network-domain-form: "https://b.example"',
  ],
  "steps that are added": [
    `${HEAD}const DOMAINS = ["acme.example/"];\nfor (let i = 0; i < DOMAINS.length; i += 1) { pack.addNetworkDomain(DOMAINS[i]!); }\n`,
    'network-domain-form: "acme.example/"',
  ],
  "the indexes of a list": [
    `${HEAD}${LIST}for (const i in DOMAINS) pack.addNetworkDomain(DOMAINS[i]);\n${AUTH}`,
    `${CHOICE}: type: coda.AuthenticationType.HeaderBearerToken`,
  ],
  "a list of another file": [
    `// @file: pack.ts\nimport { DOMAINS } from "./domains";\n${HEAD}for (let i = 0; i < DOMAINS.length; i++) pack.addNetworkDomain(DOMAINS[i]);\n${AUTH}// @file: domains.ts\nexport const DOMAINS = ["acme.example", "b.example"];\n`,
    `${CHOICE}: type: coda.AuthenticationType.HeaderBearerToken`,
  ],
  "in JavaScript": [
    `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst pack = coda.newPack();\nexports.pack = pack;\nvar DOMAINS = ["acme.example", "b.example"];\nfor (var i = 0; i < DOMAINS.length; i++) pack.addNetworkDomain(DOMAINS[i]);\n${AUTH}`,
    `${CHOICE}: type: coda.AuthenticationType.HeaderBearerToken`,
  ],
  "a loop over one": [
    `${HEAD}const DOMAINS = ["acme.example"];\nfor (let i = 0; i < DOMAINS.length; i++) pack.addNetworkDomain(DOMAINS[i]);\n${AUTH}`,
  ],
  "a loop that leaves the first out": [
    `${HEAD}${LIST}for (let i = 1; i < DOMAINS.length; i++) pack.addNetworkDomain(DOMAINS[i]);\n${AUTH}`,
  ],
  "a loop that goes two steps": [`${HEAD}${LIST}for (let i = 0; i < DOMAINS.length; i += 2) pack.addNetworkDomain(DOMAINS[i]);\n${AUTH}`],
  "a loop that looks at the index": [
    `${HEAD}${LIST}for (let i = 0; i < DOMAINS.length; i++) if (i > 0) pack.addNetworkDomain(DOMAINS[i]);\n${AUTH}`,
  ],
};

function readFindings(source: string): readonly string[] {
  const files = split(source);
  const analysis = analyse(files, { toolkit: true });
  return Object.keys(files).flatMap((file) =>
    analysis
      .diagnostics(file)
      .filter(({ severity }) => severity !== "information")
      .map(({ rule, place }) => `${rule}: ${files[place.file]?.slice(place.start, place.end)}`),
  );
}

describe("URLs looked up in a table", () => {
  for (const [name, [source, ...expected]] of Object.entries(REQUESTS))
    it(`the looked-up URL gets the expected findings: ${name}`, () => assert.deepEqual(readFindings(source), expected));
});

describe("domains that a loop declares by the index of a list", function () {
  this.timeout(60_000);
  for (const [name, [source, ...expected]] of Object.entries(LOOPS))
    it(`the domains of a loop are judged as the upload judges them: ${name}`, async () => {
      assert.deepEqual(readFindings(source), expected);
      const problems = await problemsOf(split(source));
      assert.equal(problems.length, expected.length, problems.join());
    });
});
