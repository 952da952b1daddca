// Headers of requests, wherever they are set: credentials that are written out in them, by the header's name where the form of the value
// does not tell, and headers that the platform fills in itself.
import assert from "node:assert/strict";
import { analyse, split } from "../support/analyse.ts";
import { problemsOf } from "../support/judged.ts";

/** Made up, of no service's form. */
const KEY = "4f9d21c07be8";
const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\n`;
const AUTH = "pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n";

const formula = (body: string, more = ""): string =>
  `${HEAD}${more}pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, execute: async function ([id], context) { ${body} return ""; } });\n`;
const sends = (headers: string, url = '"https://acme.example/"', before = ""): string =>
  formula(`await context.fetcher.fetch({ method: "GET", url: ${url}, headers: ${headers} });`, before);
/** A request in a name, to which something is done before it is sent. */
const requestFormula = (statements: string, literal = '{ method: "GET", url: "https://acme.example/" }', auth = AUTH): string =>
  formula(`const request: any = ${literal}; ${statements} await context.fetcher.fetch(request);`, auth);

/** `rule: text` of all that is found, information aside. */
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

/** A helper that is given the whole request, as those are that try again. */
const SEND =
  "async function send(context: coda.ExecutionContext, request: coda.FetchRequest) { for (let left = 3; ; left--) { const answer = await context.fetcher.fetch(request); if (answer.status !== 202 || left === 0) return answer.body; } }\n";

const LITERALS: Readonly<Record<string, string>> = {
  "an API key": sends(`{ "X-Api-Key": "${KEY}" }`),
  "under a service's own name": sends(`{ "x-acme-access-token": "${KEY}" }`),
  "of a gateway": sends(`{ "Ocp-Apim-Subscription-Key": "${KEY}" }`),
  "with an underscore, in a template": sends(`{ api_key: \`${KEY}\` }`),
  "behind a constant": sends('{ "X-Auth-Token": KEY }', undefined, `const KEY = "${KEY}";\n`),
  "put together": sends('{ "PRIVATE-TOKEN": "glp" + REST }', undefined, `const REST = "${KEY}";\n`),
  "without a digit": sends('{ apikey: "qWvZkTmRxLpBnHsG" }'),
  "in the URL's query": sends("{}", `"https://acme.example/?page=1&api_key=${KEY}"`),
  "by withQueryParams": sends("{}", `coda.withQueryParams("https://acme.example/", { access_token: "${KEY}", id })`),
  "written later": requestFormula(`request.headers = { "X-Api-Key": "${KEY}" };`, undefined, ""),
  "written into the headers": requestFormula(
    `request.headers["X-Api-Key"] = "${KEY}";`,
    '{ method: "GET", url: "https://acme.example/", headers: {} }',
    "",
  ),
  "written into the headers, where a condition adds a body": requestFormula(
    `if (id) { request.body = id; request.headers["X-Api-Key"] = "${KEY}"; }`,
    '{ method: "GET", url: "https://acme.example/", headers: { Accept: "*/*" } }',
    "",
  ),
  "by a condition": formula(
    `const headers: any = {}; if (id) headers["X-Api-Key"] = "${KEY}"; await context.fetcher.fetch({ method: "GET", url: "https://acme.example/", headers: { ...headers, Accept: "*/*" } });`,
  ),
  "in one of two requests": formula(
    `await context.fetcher.fetch(id ? { method: "GET", url: "https://acme.example/" } : { method: "GET", url: "https://acme.example/", headers: { "X-Api-Key": "${KEY}" } });`,
  ),
  "in a request assigned in a branch": formula(
    `let request: coda.FetchRequest = { method: "GET", url: "https://acme.example/" }; if (id) request = { method: "GET", url: "https://acme.example/", headers: { "X-Api-Key": "${KEY}" } }; await context.fetcher.fetch(request);`,
  ),
  "in a request passed to a helper": formula(
    `await send(context, { method: "GET", url: "https://acme.example/", headers: { "X-Api-Key": "${KEY}" } });`,
    SEND,
  ),
};

