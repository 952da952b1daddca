// A credential that a formula takes as a parameter: whoever reads the document reads it.
import assert from "node:assert/strict";
import { analyse, split } from "../support/analyse.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n';
const formula = (options: string, first = "[key, id]"): string =>
  `pack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, execute: async function (${first}, context) { return (await context.fetcher.fetch({ method: "GET", ${options} })).body; } });\n`;
const URL = 'url: "https://example.com/me"';

const SAID: Readonly<Record<string, string>> = {
  "in Authorization": `${HEAD}${formula(`${URL}, headers: { Authorization: "Bearer " + key }`)}`,
  "in Authorization, as it is": `${HEAD}${formula(`${URL}, headers: { authorization: key }`)}`,
  "in an API key's header": `${HEAD}${formula(`${URL}, headers: { "X-API-Key": \`\${key}\` }`)}`,
  "in a query": `${HEAD}${formula("url: `https://example.com/${id}?api_key=${key}`")}`,
  "in a query by the SDK's function": `${HEAD}${formula('url: coda.withQueryParams("https://example.com/me", { id, access_token: key })')}`,
  "of an arrow function": `${HEAD}${formula(`${URL}, headers: { Authorization: key }`).replace("async function ([key, id], context)", "async ([key, id], context) =>")}`,
  "of a function that is named, across files, in JavaScript": `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst { me } = require("./me");\nconst pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, execute: me });\nmodule.exports = { pack };\n// @file: me.js\nexports.me = async function ([key], context) {\n  const response = await context.fetcher.fetch({ method: "GET", url: "https://example.com/me", headers: { "Api-Key": key } });\n  return response.body;\n};\n`,
};

const SILENT: Readonly<Record<string, string>> = {
  "a parameter that is no credential": `${HEAD}${formula('url: "https://example.com/me?id=" + id + "&key_id=" + key, headers: { "X-Request-Id": key }')}`,
  "the invocation token in a placeholder": `${HEAD}${formula(`${URL}, headers: { Authorization: "Bearer " + "x" }`)}`
    .replace('"Bearer " + "x"', "makeHeader(context)")
    .replace("pack.addFormula", "const makeHeader = (context) => context.timezone;\npack.addFormula"),
  "something else of that name": `${HEAD}const key = process.env.KEY;\n${formula(`${URL}, headers: { Authorization: key }`, "[id]")}`,
  "parameters that are not taken apart": `${HEAD}${formula(`${URL}, headers: { Authorization: key }`, "key")}`,
};

const found = (source: string): readonly string[] => {
  const files = split(source);
  const analysis = analyse(files);
  return Object.keys(files).flatMap((file) =>
    analysis
      .diagnostics(file)
      .filter(({ rule }) => rule === "credential-as-parameter")
      .map(({ severity, place }) => `${severity} ${files[file]?.slice(place.start, place.end)}`),
  );
};

describe("a credential as a formula's parameter", () => {
  for (const [name, source] of Object.entries(SAID)) it(`is said: ${name}`, () => assert.deepEqual(found(source), ["information key"]));
  for (const [name, source] of Object.entries(SILENT)) it(`is not meant: ${name}`, () => assert.deepEqual(found(source), []));
});
