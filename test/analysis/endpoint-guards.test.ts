// What counts as a look at the account's endpoint before it is used: a value that is taken first is none.
import assert from "node:assert/strict";
import { analyse, split } from "../support/analyse.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n`;

const FORMULA = `pack.addFormula({ name: "A", description: "", parameters: [], resultType: coda.ValueType.String, execute: async ([base, id], context) => get(context, base, id) });\n`;

/** In a helper with the parameters `base` and `id`. */
const get = (body: string, more = ""): string => `${HEAD}${more}async function get(context, base, id) { ${body} }\n${FORMULA}`;
const SEND = "return context.fetcher.fetch({ method: 'GET', url: `${site}/me` });";

function findProblems(source: string): readonly string[] {
  const files = split(source);
  const analysis = analyse(files);
  return Object.entries(files).flatMap(([file, text]) =>
    analysis
      .diagnostics(file)
      .filter(({ rule }) => rule === "endpoint-without-source")
      .map(({ severity, place }) => `${severity}: ${text.slice(place.start, place.end)}`),
  );
}

const BASIC = "`Basic ${Buffer.from(context.endpoint + ':x').toString('base64')}`";

const CASES: Readonly<Record<string, readonly [source: string, findings: readonly string[]]>> = {
  "in a header that the platform fills in, which is to be removed": [
    get(
      `return context.fetcher.fetch({ method: "GET", url: "https://example.com/me", headers: { Authorization: "Token " + context.endpoint } });`,
    ),
    [],
  ],
  "in the header that the platform fills in, written into the request": [
    get(
      `const request = { method: "GET", url: "https://example.com/me", headers: {} }; request.headers["Authorization"] = ${BASIC}; return context.fetcher.fetch(request);`,
    ),
    [],
  ],
  "in the same header of a request without the account, which is refused as well": [
    get(
      `return context.fetcher.fetch({ method: "GET", url: "https://example.com/me", disableAuthentication: true, headers: { Authorization: ${BASIC} } });`,
    ),
    [],
  ],
  "in another header": [
    get(`return context.fetcher.fetch({ method: "GET", url: "https://example.com/me", headers: { Site: "Site " + context.endpoint } });`),
    ["error: context.endpoint"],
  ],
  "a parameter, and else the endpoint": [
    get("return context.fetcher.fetch({ method: 'GET', url: `${base || context.endpoint}/me` });"),
    ["warning: context.endpoint"],
  ],
  "a parameter, and else the endpoint, by ?? and +": [
    get(`return context.fetcher.fetch({ method: "GET", url: (base ?? context.endpoint) + "/me" });`),
    ["warning: context.endpoint"],
  ],
  "nothing, and else the endpoint": [
    get("return context.fetcher.fetch({ method: 'GET', url: `${NONE || context.endpoint}/me` });", `const NONE = "";\n`),
    ["error: context.endpoint"],
  ],
  "an endpoint of something else, and else the endpoint": [
    get("return context.fetcher.fetch({ method: 'GET', url: `${base.endpoint || context.endpoint}/me` });"),
    ["warning: context.endpoint"],
  ],
  "the last of three": [
    get(`return context.fetcher.fetch({ method: "GET", url: coda.joinUrl(base || id || context.endpoint!, "me") });`),
    ["warning: context.endpoint"],
  ],
  "in a constant": [get(`const site = base || context.endpoint; ${SEND}`), ["warning: site"]],
  "in a constant, and then by itself": [
    get(`const site = base || id || context.endpoint; return context.fetcher.fetch({ method: "GET", url: context.endpoint + "/me" });`),
    ["error: context.endpoint"],
  ],
  "in a constant, and then a path": [
    get(`const site = base ?? context.endpoint; return context.fetcher.fetch({ method: "GET", url: "/me" });`),
    [`error: "/me"`],
  ],
  "by a condition on something else": [
    get("return context.fetcher.fetch({ method: 'GET', url: `${id ? context.endpoint : base}/me` });"),
    ["warning: context.endpoint"],
  ],
  "behind &&": [
    get("return context.fetcher.fetch({ method: 'GET', url: `${id && context.endpoint}/me` });"),
    ["warning: context.endpoint"],
  ],
  "in another file": [
    `// @file: pack.ts\nimport { get } from "./api";\n${HEAD}${FORMULA}// @file: api.ts\nexport async function get(ctx, base?: string) {\n  const site = base || ctx.endpoint;\n  ${SEND.replace("context", "ctx")}\n}\n`,
    ["warning: site"],
  ],
  "in JavaScript": [
    `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst pack = coda.newPack();\nexports.pack = pack;\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: async function (context) { var answer = await context.fetcher.fetch({ method: "GET", url: (undefined || context.endpoint) + "/me" }); return answer.body.name; } });\n`,
    ["error: context.endpoint"],
  ],
  "the endpoint, and else something": [get("return context.fetcher.fetch({ method: 'GET', url: `${context.endpoint || base}/me` });"), []],
  "the endpoint in the middle": [
    get("return context.fetcher.fetch({ method: 'GET', url: `${base || context.endpoint || 'https://example.com'}/me` });"),
    [],
  ],
  "a text that is always there": [
    get("return context.fetcher.fetch({ method: 'GET', url: `${BASE || context.endpoint}/me` });", `const BASE = "https://example.com";\n`),
    [],
  ],
  "one of two texts that is always there": [
    get(
      "return context.fetcher.fetch({ method: 'GET', url: `${base || BASE || context.endpoint}/me` });",
      `const BASE = "https://example.com";\n`,
    ),
    [],
  ],
  "nothing, and else a text": [
    get("return context.fetcher.fetch({ method: 'GET', url: (NONE || 'https://example.com') + '/me' });", `const NONE = "";\n`),
    [],
  ],
  "a constant that is looked at": [get(`const site = base || context.endpoint; if (!site) return; ${SEND}`), []],
  "a condition on the endpoint": [
    get("return context.fetcher.fetch({ method: 'GET', url: `${context.endpoint ? context.endpoint : base}/me` });"),
    [],
  ],
  "a test on the left": [get("return !context.endpoint || context.fetcher.fetch({ method: 'GET', url: `${context.endpoint}/me` });"), []],
  "a default before": [
    get(`const site = context.endpoint ?? base; return context.fetcher.fetch({ method: "GET", url: site + "/me" });`),
    [],
  ],
  "only passed on": [get("return choose(base || context.endpoint);"), []],
};

describe("the endpoint behind ||, ?? and conditions", () => {
  for (const [name, [source, expected]] of Object.entries(CASES))
    it(`the guarded endpoint gets the expected findings: ${name}`, () => assert.deepEqual(findProblems(source), expected));
});