const NO_KEYS: Readonly<Record<string, string>> = {
  nothing: '{ "X-Api-Key": "" }',
  "a placeholder": '{ "X-Api-Key": "YOUR_API_KEY_123" }',
  "a placeholder in brackets": '{ "X-Api-Key": "<api-key-1>" }',
  "a sample": '{ "X-Api-Key": "DEMO_KEY_2024" }',
  "a word": '{ "X-Api-Key": "anonymous" }',
  "a version": '{ "X-Api-Key": "2024-06-28" }',
  "a value known at run time": '{ "X-Api-Key": id }',
  "braces to fill in": '{ "X-Api-Key": "{{4f9d21c07be8}}" }',
  "a header that is no key": `{ "X-Request-Id": "${KEY}", "Idempotency-Key": "${KEY}", "X-Api-Version": "2024-06-28", "X-Api-Key-Id": "${KEY}" }`,
  "a type of content": '{ "Content-Type": "application/vnd.api2+json", "X-Auth-Token": "text/x-key9" }',
};

const OWN: Readonly<Record<string, string>> = {
  "headers that come later": requestFormula('request.headers = { Authorization: "Bearer " + id };'),
  "a header that comes later": requestFormula(
    'request.headers["Authorization"] = "Bearer " + id;',
    '{ method: "GET", url: "https://acme.example/", headers: { Accept: "*/*" } }',
  ),
  "headers and then a header": requestFormula('request.headers = {}; request.headers.Authorization = "Bearer " + id;'),
  "in a constant of their own": formula(
    'const headers: any = {}; headers.Authorization = `Bearer ${id}`; await context.fetcher.fetch({ method: "GET", url: "https://acme.example/", headers });',
    AUTH,
  ),
  "of a pack with an account of its own, whose users have none": requestFormula(
    'request.headers = { Authorization: "Bearer " + id };',
    undefined,
    "pack.setUserAuthentication({ type: coda.AuthenticationType.None });\npack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n",
  ),
  "beside a body that a condition spreads in": requestFormula(
    "",
    '{ method: "POST", url: "https://acme.example/", headers: { Authorization: "Bearer " + id }, ...(id && { body: id }) }',
  ),
  "by a condition": formula(
    'const headers: any = { Accept: "*/*" }; if (id) { headers.Authorization = `Bearer ${id}`; } await context.fetcher.fetch({ method: "GET", url: "https://acme.example/", headers });',
    AUTH,
  ),
  "a request that is assigned later": formula(
    'let request: any; request = { method: "GET", url: "https://acme.example/" }; request.headers = { Authorization: "Bearer " + id }; await context.fetcher.fetch(request);',
    AUTH,
  ),
  "one of two objects": sends('id ? { Authorization: "Bearer " + id } : {}', undefined, AUTH),
  "in a request passed to a helper": formula(
    'await send(context, { method: "GET", url: "https://acme.example/", headers: { Authorization: "Bearer " + id } });',
    AUTH + SEND,
  ),
  "in a request passed to a helper of a helper, beside others": formula(
    'await send(context, { method: "GET", url: "https://acme.example/open", headers: { "X-Id": id }, disableAuthentication: true }); await patiently(context, { method: "GET", url: `https://acme.example/${id}`, headers: { Authorization: "Bearer " + id } });',
    `${AUTH}${SEND}const patiently = async (context: coda.ExecutionContext, request: coda.FetchRequest) => send(context, request);\n`,
  ),
  "in headers passed to a helper": formula(
    'await get("/me", { Authorization: "Bearer " + id }, context);',
    `${AUTH}async function get(path: string, headers: any, context: coda.ExecutionContext) { return context.fetcher.fetch({ method: "GET", url: "https://acme.example" + path, headers }); }\n`,
  ),
  "without the account": requestFormula(
    'request.headers.Authorization = "Bearer " + id;',
    '{ method: "GET", url: "https://acme.example/", headers: {}, disableAuthentication: true }',
  ),
  "in headers passed to a helper, of a request without the account": formula(
    'await get({ Authorization: "Bearer " + id }, context);',
    `${AUTH}async function get(headers: any, context: coda.ExecutionContext) { return context.fetcher.fetch({ method: "GET", url: "https://acme.example", headers, disableAuthentication: true }); }\n`,
  ),
  "without the account, where users have theirs beside one of the pack": formula(
    'await context.fetcher.fetch({ method: "GET", url: "https://acme.example/", headers: { Authorization: "Bearer " + id }, disableAuthentication: true });',
    `${AUTH}pack.setSystemAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-Key" });\n`,
  ),
  "while endpoints are listed": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Site", getOptions: async function (context) {\n  const answer = await context.fetcher.fetch({ method: "GET", url: "https://acme.example/sites", headers: { Authorization: "Bearer " + context.timezone } });\n  return answer.body;\n} }] });\n`,
  "while endpoints are listed, later, by a helper of another file": `// @file: pack.ts\nimport { sites } from "./sites";\n${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Site", getOptions: async (context) => sites(context) }] });\n// @file: sites.ts\nexport async function sites(context: any) {\n  const request: any = { method: "GET", url: "https://acme.example/sites" };\n  request.headers = {};\n  request.headers.Authorization = "Bearer " + context.timezone;\n  const answer = await context.fetcher.fetch(request);\n  return answer.body;\n}\n`,
  "of a request to where the user says": formula(
    'await context.fetcher.fetch({ method: "POST", url: id, headers: { Authorization: "Bearer " + id } });',
    AUTH,
  ),
  "of a request that is put together, to where the user says": `${HEAD}${AUTH}pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, execute: async function (params, context) { const [url, token] = params; const headers: Record<string, string> = { Accept: "*/*" }; if (token) { headers["Authorization"] = \`Bearer \${token}\`; } const request: coda.FetchRequest = { url, method: "POST", headers }; const answer = await context.fetcher.fetch(request); return answer.body; } });\n`,
  "of a request to a part of the domain": formula(
    'await context.fetcher.fetch({ method: "GET", url: `https://${id}.acme.example/`, headers: { Authorization: "Bearer " + id } });',
    AUTH,
  ),
  "of the next page": formula(
    'let url = "https://acme.example/list"; const answer = await context.fetcher.fetch({ method: "GET", url, disableAuthentication: false }); url = answer.body.next; await context.fetcher.fetch({ method: "GET", url: answer.body.next, headers: { Authorization: id } });',
    AUTH,
  ),
  "of a request by a helper of another file, to where its caller says": `// @file: pack.ts\nimport { send } from "./send";\n${HEAD}${AUTH}pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, execute: async ([url], context) => send(context, url) });\n// @file: send.ts\nexport async function send(context: any, url: string) {\n  const answer = await context.fetcher.fetch({ method: "GET", url, headers: { Authorization: "Bearer " + context.timezone } });\n  return answer.body;\n}\n`,
  "of a request to where the user says, in JavaScript": `const coda = require("@codahq/packs-sdk");\nconst pack = coda.newPack();\nexports.pack = pack;\npack.addNetworkDomain("acme.example");\n${AUTH}pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: "string", execute: async function ([url], context) { const answer = await context.fetcher.fetch({ method: "GET", url, headers: { Authorization: "Bearer " + url } }); return answer.body; } });\n`,
  "in JavaScript": `const coda = require("@codahq/packs-sdk");\nconst pack = coda.newPack();\nexports.pack = pack;\npack.addNetworkDomain("acme.example");\n${AUTH}pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: "string", execute: async function (args, context) { var request = { method: "GET", url: "https://acme.example/" }; request.headers = { Accept: "*/*" }; request.headers.Authorization = "Bearer " + args[0]; const answer = await context.fetcher.fetch(request); return answer.body; } });\n`,
};

