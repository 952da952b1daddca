// Configurations and domains that are changed or computed after their literal: what the upload validator rejects of them is an error, where
// it stands; and nothing is said of what it takes.
import assert from "node:assert/strict";
import { analyse, split } from "../support/analyse.ts";
import { problemsOf } from "../support/judged.ts";

const SDK = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n`;
const HEAD = `${SDK}pack.addNetworkDomain("acme.example");\n`;
const TYPE = "type: coda.AuthenticationType.CustomHeaderToken";
const set = (before: string, config: string): string => `${HEAD}${before}\npack.setUserAuthentication(${config});\n`;

interface Case {
  readonly source: string;
  /** Errors, by rule and text; none where the validator has none. */
  readonly errors: readonly string[];
  /** The validator takes what it happens to be given here. */
  readonly mayPass?: true;
}

const CASES: Readonly<Record<string, Case>> = {
  "a field that is written later": {
    source: set(`const auth: any = { ${TYPE}, headerName: "X-Key" };\nauth.tokenPrefx = "Token";`, "auth"),
    errors: ["field-unknown tokenPrefx"],
  },
  "a field that is written by its name in quotes": {
    source: set(`const auth: any = { ${TYPE}, headerName: "X-Key" };\nauth["paramName"] = "key";`, "auth"),
    errors: ["field-not-for-type paramName"],
  },
  "a field that is replaced": {
    source: set(`const auth: any = { ${TYPE}, headerName: "X-Key" };\nauth.headerName = 1;`, "auth"),
    errors: ["field-type 1"],
  },
  "all fields one after the other": {
    source: set(`const auth: any = {};\nauth.type = coda.AuthenticationType.CustomHeaderToken;\nauth.headerName = ["X-Key"];`, "auth"),
    errors: [`field-type ["X-Key"]`],
  },
  "fields that make it right": {
    source: set(`const auth: any = { ${TYPE}, headerName: 1 };\nauth.headerName = "X-Key";\nauth.tokenPrefix = "Token";`, "auth"),
    errors: [],
  },
  "a field that is written in a function": {
    source: `${HEAD}function setUp() {\n  const auth: any = { ${TYPE} };\n  auth.headerNam = "X-Key";\n  auth.headerName = "X-Key";\n  pack.setUserAuthentication(auth);\n}\nsetUp();\n`,
    errors: ["field-unknown headerNam"],
  },
  "a field that is written by a condition": {
    source: set(`const auth: any = { ${TYPE} };\nif (!auth.headerName) auth.headerName = "X-Key";`, "auth"),
    errors: [],
  },
  "a field that is written under another name": {
    source: set(`const auth: any = { ${TYPE} };\nconst same = auth;\nsame.headerName = "X-Key";`, "auth"),
    errors: [],
  },
  "the result of an async function, in place of the function": {
    source: set(`const whoAmI = async (context?: any) => "Ada";`, `{ ${TYPE}, headerName: "X-Key", getConnectionName: whoAmI() } as any`),
    errors: ["field-type whoAmI()"],
    mayPass: true,
  },
  "a string of an async function": {
    source: set(`const names = { async header() { return "X-Key"; } };`, `{ ${TYPE}, headerName: names.header() } as any`),
    errors: ["field-type names.header()"],
  },
  "a function that returns a string, or a function again": {
    source: set(
      `const make = (name: string) => async () => name;\nconst text = () => "X-Key";`,
      `{ ${TYPE}, headerName: text(), getConnectionName: make("Ada") }`,
    ),
    errors: [],
  },
  "a configuration that is reassigned": {
    source: set(`let auth: any = { ${TYPE} };\nauth = { ...auth, headerNam: "X-Key", headerName: "X-Key" };`, "auth"),
    errors: ["field-unknown headerNam"],
  },
  "a domain passed to a helper": {
    source: `${HEAD}function setUp(to: any, domain: string) {\n  to.setUserAuthentication({ ${TYPE}, headerName: "X-Key", networkDomain: domain });\n}\nsetUp(pack, "other.example");\n`,
    errors: ["network-domain-unmatched domain"],
  },
  "a domain passed to a helper, and declared": {
    source: `${HEAD}function setUp(to: any, domain: string) {\n  to.setUserAuthentication({ ${TYPE}, headerName: "X-Key", networkDomain: domain });\n}\nsetUp(pack, "acme.example");\n`,
    errors: [],
  },
  "a default that a helper's call does not replace": {
    source: `${HEAD}const setUp = (to: any, { header = 1 }: any = {}) => {\n  to.setUserAuthentication({ ${TYPE}, headerName: header });\n};\nsetUp(pack);\n`,
    errors: ["field-type header"],
  },
  "fields that a helper of another file adds to": {
    source: `// @file: pack.ts\nimport { setUp } from "./set-up";\n${HEAD}setUp(pack, { headerNam: "X-Key", headerName: "X-Key" });\n// @file: set-up.ts\nimport * as coda from "@codahq/packs-sdk";\nexport const setUp = (to: any, fields: any) => to.setUserAuthentication({ ${TYPE}, ...fields });\n`,
    errors: ["field-unknown headerNam"],
  },
  "a name passed to a helper, in JavaScript": {
    source: `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst pack = coda.newPack();\nexports.pack = pack;\npack.addNetworkDomain("acme.example");\nrequire("./set-up").setUp(pack, 1);\n// @file: set-up.js\nconst coda = require("@codahq/packs-sdk");\nexports.setUp = (to, name) => to.setUserAuthentication({ ${TYPE}, headerName: name });\n`,
    errors: ["field-type name"],
  },
  "a domain that a helper tests first": {
    source: `${HEAD}function setUp(to: any, domain?: string) {\n  if (!domain) return;\n  to.setUserAuthentication({ ${TYPE}, headerName: "X-Key", networkDomain: domain });\n}\nsetUp(pack, "");\n`,
    errors: [],
  },
  "a domain passed to a helper of a helper": {
    source: `${HEAD}const inner = (to: any, domain: string) => to.setUserAuthentication({ ${TYPE}, headerName: "X-Key", networkDomain: domain });\nconst outer = (pack: any, domain: string) => inner(pack, domain);\nouter(pack, "other.example");\n`,
    errors: ["network-domain-unmatched domain"],
  },
  "a configuration with a name in a helper": {
    source: `${HEAD}function setUp(to: any, header: unknown) {\n  const auth: any = { ${TYPE}, headerName: header };\n  to.setUserAuthentication(auth);\n}\nsetUp(pack, 1);\n`,
    errors: ["field-type header"],
  },
  "a domain that a helper replaces": {
    source: `${HEAD}function setUp(to: any, domain: string) {\n  if (domain !== "acme.example") domain = "acme.example";\n  to.setUserAuthentication({ ${TYPE}, headerName: "X-Key", networkDomain: domain });\n}\nsetUp(pack, "other.example");\n`,
    errors: [],
  },
  "a list that is mapped": {
    source: set("", `{ ${TYPE}, headerName: "X-Key", networkDomain: ["a", "b"].map((sub) => sub + ".acme.example") } as any`),
    errors: [`network-domain-unmatched sub + ".acme.example"`, `network-domain-unmatched sub + ".acme.example"`],
  },
  "a list that is mapped to what is declared": {
    source: set('const SUBS = ["acme"];', `{ ${TYPE}, headerName: "X-Key", networkDomain: SUBS.map((sub) => \`\${sub}.example\`) } as any`),
    errors: [],
  },
  "objects that a list is mapped to": {
    source: set(
      "",
      `{ type: coda.AuthenticationType.MultiHeaderToken, headers: ["A", "B"].map((name) => ({ name, descripton: name, description: "D" })) } as any`,
    ),
    errors: ["field-unknown descripton"],
  },
  "objects that a list is mapped to, and one more": {
    source: set(
      `const headers: any[] = ["A", "B"].map((name) => ({ name, description: "D" }));\nheaders.push({ name: "C", description: "D" });`,
      "{ type: coda.AuthenticationType.MultiHeaderToken, headers } as any",
    ),
    errors: [],
  },
  "objects that a list is mapped to in a helper of another file, in JavaScript": {
    source: `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst { headersOf } = require("./headers");\nconst pack = coda.newPack();\nexports.pack = pack;\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.MultiHeaderToken, headers: headersOf(["A", "B"]) });\n// @file: headers.js\nexports.headersOf = (names) => names.map((name) => ({ name, descripton: name, description: "D" }));\n`,
    errors: ["field-unknown descripton"],
  },
  "a copy that is written to": {
    source: set(`const base: any = { ${TYPE} };\nconst auth = structuredClone(base);\nauth.headerName = "X-Key";`, "auth"),
    errors: [],
  },
  "a copy": { source: set(`const base: any = { ${TYPE} };`, "structuredClone(base)"), errors: [`field-missing ${TYPE}`] },
  "domains that are the names in an object": {
    source: `${SDK}const DOMAINS = { "acme.example": 1, "https://other.example": 2 };\nfor (const domain in DOMAINS) pack.addNetworkDomain(domain);\npack.setUserAuthentication({ ${TYPE}, headerName: "X-Key", networkDomain: "acme.example" });\n`,
    errors: [`network-domain-form "https://other.example"`],
  },
  "domains that a list is mapped to": {
    source: `${SDK}["acme", "other"].map((name) => name + ".example/").forEach((domain) => pack.addNetworkDomain(domain));\npack.setUserAuthentication({ ${TYPE}, headerName: "X-Key", networkDomain: "acme.example" });\n`,
    errors: [`network-domain-form name + ".example/"`, `network-domain-form name + ".example/"`],
  },
  "Object.assign of a base": {
    source: set(`const base: any = { ${TYPE}, headerName: "X-Key" };`, `Object.assign({}, base, { tokenPrefx: "Token" })`),
    errors: ["field-unknown tokenPrefx"],
  },
  "Object.assign that lacks a field": {
    source: set(`const base: any = { tokenPrefix: "Token" };`, `Object.assign({ ${TYPE} }, base)`),
    errors: [`field-missing ${TYPE}`],
  },
  "Object.assign that has it all": {
    source: set(`const base: any = { headerName: "X-Key" };`, `Object.assign({}, base, { ${TYPE} })`),
    errors: [],
  },
  "Object.assign into the configuration": {
    source: set(`const auth: any = { ${TYPE}, headerName: "X-Key" };\nObject.assign(auth, { tokenPrefx: "Token" });`, "auth"),
    errors: ["field-unknown tokenPrefx"],
  },
  "Object.assign of an unknown object": {
    source: set(`const auth: any = { ${TYPE} };\nObject.assign(auth, JSON.parse('{"headerName":"X-Key"}'));`, "auth"),
    errors: [],
  },
  "a function with a default": {
    source: set(`const make = (headerName: any = 1): any => ({ ${TYPE}, headerName });`, "make()"),
    errors: ["field-type headerName"],
  },
  "a function with a default that is replaced": {
    source: set(`const make = (headerName: any = 1): any => ({ ${TYPE}, headerName });`, `make("X-Key")`),
    errors: [],
  },
  "a function with destructured parameters": {
    source: set(
      `function make({ headerName = 1, prefix }: any = {}): any { return { ${TYPE}, headerName, tokenPrefix: prefix }; }`,
      `make({ prefix: "Token" })`,
    ),
    errors: ["field-type headerName"],
  },
  "a function with its argument": {
    source: set(`const make = (options: any): any => ({ ${TYPE}, headerName: options.header });`, `make({ header: true })`),
    errors: ["field-type options.header"],
  },
  "a function that changes its argument": {
    source: set(
      `function make(name: any = 1): any {\n  if (name === 1) name = "X-Key";\n  return { ${TYPE}, headerName: name };\n}`,
      "make()",
    ),
    errors: [],
  },
  "a function that calls a function": {
    source: set(
      `const base = (name: any): any => ({ ${TYPE}, headerName: name });\nconst make = (name: any = 2): any => base(name);`,
      "make()",
    ),
    errors: ["field-type name"],
  },
  "a static method": {
    source: set(
      `class Auth {\n  static config(): any {\n    return { ${TYPE}, headerName: "X-Key", tokenPrefx: "Token" };\n  }\n}`,
      "Auth.config()",
    ),
    errors: ["field-unknown tokenPrefx"],
  },
  "a static property": {
    source: set(`class Auth {\n  static config: any = { ${TYPE}, headerNam: "X-Key", headerName: "X-Key" };\n}`, "Auth.config"),
    errors: ["field-unknown headerNam"],
  },
  "a static property that is corrected": {
    source: set(`class Auth {\n  static config: any = { ${TYPE} };\n}\nAuth.config.headerName = "X-Key";`, "Auth.config"),
    errors: [],
  },
  "a method of a new object": {
    source: set(
      `class Auth {\n  config(): any {\n    return { ${TYPE}, headerNam: "X-Key", headerName: "X-Key" };\n  }\n}`,
      "new Auth().config()",
    ),
    errors: ["field-unknown headerNam"],
  },
  "one branch of a field": {
    source: set("", `{ ${TYPE}, headerName: globalThis.test ? "X-Key" : 1 } as any`),
    errors: ["field-type 1"],
  },
  "one branch of a field that is not taken": {
    source: set("", `{ ${TYPE}, headerName: globalThis.test ? 1 : "X-Key" } as any`),
    errors: ["field-type 1"],
    mayPass: true,
  },
  "one branch of the configuration": {
    source: set(`const auth: any = globalThis.test ? { ${TYPE}, headerName: "X-Key" } : { ${TYPE} };`, "auth"),
    errors: [`field-missing ${TYPE}`],
  },
  "one return of a function": {
    source: set(
      `function make(): any {\n  if (globalThis.test) return { ${TYPE}, headerName: "X-Key" };\n  return { ${TYPE}, headerName: 1 };\n}`,
      "make()",
    ),
    errors: ["field-type 1"],
  },
  "fields by conditions that go together": {
    source: set(
      "const test = globalThis.test;",
      `{ type: test ? coda.AuthenticationType.QueryParamToken : coda.AuthenticationType.HeaderBearerToken, ...(test ? { paramName: "key" } : {}) } as any`,
    ),
    errors: [],
  },
  "domains in a loop": {
    source: `${SDK}const domains = ["acme.example", "https://acme.test"];\nfor (const domain of domains) pack.addNetworkDomain(domain);\n`,
    errors: [`network-domain-form "https://acme.test"`],
  },
  "several domains in a loop": {
    source: `${SDK}for (const domain of ["acme.example", "acme.test"]) {\n  pack.addNetworkDomain(domain);\n}\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n`,
    errors: ["network-domain-choice type: coda.AuthenticationType.HeaderBearerToken"],
  },
  "several domains by forEach": {
    source: `${SDK}const domains = ["acme.example", "acme.test"];\ndomains.forEach((domain) => pack.addNetworkDomain(domain));\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n`,
    errors: ["network-domain-choice type: coda.AuthenticationType.HeaderBearerToken"],
  },
  "domains of an object's values": {
    source: `${SDK}const hosts = { us: "acme.example", eu: "acme.test/eu" };\nObject.values(hosts).forEach((host) => {\n  pack.addNetworkDomain(host);\n});\n`,
    errors: [`network-domain-form "acme.test/eu"`],
  },
  "domains that are put together in a loop": {
    source: `${SDK}for (const region of ["us", "eu"]) pack.addNetworkDomain(\`\${region}.acme.example/v1\`);\n`,
    errors: ["network-domain-form `${region}.acme.example/v1`", "network-domain-form `${region}.acme.example/v1`"],
  },
  "domains of which some are filtered out": {
    source: `${SDK}for (const domain of ["acme.example", "acme.test"]) if (domain.endsWith("example")) pack.addNetworkDomain(domain);\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n`,
    errors: [],
  },
  "a loop behind a condition": {
    source: `${SDK}pack.addNetworkDomain("acme.example");\nif (globalThis.test) for (const domain of ["a.example", "b.example"]) pack.addNetworkDomain(domain);\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n`,
    errors: [],
  },
  "across files": {
    source: `// @file: pack.ts\nimport { settings } from "./settings";\n${set("", `settings("Key")`)}// @file: settings.ts\nimport * as coda from "@codahq/packs-sdk";\nexport function settings(prefix: string, name: any = 1): any {\n  const auth: any = { ${TYPE} };\n  auth.tokenPrefix = prefix;\n  auth.headerName = name;\n  auth.tokenPrefx = prefix;\n  return auth;\n}\n`,
    errors: ["field-unknown tokenPrefx", "field-type name"],
  },
  "JSON that is required where it is used": {
    source: `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst pack = coda.newPack();\nexports.pack = pack;\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({ ...require("./all.json").auth, headerName: "X-Key" });\n// @file: all.json\n{ "auth": { "type": "CustomHeaderToken", "tokenPrefx": "Token" } }\n`,
    errors: [`field-unknown "tokenPrefx"`],
  },
  "JSON that is required in a function": {
    source: `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst pack = coda.newPack();\nexports.pack = pack;\npack.addNetworkDomain("acme.example");\nfunction setUp() {\n  const auth = require("./auth.json");\n  pack.setUserAuthentication(auth);\n}\nsetUp();\n// @file: auth.json\n{ "type": "CustomHeaderToken", "headerName": "X-Key" }\n`,
    errors: [],
  },
  "in JavaScript": {
    source: `const coda = require("@codahq/packs-sdk");\nconst pack = coda.newPack();\nexports.pack = pack;\n["acme.example"].forEach(function (domain) { pack.addNetworkDomain(domain); });\nvar auth = {};\nauth.type = coda.AuthenticationType.QueryParamToken;\nauth.paramNam = "key";\npack.setUserAuthentication(Object.assign({}, auth, { paramName: "key" }));\n`,
    errors: ["field-unknown paramNam"],
  },
};

describe("changed or computed configurations", function () {
  this.timeout(60_000);
  for (const [name, { source, errors, mayPass }] of Object.entries(CASES))
    it(`errors agree with the upload: ${name}`, async () => {
      const files = split(source);
      const analysis = analyse(files, { toolkit: true });
      const findings = Object.entries(files).flatMap(([file, text]) =>
        analysis
          .diagnostics(file)
          .filter(({ severity }) => severity === "error")
          .map(({ rule, place }) => `${rule} ${text.slice(place.start, place.end)}`),
      );
      assert.deepEqual([...findings].sort(), [...errors].sort());
      const problems = await problemsOf(files);
      if (mayPass !== true) assert.equal(problems.length > 0, errors.length > 0, problems.join("\n"));
    });
});
