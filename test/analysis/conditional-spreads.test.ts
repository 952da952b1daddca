// Configurations into which a condition spreads something: each of what may come of it is a configuration, and what is wrong with one of
// them is said, as the upload validator says it of the one that it is given. Nothing is said of conditions that go together.
import assert from "node:assert/strict";
import { analyse, apply, split } from "../support/analyse.ts";
import { problemsOf } from "../support/judged.ts";

const HEAD =
  'import * as coda from "@codahq/packs-sdk";\nconst BETA = process.env.BETA_OF_NOBODY === "1";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\n';
const user = (fields: string, before = ""): string => `${HEAD}${before}pack.setUserAuthentication({ ${fields} } as any);\n`;
const HEADER = "type: coda.AuthenticationType.CustomHeaderToken";

/** The upload sees what comes of BETA being false, and looks at no empty texts: what comes of the other is as wrong. */
const CASES: Readonly<Record<string, { readonly source: string; readonly expected: readonly string[]; readonly rejected: boolean }>> = {
  "a field that the type lacks, in one branch": {
    source: user(`${HEADER}, headerName: "X-Key", ...(BETA ? {} : { paramName: "key" })`),
    expected: ["field-not-for-type: paramName"],
    rejected: true,
  },
  "an unknown field in a branch that is not taken": {
    source: user(`type: coda.AuthenticationType.HeaderBearerToken, ...(BETA ? { tokenName: "x" } : {})`),
    expected: ["field-unknown: tokenName"],
    rejected: false,
  },
  "a required field in one branch only": {
    source: user(`${HEADER}, ...(BETA ? { headerName: "X-Key" } : {})`),
    expected: [`field-missing: ${HEADER}`],
    rejected: true,
  },
  "a required field in one branch, or null": {
    source: user(`${HEADER}, ...(BETA ? { headerName: "X-Key" } : null)`),
    expected: [`field-missing: ${HEADER}`],
    rejected: true,
  },
  "a required field in one branch, or false": {
    source: user(`${HEADER}, ...(BETA ? { headerName: "X-Key" } : false)`),
    expected: [`field-missing: ${HEADER}`],
    rejected: true,
  },
  "a value behind a name": {
    source: user(`${HEADER}, headerName: NAME`, 'const NAME = BETA ? "X Key" : "X-Key";\n'),
    expected: ["header-name-invalid: NAME"],
    rejected: false,
  },
  "a required field in one branch, by &&": {
    source: user(`${HEADER}, ...(BETA && { headerName: "X-Key" })`),
    expected: [`field-missing: ${HEADER}`],
    rejected: true,
  },
  "a required field in no branch": {
    source: user(`${HEADER}, ...(BETA ? { tokenPrefix: "Key" } : {})`),
    expected: [`field-missing: ${HEADER}`],
    rejected: true,
  },
  "an empty field by &&": {
    source: user(`${HEADER}, headerName: "X-Key", ...(!BETA && { headerName: "" })`),
    expected: ['field-empty: ""'],
    rejected: false,
  },
  "types by a condition": {
    source: user(`...(BETA ? { type: coda.AuthenticationType.HeaderBearerToken } : { type: coda.AuthenticationType.QueryParamToken })`),
    expected: ["field-missing: type: coda.AuthenticationType.QueryParamToken"],
    rejected: true,
  },
  "an object with a name": {
    source: user(`${HEADER}, headerName: "X-Key", ...(BETA ? {} : MORE)`, 'const MORE = { scopes: ["a"] };\n'),
    expected: ["field-not-for-type: scopes"],
    rejected: true,
  },
  "objects of another file": {
    source: `// @file: pack.ts\nimport { beta, stable } from "./auth";\n${HEAD}pack.setUserAuthentication({ ...(BETA ? beta : stable), instructionsUrl: "https://acme.example/keys" });\n// @file: auth.ts\nimport { AuthenticationType } from "@codahq/packs-sdk";\nexport const beta = { type: AuthenticationType.HeaderBearerToken as const };\nexport const stable: any = { type: AuthenticationType.CustomHeaderToken };\n`,
    expected: ["field-missing: type: AuthenticationType.CustomHeaderToken"],
    rejected: true,
  },
  "two types by a condition, neither with what it needs": {
    source: user(`type: BETA ? coda.AuthenticationType.CustomHeaderToken : coda.AuthenticationType.QueryParamToken`),
    expected: [
      "field-missing: type: BETA ? coda.AuthenticationType.CustomHeaderToken : coda.AuthenticationType.QueryParamToken",
      "field-missing: type: BETA ? coda.AuthenticationType.CustomHeaderToken : coda.AuthenticationType.QueryParamToken",
    ],
    rejected: true,
  },
  "two types by a condition, one of them without what it needs": {
    source: user(`type: BETA ? coda.AuthenticationType.HeaderBearerToken : coda.AuthenticationType.QueryParamToken`),
    expected: ["field-missing: type: BETA ? coda.AuthenticationType.HeaderBearerToken : coda.AuthenticationType.QueryParamToken"],
    rejected: true,
  },
  "two types by a condition, and a field that neither has": {
    source: user(`type: BETA ? coda.AuthenticationType.HeaderBearerToken : coda.AuthenticationType.WebBasic, paramName: "key"`),
    expected: ["field-not-for-type: paramName", "field-not-for-type: paramName"],
    rejected: true,
  },
  "two types by a condition, and a field that one of them has": {
    source: user(`type: BETA ? coda.AuthenticationType.HeaderBearerToken : coda.AuthenticationType.QueryParamToken, paramName: "key"`),
    expected: [],
    rejected: false,
  },
  "another field is written by a condition": {
    source: user("...CONFIG", `const CONFIG: any = { ${HEADER} };\nif (BETA) CONFIG.instructionsUrl = "https://acme.example/help";\n`),
    expected: [`field-missing: ${HEADER}`],
    rejected: true,
  },
  "other fields are written in each of two branches": {
    source: `${HEAD}const CONFIG: any = { ${HEADER} };\nif (BETA) CONFIG.tokenPrefix = "Key";\nelse {\n  CONFIG.instructionsUrl = "https://acme.example/help";\n}\npack.setUserAuthentication(CONFIG);\n`,
    expected: [`field-missing: ${HEADER}`],
    rejected: true,
  },
  "the field is written by a condition": {
    source: `${HEAD}const CONFIG: any = { ${HEADER} };\nif (!BETA) CONFIG.headerName = "X-Key";\npack.setUserAuthentication(CONFIG);\n`,
    expected: [],
    rejected: false,
  },
  "a field whose name is computed is written by a condition": {
    source: `${HEAD}const CONFIG: any = { ${HEADER} };\nif (!BETA) CONFIG[["header", "Name"].join("")] = "X-Key";\npack.setUserAuthentication(CONFIG);\n`,
    expected: [],
    rejected: false,
  },
  "in JavaScript": {
    source: `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst pack = coda.newPack();\nexports.pack = pack;\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({ ${HEADER}, ...(process.env.HEADER_OF_NOBODY ? { headerName: "X-Key" } : {}) });\n`,
    expected: [`field-missing: ${HEADER}`],
    rejected: true,
  },
  "two right branches": {
    source: user(`${HEADER}, ...(BETA ? { headerName: "X-Beta" } : { headerName: "X-Key" })`),
    expected: [],
    rejected: false,
  },
  "two conditions that go together": {
    source: user(
      `...(BETA ? { ${HEADER} } : { type: coda.AuthenticationType.HeaderBearerToken }), ...(BETA ? { headerName: "X-Key" } : {})`,
    ),
    expected: [],
    rejected: false,
  },
  "a type and a field that go together": {
    source: user(
      `type: BETA ? coda.AuthenticationType.CustomHeaderToken : coda.AuthenticationType.HeaderBearerToken, ...(BETA ? { headerName: "X-Key" } : {})`,
    ),
    expected: [],
    rejected: false,
  },
  "an unknown value beside it": {
    source: user(`${HEADER}, ...JSON.parse('{"headerName":"X-Key"}'), ...(BETA ? { tokenPrefix: "Key" } : {})`),
    expected: [],
    rejected: false,
  },
};

describe("conditional spreads in a configuration", function () {
  this.timeout(60_000);
  for (const [name, { source, expected, rejected }] of Object.entries(CASES))
    it(`findings agree with the upload and are fixed: ${name}`, async () => {
      const files = split(source);
      const findings = Object.keys(files).flatMap((file) => analyse(files, { toolkit: true }).diagnostics(file));
      assert.deepEqual(
        findings.map(({ rule, place }) => `${rule}: ${files[place.file]?.slice(place.start, place.end)}`),
        expected,
      );
      const problems = await problemsOf(files);
      assert.equal(problems.length > 0, rejected, problems.join());
      // Each fix takes its finding away, and what is left can be loaded.
      for (const { rule, message, fix } of findings.flatMap(({ fixes, ...finding }) => fixes.map((fix) => ({ ...finding, fix })))) {
        const mended = apply(files, fix);
        const left = Object.keys(mended).flatMap((file) => analyse(mended, { toolkit: true }).diagnostics(file));
        assert.ok(!left.some((other) => other.rule === rule && other.message === message), fix.title);
        assert.doesNotMatch((await problemsOf(mended)).join(), /does not load/, fix.title);
      }
    });
});
