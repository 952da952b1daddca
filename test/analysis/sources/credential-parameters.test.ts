// A credential that a formula takes as a parameter: whoever reads the document reads it.
import assert from "node:assert/strict";
import { analyse, split } from "../../support/analyse.ts";
import { flaggedBy } from "../../support/flagged.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n';
const formula = (options: string, first = "[key, id]"): string =>
  `pack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, execute: async function (${first}, context) { return (await context.fetcher.fetch({ method: "GET", ${options} })).body; } });\n`;
const URL = 'url: "https://example.com/me"';

const REPORTED: Readonly<Record<string, string>> = {
  "in Authorization": `${HEAD}${formula(`${URL}, headers: { Authorization: "Bearer " + key }`)}`,
  "in Authorization, unchanged": `${HEAD}${formula(`${URL}, headers: { authorization: key }`)}`,
  "in an API key's header": `${HEAD}${formula(`${URL}, headers: { "X-API-Key": \`\${key}\` }`)}`,
  "in a query": `${HEAD}${formula("url: `https://example.com/${id}?api_key=${key}`")}`,
  "in a query by the SDK's function": `${HEAD}${formula('url: coda.withQueryParams("https://example.com/me", { id, access_token: key })')}`,
  "of an arrow function": `${HEAD}${formula(`${URL}, headers: { Authorization: key }`).replace("async function ([key, id], context)", "async ([key, id], context) =>")}`,
  "of a function that is named, across files, in JavaScript": `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst { me } = require("./me");\nconst pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, execute: me });\nmodule.exports = { pack };\n// @file: me.js\nexports.me = async function ([key], context) {\n  const response = await context.fetcher.fetch({ method: "GET", url: "https://example.com/me", headers: { "Api-Key": key } });\n  return response.body;\n};\n`,
};

/** The parameters under one name, and taken out of it in the function. */
const inBody = (options: string, { first = "params", prologue = "const [key, id] = params;" } = {}): string =>
  `pack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, execute: async function (${first}, context) { ${prologue} return (await context.fetcher.fetch({ method: "GET", ${options} })).body; } });\n`;
const AUTHORIZED = `${URL}, headers: { Authorization: "Bearer " + key }`;

const REPORTED_IN_BODY: Readonly<Record<string, string>> = {
  "destructured in the function": `${HEAD}${inBody(AUTHORIZED)}`,
  "destructured in the function, with types": `${HEAD}${inBody(AUTHORIZED, { first: "args: any[]", prologue: "let [, key]: string[] = args as string[];" })}`,
  "destructured later": `${HEAD}${inBody(`${URL}, headers`, { prologue: 'const headers: Record<string, string> = { Accept: "x" }; const [url, key] = params; if (key) headers["Authorization"] = `Bearer ${key}`;' })}`,
  "destructured in an arrow function, in a query": `${HEAD}${inBody('url: coda.withQueryParams("https://example.com/me", { api_key: key })').replace("async function (params, context)", "async (params, context) =>")}`,
  "destructured across files, in JavaScript": `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst { me } = require("./me");\nconst pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, execute: me });\nmodule.exports = { pack };\n// @file: me.js\nexports.me = async function (params, context) {\n  const [key] = params;\n  const response = await context.fetcher.fetch({ method: "GET", url: "https://example.com/me", headers: { "Api-Key": key } });\n  return response.body;\n};\n`,
  "the cookie of a session": `${HEAD}${formula(`${URL}, headers: { Cookie: \`lang=\${id}; session=\${key}\` }`)}`,
  "a cookie, by its name": `${HEAD}${formula(`${URL}, headers: { cookie: "auth_token=" + key + "; theme=" + id }`)}`,
};

/** The text that is flagged. */
const REPORTED_ITEMS: Readonly<Record<string, readonly [text: string, source: string]>> = {
  "an item by its number": ["params[1]", `${HEAD}${inBody(`${URL}, headers: { Authorization: "Bearer " + params[1] }`, { prologue: "" })}`],
  "an item by its number, with types": [
    "(args[0] as string)",
    `${HEAD}${inBody(`${URL}, headers: { "X-Api-Key": \`\${(args[0] as string)}\` }`, { first: "args: any[]", prologue: "" })}`,
  ],
  "an item under a name": [
    "params[0]",
    `${HEAD}${inBody(`${URL}, headers: { Authorization: token }`, { prologue: "const token = params[0];" })}`,
  ],
  "an item in a query, in JavaScript": [
    "params[0]",
    `// @file: pack.js\n${HEAD.replace("import * as coda from", "const coda = require(").replace('sdk";', 'sdk");').replace("export const", "const")}${inBody("url: `https://example.com/me?api_key=${params[0]}`", { prologue: "" })}module.exports = { pack };\n`,
  ],
  "in the path, by its name": ["apiKey", `${HEAD}${formula('url: "https://example.com/v1/" + apiKey + "/me"', "[apiKey, id]")}`],
  "in the path of an endpoint, by its name, through a helper": [
    "accessToken",
    `${HEAD}const send = async (context, secret) => (await context.fetcher.fetch({ method: "GET", url: \`/bot\${secret}/me\` })).body;\npack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, execute: async function ([accessToken], context) { return send(context, accessToken); } });\n`,
  ],
  "with a default": ["key", `${HEAD}${formula(AUTHORIZED, '[key = "", id]')}`],
  "under another name": [
    "token",
    `${HEAD}${formula(`${URL}, headers: { Authorization: token }`).replace("return (", "const token = key; return (")}`,
  ],
  "with more behind it": ["key", `${HEAD}${formula(AUTHORIZED, "[key, ...others]")}`],
};

