// The invocation token is no credential, wherever a request has one: in a header, a body, a form, a URL, however that is put together.
import assert from "node:assert/strict";
import { analyse, split } from "../support/analyse.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "pin", description: "PIN" }] });
`;
const formula = (body: string): string =>
  `pack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, execute: async function ([], context) { ${body} } });\n`;
const ask = (options: string, before = ""): string =>
  `${HEAD}${formula(`${before}return (await context.fetcher.fetch({ method: "POST", ${options} })).body; /* {{pin-\${context.invocationToken}}} */`)}`;
/** A helper that sends the request, and a formula that calls it. */
const helped = (parameter: string, argument: string, options: string, before = ""): string =>
  `${HEAD}async function send(context, ${parameter}) { ${before}return context.fetcher.fetch({ method: "POST", ${URL}, ${options} }); }\n${formula(`return (await send(context, ${argument})).body; /* {{pin-\${context.invocationToken}}} */`)}`;
const URL = 'url: "https://example.com/me"';
const PIN_HEADER = 'headers: { "X-Pin": `{{pin-${context.invocationToken}}}` }';

const WRONG: Readonly<Record<string, string>> = {
  "a JSON body": ask(`${URL}, body: JSON.stringify({ api_key: context.invocationToken })`),
  "deep in a JSON body, behind names": ask(
    `${URL}, body: JSON.stringify(payload)`,
    "const token = context.invocationToken; const payload = { query: {}, auth: { access_token: token } };",
  ),
  "a JSON body that is written as a text": ask(`${URL}, body: \`{ "apiKey": "\${context.invocationToken}" }\``),
  "with its scheme, in a body": ask(`${URL}, body: JSON.stringify({ authorization: "Bearer " + context.invocationToken })`),
  "a form": ask(`${URL}, form: { client_secret: context.invocationToken, grant_type: "client_credentials" }`),
  "a form by a declared param's name": ask(`${URL}, form: { pin: context.invocationToken }`),
  "a body like a form": ask(`${URL}, body: "a=1&api_key=" + context.invocationToken`),
  "a concatenated URL": ask('url: "https://example.com/me?a=1&api_key=" + context.invocationToken'),
  "a URL by a template and a helper": ask(
    "url: withKey(`https://example.com/me`)",
    "const withKey = (url) => url; const { invocationToken } = context;",
  ).replace("withKey(`https://example.com/me`)", "`https://example.com/me?access_token=${invocationToken}`"),
  "a URL's parameters by the SDK": ask('url: coda.withQueryParams("https://example.com/me", { api_key: context.invocationToken })'),
  "a header of another name": ask(`${URL}, headers: { "X-Auth": context.invocationToken }`),
  "a header for a secret": ask(`${URL}, headers: { "X-Client-Secret": context.invocationToken }`),
  "a header that is called a token": ask(`${URL}, headers: { Token: "Token " + context.invocationToken }`),
  "encoded for a Basic header": ask(
    `${URL}, headers: { Authorization: "Basic " + Buffer.from(context.invocationToken + ":").toString("base64") }`,
  ),
  "a form, under the name of an app's key": ask(`${URL}, form: { app_key: context.invocationToken }`),
  "a form, as a refresh token": ask(`${URL}, form: { grant_type: "refresh_token", refresh_token: context.invocationToken }`),
  "a header of a helper that is passed it": helped("token", "context.invocationToken", "headers: { Authorization: `Bearer ${token}` }"),
  "a header of a helper that is passed it in an object": helped(
    "{ token }",
    "{ token: context.invocationToken }",
    'headers: { "X-Api-Key": token }',
  ),
  "a form of a helper that is passed it": helped("token", "context.invocationToken", "form: { api_key: token }"),
  "a URL of a helper that is passed it": `${helped("token", "context.invocationToken", "headers: {}").replace('url: "https://example.com/me"', "url: `https://example.com/me?api_key=${token}`")}`,
  "a URL's user": ask("url: `https://me:${context.invocationToken}@example.com/me`"),
};

const RIGHT: Readonly<Record<string, string>> = {
  "placeholders in a body, a form and a URL": ask(
    'url: `https://example.com/me?api_key={{pin-${context.invocationToken}}}`, form: { api_key: `{{pin-${context.invocationToken}}}` }, body: JSON.stringify({ api_key: "{{pin-" + context.invocationToken + "}}" })',
  ),
  "an id of the request in a body": ask(
    `${URL}, ${PIN_HEADER}, body: JSON.stringify({ requestId: context.invocationToken, idempotency_key: context.invocationToken, token: context.invocationToken })`,
  ),
  "an id in a form and in a URL": ask(
    `url: "https://example.com/me?nonce=" + context.invocationToken, ${PIN_HEADER}, form: { state: context.invocationToken }`,
  ),
  "ids that are called tokens": ask(
    `${URL}, headers: { "X-Pin": \`{{pin-\${context.invocationToken}}}\`, "X-Request-Token": context.invocationToken, "X-Amz-Client-Token": context.invocationToken }, form: { session_token: context.invocationToken, client_token: context.invocationToken, userToken: context.invocationToken }`,
  ),
  "a secret that is made up for a webhook": ask(
    `${URL}, ${PIN_HEADER}, body: JSON.stringify({ config: { secret: context.invocationToken } })`,
  ),
  "a helper that is passed it for a placeholder and an id": helped(
    "token",
    "context.invocationToken",
    'headers: { "X-Request-Id": token, "X-Api-Key": `{{pin-${token}}}` }',
  ),
  "a helper that makes another text of it": helped(
    "token",
    "context.invocationToken",
    "headers: { Authorization: `Bearer ${token}` }",
    "token = `{{pin-${token}}}`;",
  ),
  "an unknown body": ask(`${URL}, ${PIN_HEADER}, body: make(context.invocationToken)`, "const make = (id) => String(id);"),
};

const readFindings = (source: string): readonly string[] => {
  const files = split(source);
  const analysis = analyse(files);
  return Object.keys(files).flatMap((file) =>
    analysis
      .diagnostics(file)
      .filter(({ rule }) => rule !== "custom-param-unused")
      .map(({ severity, rule }) => `${severity} ${rule}`),
  );
};

describe("the invocation token as a credential", () => {
  for (const [name, source] of Object.entries(WRONG))
    it(`the invocation token is an error: ${name}`, () => assert.deepEqual(readFindings(source), ["error invocation-token-as-secret"]));

  for (const [name, source] of Object.entries(RIGHT))
    it(`the invocation token is accepted: ${name}`, () => assert.deepEqual(readFindings(source), []));

  it("the invocation token is an error in JavaScript across files", () => {
    assert.deepEqual(
      readFindings(
        `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst { login } = require("./login");\nconst pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n${formula("return login(context);")}module.exports = { pack };\n// @file: login.js\nexports.login = async (context) => {\n  const form = { password: context.invocationToken };\n  const response = await context.fetcher.fetch({ method: "POST", url: "https://example.com/login", form });\n  return response.body;\n};\n`,
      ),
      ["error invocation-token-as-secret"],
    );
  });
});