const NOT_SENT: Readonly<Record<string, string>> = {
  "without the account, where the pack alone has one": formula(
    'await context.fetcher.fetch({ method: "GET", url: "https://acme.example/", headers: { Authorization: "Bearer " + id }, disableAuthentication: true });',
    AUTH.replace("User", "System"),
  ),
  "without the account, beside an account of the pack that goes there": formula(
    'await context.fetcher.fetch({ method: "GET", url: "https://acme.example/", headers: { Authorization: "Bearer " + id }, disableAuthentication: true });',
    `${AUTH.replace("User", "System")}pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-Key" });\n`,
  ),
  "perhaps without the account": formula(
    'await context.fetcher.fetch({ method: "GET", url: "https://acme.example/", headers: { Authorization: "Bearer " + id }, disableAuthentication: id === "" });',
    AUTH,
  ),
  "without the account, by what a condition spreads in, where the pack alone has one": requestFormula(
    "",
    '{ method: "GET", url: "https://acme.example/", headers: { Authorization: "Bearer " + id }, ...(id && { disableAuthentication: true }) }',
    "pack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n",
  ),
  "written to after it was sent": formula(
    'const request: any = { method: "GET", url: "https://acme.example/" }; await context.fetcher.fetch(request); request.headers = { Authorization: "Bearer " + id };',
    AUTH,
  ),
  "replaced by other headers": requestFormula('request.headers = { Authorization: "Bearer " + id }; request.headers = { Accept: "*/*" };'),
  "of another request": formula(
    'const request: any = { method: "GET", url: "https://acme.example/" }; const other: any = {}; other.headers = { Authorization: "Bearer " + id }; await context.fetcher.fetch(request); return String(other);',
    AUTH,
  ),
  "of a request to where the user says, which may be a domain without credentials": `${HEAD}pack.addNetworkDomain("files.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, networkDomain: "acme.example" });\npack.addFormula({ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, execute: async function ([url, id], context) { const answer = await context.fetcher.fetch({ method: "GET", url, headers: { Authorization: "Bearer " + id } }); return answer.body; } });\n`,
  "of a request to where the user says, where domains are not known": `${HEAD}for (const domain of JSON.parse(process.env.DOMAINS!)) pack.addNetworkDomain(domain);\n${AUTH}pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, execute: async function ([url, id], context) { const answer = await context.fetcher.fetch({ method: "GET", url, headers: { Authorization: "Bearer " + id } }); return answer.body; } });\n`,
  "in a request that a helper receives and changes": formula(
    'await send(context, { method: "GET", url: "https://acme.example/", headers: { Authorization: "Bearer " + id } });',
    `${AUTH}async function send(context: coda.ExecutionContext, request: any) { request.disableAuthentication = true; return context.fetcher.fetch(request); }\n`,
  ),
  "in a request that a helper receives and has changed": formula(
    'await send(context, { method: "GET", url: "https://acme.example/", headers: { Authorization: "Bearer " + id } });',
    `${AUTH}function prepare(request: any) { delete request.headers; }\nasync function send(context: coda.ExecutionContext, request: any) { prepare(request); return context.fetcher.fetch(request); }\n`,
  ),
  "once an endpoint is chosen, for another host": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Site", getOptions: async () => [] }] });\npack.addFormula({ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, execute: async function ([id], context) { const answer = await context.fetcher.fetch({ method: "GET", url: "https://acme.example/", headers: { Authorization: "Bearer " + id } }); return answer.body; } });\n`,
};