const FETCH_CALL =
  'context.fetcher.fetch({ method: "GET", url: "https://example.com/me", headers: { Authorization: `Bearer ${secret}` } })';
/** A helper sends what the formula gives it; `call` is what the formula does. */
const byHelper = (helper: string, call: string): string =>
  `${HEAD}${helper}\npack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, execute: async function ([key, id], context) { return ${call}; } });\n`;
const HELPER = `async function send(context: coda.ExecutionContext, secret: string) { return (await ${FETCH_CALL}).body; }`;

const REPORTED_HELPERS: Readonly<Record<string, string>> = {
  "that is a function": byHelper(HELPER, "send(context, key)"),
  "that is an arrow function": byHelper(`const send = (secret, context) => ${FETCH_CALL};`, "(await send(key, context)).body"),
  "that receives it in a string": byHelper(HELPER, "send(context, `${id}:${key}`)").replace("[key, id]", "[key]"),
  "that passes it to another": byHelper(
    `${HELPER}\nconst twice = (context, token) => send(context, token) ?? send(context, token);`,
    "twice(context, key)",
  ),
  "that several formulas call": `${byHelper(HELPER, "send(context, process.env.KEY)")}${byHelper("", "send(context, key)").slice(HEAD.length)}`,
  "that destructures it": byHelper(
    HELPER.replace("context: coda.ExecutionContext, secret: string", "context, { secret }"),
    "send(context, { other: id, secret: key })",
  ),
  "that destructures everything, under another name": byHelper(
    HELPER.replace("context: coda.ExecutionContext, secret: string", "{ context, token: secret }"),
    "send({ context, token: key })",
  ),
  "that destructures it from its options": byHelper(
    HELPER.replace("secret: string", "options").replace("${secret}", "${options.secret}"),
    "send(context, { secret: key })",
  ),
  "that destructures it from nested options": byHelper(
    `${HELPER.replace("secret: string", "options").replace("${secret}", "${options.inner.secret}")}
const wrapped = (context, inner) => send(context, { inner });`,
    "wrapped(context, { secret: key })",
  ),
  "that puts it into a query": byHelper(
    "const read = (context, key) => context.fetcher.fetch({ method: 'GET', url: `https://example.com/me?api_key=${key}` });",
    "(await read(context, key)).body",
  ),
  "of another file, in JavaScript": `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst { send } = require("./send");\nconst pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, execute: async ([key], context) => (await send(context, key)).body });\nmodule.exports = { pack };\n// @file: send.js\nexports.send = async (context, secret) => ${FETCH_CALL};\n`,
};

