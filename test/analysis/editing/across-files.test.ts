// What is wrong with a configuration is found where it stands in another file, and said there: in TypeScript behind an import, an index and
// a function, in JavaScript behind `require`. The pack is bundled, and the upload validator says the same of it.
import assert from "node:assert/strict";
import { analyse, type Files } from "../../support/analyse.ts";
import { problemsOf } from "../../support/judged.ts";

interface Sample {
  /** The rules that speak; none of what is right. */
  readonly errors: readonly string[];
  /** The upload takes it: it fails when somebody signs in. */
  readonly isAccepted?: boolean;
  /** What the other file exports as AUTH. */
  readonly auth: string;
  /** What else stands in the other file, before it and behind it. */
  readonly before?: string;
  readonly after?: string;
  /** What is done with AUTH in the pack's own file. */
  readonly pack?: string;
}

const DOMAIN = 'pack.addNetworkDomain("acme.example");\n';
const SET = `${DOMAIN}pack.setUserAuthentication(AUTH);\n`;
const BEARER = "{ type: coda.AuthenticationType.HeaderBearerToken }";
const HEADER = "type: coda.AuthenticationType.CustomHeaderToken";
const OAUTH =
  'type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t"';
const NEEDS_ACCOUNT = `{ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, connectionRequirement: coda.ConnectionRequirement.Required, execute: async () => "" }`;

const SAMPLES: Readonly<Record<string, Sample>> = {
  "a formula pushed into the pack's list, with its requirement elsewhere": {
    errors: ["requirement-without-auth"],
    auth: NEEDS_ACCOUNT,
    pack: "pack.formulas.push(coda.makeFormula(AUTH));\n",
  },
  "a class that sets the pack up": {
    errors: ["field-missing"],
    auth: `{ ${HEADER} }`,
    pack: `${DOMAIN}class Setup { register(to) { to.setUserAuthentication(AUTH); } }\nnew Setup().register(pack);\n`,
  },
  "a param with a field of another object": {
    errors: ["field-unknown"],
    auth: '{ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key", type: "x" }] }',
  },
  "a header with a field of another object": {
    errors: ["field-unknown"],
    auth: '{ type: coda.AuthenticationType.MultiHeaderToken, headers: [{ name: "X-Key", description: "Key", paramName: "x" }] }',
  },
  "a definition without a setter": {
    errors: ["field-missing"],
    auth: `{ ${HEADER} }`,
    pack: 'pack.networkDomains = ["acme.example"];\npack.defaultAuthentication = AUTH;\n',
  },
  "domains without a setter": {
    errors: ["network-domain-form"],
    auth: '["https://acme.example"]',
    pack: "pack.networkDomains = AUTH;\n",
  },
  "no params, and an endpoint that users enter": {
    errors: [],
    auth: "{ type: coda.AuthenticationType.MultiQueryParamToken, params: [], requiresEndpointUrl: true }",
  },
  "a field that is written later": { errors: ["field-not-for-type"], auth: BEARER, after: 'AUTH.headerName = "X-Key";\n' },
  "an object merged by Object.assign": {
    errors: ["field-missing"],
    before: `const BASE = { instructionsUrl: "https://acme.example/keys" };\n`,
    auth: `Object.assign({}, BASE, { ${HEADER} })`,
  },
  "spread fields": {
    errors: ["field-not-for-type"],
    before: 'const BASE = { paramName: "key" };\n',
    auth: "{ ...BASE, type: coda.AuthenticationType.HeaderBearerToken }",
  },
  "conditionally spread fields": {
    errors: ["field-missing"],
    before: "const BETA = process.env.BETA_OF_NOBODY;\n",
    auth: `{ ${HEADER}, ...(BETA ? { headerName: "X-Key" } : {}) }`,
  },
  "a function with a default": {
    errors: ["field-not-for-type"],
    before: 'const make = (paramName = "key") => ({ type: coda.AuthenticationType.HeaderBearerToken, paramName });\n',
    auth: "make()",
  },
  "a static method": {
    errors: ["field-missing"],
    before: `class Auth { static make() { return { ${HEADER} }; } }\n`,
    auth: "Auth.make()",
  },
  "one of two configurations by a condition": {
    errors: ["field-missing"],
    before: "const BETA = process.env.BETA_OF_NOBODY;\n",
    auth: `BETA ? ${BEARER} : { ${HEADER} }`,
  },
  "domains that a loop adds": {
    errors: ["network-domain-choice"],
    auth: '["acme.example", "b.example"]',
    pack: `for (let i = 0; i < AUTH.length; i++) pack.addNetworkDomain(AUTH[i]);\npack.setUserAuthentication(${BEARER});\n`,
  },
  "a misspelt scheme": {
    errors: ["oauth2-url-form"],
    isAccepted: true,
    auth: '{ type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "htps://login.acme.example/t" }',
  },
  "a domain in another case": {
    errors: ["network-domain-unmatched"],
    auth: `{ type: coda.AuthenticationType.HeaderBearerToken, networkDomain: "ACME.example" }`,
  },
  "a networkDomain without a declared domain": {
    errors: ["network-domain-missing"],
    auth: `{ type: coda.AuthenticationType.HeaderBearerToken, networkDomain: "acme.example" }`,
    pack: "pack.setUserAuthentication(AUTH);\n",
  },
  "a prefix with a colon": { errors: [], auth: `{ ${HEADER}, headerName: "X-Key", tokenPrefix: "Bearer: " }` },
  "every field of OAuth2": { errors: [], auth: `{ ${OAUTH}, scopes: ["read"], tokenPrefix: "Bearer", useProofKeyForCodeExchange: true }` },
};