describe("headers of requests", function () {
  this.timeout(60_000);
  for (const [name, source] of Object.entries(LITERALS))
    it(`a literal credential in a header or query is flagged: ${name}`, async () => {
      const [only = "", ...more] = readFindings(source);
      assert.match(only, /^credential-in-source: /);
      assert.deepEqual(more, []);
      assert.deepEqual(await problemsOf({ "/pack/pack.ts": source }), []);
    });

  for (const [name, headers] of Object.entries(NO_KEYS))
    it(`a header without a literal credential is not flagged: ${name}`, () => assert.deepEqual(readFindings(sends(headers)), []));

  it("a literal credential in a header that the platform fills in is reported once", () =>
    assert.deepEqual(
      readFindings(
        sends(
          `{ "X-Api-Key": "${KEY}" }`,
          undefined,
          'pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-Api-Key" });\n',
        ),
      ),
      [`credential-in-source: "${KEY}"`],
    ));

  it("a literal credential of another file is flagged in JavaScript", () =>
    assert.deepEqual(
      readFindings(
        `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst { get } = require("./api");\nconst pack = coda.newPack();\nmodule.exports = { pack };\npack.addNetworkDomain("acme.example");\npack.addFormula({ name: "A", description: "A.", parameters: [], resultType: "string", execute: async (args, context) => get(context) });\n// @file: api.js\nconst { HEADERS } = require("./headers");\nexports.get = async (context) => (await context.fetcher.fetch({ method: "GET", url: "https://acme.example/", headers: HEADERS })).body;\n// @file: headers.js\nexports.HEADERS = { "X-API-Key": "${KEY}" };\n`,
      ),
      [`credential-in-source: "${KEY}"`],
    ));

  for (const [name, source] of Object.entries(OWN))
    it(`a header that the platform sets is flagged: ${name}`, () => {
      const [only = "", ...more] = readFindings(source);
      assert.match(only, /^fetch-sets-credential: .*\bAuthorization\b.*(?:=|:) (?:"|`|\w)/);
      assert.deepEqual(more, []);
    });

  for (const [name, source] of Object.entries(NOT_SENT))
    it(`a header that the platform does not set is accepted: ${name}`, () => assert.deepEqual(readFindings(source), []));
});

it("the finding spells the platform's header as the source does", () => {
  const source = sends('{ AUTHORIZATION: "Bearer " + id }', undefined, AUTH);
  const [only] = analyse({ "/pack/pack.ts": source }).diagnostics("/pack/pack.ts");
  assert.match(only?.message ?? "", /puts the user's credentials into AUTHORIZATION\. /);
});