const SILENT: Readonly<Record<string, string>> = {
  "another parameter in a path": `${HEAD}${formula('url: "https://example.com/v1/" + key + "/me"')}`,
  "a page's token in a path": `${HEAD}${formula('url: "https://example.com/v1/" + pageToken + "/me"', "[pageToken, id]")}`,
  "a credential's name in a host": `${HEAD}${formula('url: "https://" + apiKey + ".example.com/me"', "[apiKey, id]")}`,
  "a credential's name in a fragment": `${HEAD}${formula('url: "https://example.com/me#" + apiKey', "[apiKey, id]")}`,
  "a helper that takes another property": byHelper(
    HELPER.replace("secret: string", "{ secret }"),
    "send(context, { secret: process.env.KEY, other: key })",
  ),
  "a helper that writes another value to it": byHelper(
    HELPER.replace("secret: string", "{ secret }").replace("{ return", "{ secret = await exchange(secret); return"),
    "send(context, { secret: key })",
  ),
  "a parameter that is no credential": `${HEAD}${formula('url: "https://example.com/me?id=" + id + "&key_id=" + key, headers: { "X-Request-Id": key }')}`,
  "the invocation token in a placeholder": `${HEAD}${formula(`${URL}, headers: { Authorization: "Bearer " + "x" }`)}`
    .replace('"Bearer " + "x"', "makeHeader(context)")
    .replace("pack.addFormula", "const makeHeader = (context) => context.timezone;\npack.addFormula"),
  "another value of that name": `${HEAD}const key = process.env.KEY;\n${formula(`${URL}, headers: { Authorization: key }`, "[id]")}`,
  "a list that is not the formula's": `${HEAD}${inBody(AUTHORIZED, { prologue: "const [key, id] = others; const [more] = params;" })}`,
  "the result of a call with the parameters": `${HEAD}${inBody(AUTHORIZED, { prologue: "const [key, id] = params.map(String);" })}`,
  "a cookie that is no credential": `${HEAD}${formula(`${URL}, headers: { Cookie: \`theme=\${id}; session=x; lang=\${key}\` }`)}`,
  "a local name": `${HEAD}${formula(AUTHORIZED).replace("return (", "return [process.env.KEY].map(async (key) => ").replace(")).body;", "));")}`,
  "a local list": `${HEAD}${inBody(AUTHORIZED, { prologue: "return others.map(async ([key]) => ({" }).replace("return (await", "x: (await").replace(")).body;", ")) }));")}`,
  "a table's item": `${HEAD}const KEYS = load();\n${formula(`${URL}, headers: { Authorization: KEYS[0] }`)}`,
  "the number of parameters": `${HEAD}${inBody(`${URL}, headers: { Authorization: "Bearer " + params.length }`, { prologue: "" })}`,
  "an argument that no caller passes to a helper": byHelper(HELPER, "id"),
  "another argument of a helper": byHelper(HELPER.replace("secret: string", "other: string, secret: string"), "send(context, key, 'x')"),
  "a value that a helper reads itself": byHelper(HELPER.replace("{ return", "{ secret = process.env.KEY; return"), "send(context, key)"),
  "arguments that helpers pass each other": byHelper(
    `${HELPER}\nconst again = (context, secret) => send(context, secret) ?? again(context, secret);`,
    "again(context, 'x')",
  ),
  "parameters that are not destructured": `${HEAD}${formula(`${URL}, headers: { Authorization: key }`, "key")}`,
};

const findCredentials = (source: string): readonly string[] => flaggedBy("credential-as-parameter", source);

describe("a credential as a formula's parameter", () => {
  for (const [name, source] of Object.entries({ ...REPORTED, ...REPORTED_IN_BODY }))
    it(`a credential parameter is flagged: ${name}`, () => assert.deepEqual(findCredentials(source), ["information key"]));
  for (const [name, source] of Object.entries(REPORTED_HELPERS))
    it(`a credential passed to a helper ${name} is flagged`, () => assert.deepEqual(findCredentials(source), ["information key"]));
  for (const [name, [text, source]] of Object.entries(REPORTED_ITEMS))
    it(`a credential parameter is flagged: ${name}`, () => assert.deepEqual(findCredentials(source), [`information ${text}`]));
  for (const [name, source] of Object.entries(SILENT))
    it(`no credential parameter is flagged: ${name}`, () => assert.deepEqual(findCredentials(source), []));

  it("a credential parameter is flagged once, however many requests carry it", () => {
    const request = `await context.fetcher.fetch({ method: "GET", ${AUTHORIZED} });`;
    const twice = (prologue: string): string => `${HEAD}${inBody(AUTHORIZED, { prologue: `${prologue} ${request}` })}`;
    assert.deepEqual(findCredentials(twice("const [key] = params;")), ["information key"]);
    assert.deepEqual(findCredentials(`${HEAD}${formula(AUTHORIZED)}${formula(AUTHORIZED)}`), ["information key", "information key"]);
    assert.deepEqual(findCredentials(`${HEAD}${formula(`${AUTHORIZED.slice(0, -1)}, "X-Api-Key": id }`)}`), [
      "information key",
      "information id",
    ]);
  });

  it("a credential behind many helper calls is found without trying every path", () => {
    const body = (calls: string): string => `async function tell(context, secret) { ${calls} return ${FETCH_CALL}; }`;
    const calls = "await tell(context, secret); ".repeat(1_000);
    assert.deepEqual(findCredentials(byHelper(body(calls), "tell(context, key)")), ["information key"]);
  });

  it("the message refers to the pack's authentication when there is one", () => {
    const readMessage = (auth: string): string =>
      analyse(split(`${HEAD}${auth}${formula(`${URL}, headers: { "X-API-Key": key }`)}`))
        .diagnostics("/pack/pack.ts")
        .find(({ rule }) => rule === "credential-as-parameter")?.message ?? "";
    assert.match(readMessage(""), /^Declare an authentication for this\. Users /);
    const auth = "pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n";
    assert.match(readMessage(auth), /^Leave this to the pack's authentication\. Users /);
  });
});
