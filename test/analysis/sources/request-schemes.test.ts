// URLs of requests that lack https://, or a part of it: the host is under a declared domain, so nothing else can be meant.
import assert from "node:assert/strict";
import { fixesOf, flaggedBy, packOf } from "../../support/flagged.ts";
import { staySilent } from "../../support/traps.ts";

const BEARER = "pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n";
const ENDPOINT = "pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, requiresEndpointUrl: true });\n";
const fetches = (url: string, { auth = BEARER, before = "" } = {}): string =>
  packOf(
    `${auth}pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, execute: async function ([id], context) { ${before}const answer = await context.fetcher.fetch({ method: "GET", url: ${url} }); return answer.body; } });`,
  );

/** The source, what is said, and what is written instead. */
const WRONG: Readonly<Record<string, readonly [source: string, finding: string, corrected?: string]>> = {
  "no scheme": [fetches('"api.acme.example/me"'), "error api.acme.example", "https://api.acme.example"],
  "no scheme, and no path": [fetches('"www.acme.example"'), "error www.acme.example", "https://www.acme.example"],
  "no colon": [fetches('"https//api.acme.example/me"'), "error https//api.acme.example", "https://api.acme.example"],
  "no scheme, two slashes": [fetches('"//api.acme.example/me"'), "error //api.acme.example", "https://api.acme.example"],
  "one slash": [fetches('"https:/api.acme.example/me"'), "warning https:/api.acme.example", "https://api.acme.example"],
  "three slashes": [fetches('"https:///acme.example/me"'), "warning https:///acme.example", "https://acme.example"],
  "in a template": [fetches("`api.acme.example/items/${id}`"), "error api.acme.example", "https://api.acme.example"],
  "in a sum": [fetches('"api.acme.example/items/" + id'), "error api.acme.example", "https://api.acme.example"],
  "behind a constant": [
    fetches("BASE + id", { before: 'const BASE = "api.acme.example/"; ' }),
    "error api.acme.example",
    "https://api.acme.example",
  ],
  "by the SDK's helper": [
    fetches('coda.withQueryParams("api.acme.example/me", { id })'),
    "error api.acme.example",
    "https://api.acme.example",
  ],
  "where accounts have an endpoint": [
    fetches('"api.acme.example/me"', { auth: ENDPOINT }),
    "warning api.acme.example",
    "https://api.acme.example",
  ],
  "in upper case": [fetches('"API.acme.example/me"'), "error API.acme.example", "https://API.acme.example"],
  "of a helper in another file, in JavaScript": [
    `// @file: pack.js
const coda = require("@codahq/packs-sdk");
const { get } = require("./get");
const pack = coda.newPack();
module.exports = { pack };
pack.addNetworkDomain("acme.example");
pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: "string", execute: ([], context) => get(context, "api.acme.example/me") });
// @file: get.js
exports.get = async (context, url) => (await context.fetcher.fetch({ method: "GET", url })).body;
`,
    "error api.acme.example",
  ],
};

describe("a request without https://", () => {
  for (const [name, [source, finding, corrected]] of Object.entries(WRONG)) {
    it(`the wrong scheme is flagged: ${name}`, () => {
      assert.deepEqual(flaggedBy("url-invalid", source), [finding]);
    });
    if (corrected !== undefined)
      it(`the fix adds https://: ${name}`, () => {
        const text = finding.slice(finding.indexOf(" ") + 1);
        assert.deepEqual(fixesOf(source, "url-invalid"), {
          [`Change to ${corrected}`]: source.replace(new RegExp(`(["\`])${text}`), `$1${corrected}`),
        });
      });
  }
});

staySilent("requests without https://", {
  "a path of the endpoint": fetches('"/me"', { auth: ENDPOINT }),
  "a file of the endpoint": fetches('"users.json"', { auth: ENDPOINT }),
  "a path that begins with a version": fetches('"v1.0/users"', { auth: ENDPOINT }),
  "completed by the template": fetches("`https://${host}/me`", { before: 'const host = "api.acme.example"; ' }),
  "completed by a helper": `${fetches('withHttps("api.acme.example/me")')}import { withHttps } from "our-urls";\n`,
  "completed by a function": fetches("full", {
    before: 'let full = "api.acme.example/me"; if (!full.startsWith("https://")) full = `https://${full}`; ',
  }),
  "a scheme of a variable": fetches("`${scheme}//api.acme.example/me`", { before: "const scheme = process.env.SCHEME; " }),
  "a fetch of one's own": `${fetches('"api.acme.example/me"')}export const client = { fetch: (request) => request };\n`,
  "a text that is not fetched": packOf('export const HOST = "api.acme.example/me";'),
  "as it should be": fetches('"https://api.acme.example/me"'),
});