const importing = (from: string, name: string): string =>
  `import * as coda from "@codahq/packs-sdk";\n${from}export const pack = coda.newPack();\n${name}`;
const requiring = (from: string): string =>
  `const coda = require("@codahq/packs-sdk");\n${from}const pack = coda.newPack();\nexports.pack = pack;\n`;
const TS = 'import * as coda from "@codahq/packs-sdk";\n';
const JS = 'const coda = require("@codahq/packs-sdk");\n';

/** The sample's files, the pack's first; what is wrong stands in the last. */
const FORMS: Readonly<Record<string, (sample: Required<Sample>) => Files>> = {
  "in TypeScript": ({ auth, before, after, pack }) => ({
    "/pack/pack.ts": importing('import { AUTH } from "./auth";\n', pack),
    "/pack/auth.ts": `${TS}${before}export const AUTH: any = ${auth};\n${after}`,
  }),
  "in TypeScript, through an index and by default": ({ auth, before, after, pack }) => ({
    "/pack/pack.ts": importing('import AUTH from "./auth";\n', pack),
    "/pack/auth/index.ts": 'export { default } from "./user";\n',
    "/pack/auth/user.ts": `${TS}${before}const AUTH: any = ${auth};\n${after}export default AUTH;\n`,
  }),
  "in JavaScript": ({ auth, before, after, pack }) => ({
    "/pack/pack.js": `${requiring('const { AUTH } = require("./auth");\n')}${pack}`,
    "/pack/auth.js": `${JS}${before}const AUTH = ${auth};\n${after}exports.AUTH = AUTH;\n`,
  }),
  "in JavaScript, with or without a default": ({ auth, before, after, pack }) => ({
    "/pack/pack.js": `${requiring('const m = require("./auth");\nconst AUTH = m.default ?? m;\n')}${pack}`,
    "/pack/auth.js": `${JS}${before}const AUTH = ${auth};\n${after}module.exports = AUTH;\n`,
  }),
};

/** The rules whose errors are found; with the file, where that is not the pack's own. */
function errorsOf(files: Files): readonly string[] {
  const analysis = analyse(files, { toolkit: true });
  return Object.keys(files).flatMap((file) =>
    analysis.diagnostics(file).flatMap(({ severity, rule }) => (severity === "error" ? rule : [])),
  );
}

describe("a configuration in another file", function () {
  this.timeout(60_000);
  for (const [name, { before = "", after = "", pack = SET, isAccepted = false, ...sample }] of Object.entries(SAMPLES))
    for (const [form, buildFiles] of Object.entries(FORMS))
      it(`${name}, ${form}: findings agree with the upload`, async () => {
        const files = buildFiles({ ...sample, isAccepted, before, after, pack });
        assert.deepEqual(errorsOf(files), sample.errors);
        const problems = await problemsOf(files);
        assert.doesNotMatch(problems.join(), /does not load/);
        assert.equal(problems.length > 0, sample.errors.length > 0 && !isAccepted, problems.join());
      });
});
