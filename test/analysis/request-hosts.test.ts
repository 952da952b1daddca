// Hosts that a request comes by through the default of a parameter, or an item of a list: each that it certainly asks for is looked at.
import assert from "node:assert/strict";
import { flagged, packOf } from "../support/flagged.ts";

const formula = (body: string): string =>
  `pack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, execute: async function ([], context) { ${body} } });`;
const fetching = (url: string): string => `(await context.fetcher.fetch({ method: "GET", url: ${url} })).body`;
const HELPER = `const get = async (context: any, host = "api.other.example") => ${fetching("`https://${host}/me`")};\n`;
const HOSTS = 'const HOSTS = ["https://acme.example", "https://api.other.example"];\n';
const undeclared = ["error fetch-host-undeclared: api.other.example"];

const CASES: Readonly<Record<string, { readonly source: string; readonly expected: readonly string[] }>> = {
  "a default that a caller leaves as it is": { source: HELPER + formula("return get(context);"), expected: undeclared },
  "a default, where undefined is passed": { source: HELPER + formula("return get(context, undefined);"), expected: undeclared },
  "a default that each caller replaces": { source: HELPER + formula('return get(context, "acme.example");'), expected: [] },
  "a default that a list of arguments may replace": {
    source: `${HELPER}declare const args: any;\n${formula("return get(context, ...args);")}`,
    expected: [],
  },
  "each item of a list": {
    source: HOSTS + formula(`for (const host of HOSTS) await ${fetching('host + "/me"')}; return "";`),
    expected: undeclared,
  },
  "each item of a list, by map": {
    source: HOSTS + formula(`await Promise.all(HOSTS.map(async (host) => ${fetching("`${host}/me`")})); return "";`),
    expected: undeclared,
  },
  "the items of a list that a condition leaves in": {
    source:
      HOSTS + formula(`for (const host of HOSTS) { if (host.includes("other")) continue; await ${fetching('host + "/me"')}; } return "";`),
    expected: [],
  },
  "the items of a list that a condition leaves in, by another name": {
    source:
      HOSTS + formula(`for (const host of HOSTS) { const url = host + "/me"; if (url.length < 25) return ${fetching("url")}; } return "";`),
    expected: [],
  },
  "a list to which more is added": {
    source: `${HOSTS}HOSTS.length = 1;\n${formula(`for (const host of HOSTS) await ${fetching('host + "/me"')}; return "";`)}`,
    expected: [],
  },
  "a private static field": {
    source: `class Api {\n  static #base = "https://api.other.example";\n  static async me(context: any) { return ${fetching('Api.#base + "/me"')}; }\n}\n${formula("return Api.me(context);")}`,
    expected: undeclared,
  },
};

describe("hosts of requests", () => {
  for (const [name, { source, expected }] of Object.entries(CASES))
    it(`the host is judged: ${name}`, () => assert.deepEqual(flagged(packOf(source)), expected));
});
