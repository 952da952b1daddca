// A placeholder that is left in a request's URL: nothing fills it in, unless code of the pack may do so before the request is sent.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources in quotes have templates in them
import assert from "node:assert/strict";
import { analyse } from "../support/analyse.ts";
import { flaggedBy } from "../support/flagged.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\n`;
const USERS = "https://acme.example/users/{userId}";

/** In a formula, whose parameters are `userId` and `id`. */
const formula = (body: string, more = ""): string =>
  `${HEAD}${more}pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, execute: async function ([userId, id], context) { ${body} } });\n`;
const send = (url: string, more = ""): string =>
  formula(`return (await context.fetcher.fetch({ method: "GET", url: ${url} })).body;`, more);
const get = (body: string, call = `return get(context, "${USERS}", { userId });`): string =>
  formula(call, `async function get(context: any, url: string, values: any) { ${body} }\n`);
const SEND = `return context.fetcher.fetch({ method: "GET", url });`;

const LEFT: Readonly<Record<string, readonly [text: string, source: string]>> = {
  "the last step": ["{userId}", send(`"${USERS}"`)],
  "a step, before more": ["{userId}", send("`https://acme.example/{userId}/items/${id}`")],
  "before a query": ["{user_id}", send('coda.withQueryParams("https://acme.example/users/{user_id}", { id })')],
  "what was meant for a template": ["${userId}", send('"https://acme.example/users/${userId}/items"')],
  "of a relative URL": [
    "{userId}",
    send('"/users/{userId}"').replace(
      "pack.addFormula",
      "pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, requiresEndpointUrl: true });\npack.addFormula",
    ),
  ],
  "in the host": ["{site}", send('"https://{site}.acme.example/items"')],
  "at the end of the host": ["${region}", send('"https://api-${region}/items"')],
  "before a file's ending": ["{userId}", send('"https://acme.example/users/{userId}.json"')],
  "before a verb": ["{userId}", send('"https://acme.example/users/{userId}:remove"')],
  "in two braces": ["{{userId}}", send('"https://acme.example/users/{{userId}}/items"')],
  "in two braces, in the host": ["{{site}}", send("`https://{{site}}.acme.example/items/${id}`")],
  "behind a name": ["{userId}", send("USERS + '/items'", `const USERS = "${USERS}";\n`)],
  "one of two, where the other is replaced": [`"${USERS}/items/{id}"`, send(`"${USERS}/items/{id}".replace("{id}", id)`)],
  "passed to a helper that passes it on": ["{userId}", get(SEND)],
  "in JavaScript": [
    "{userId}",
    `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst pack = coda.newPack();\nmodule.exports = { pack };\npack.addNetworkDomain("acme.example");\npack.addFormula({ name: "A", description: "A.", parameters: [], resultType: "string", execute: async function (args, context) { return (await context.fetcher.fetch({ method: "GET", url: "${USERS}" })).body; } });\n`,
  ],
};

const SILENT: Readonly<Record<string, string>> = {
  "filled in by replace": send(`"${USERS}".replace("{userId}", userId)`),
  "filled in by a pattern": send(`"${USERS}".replace(/\\{\\w+\\}/g, userId)`),
  "filled in by split and join": send(`"${USERS}".split("{userId}").join(userId)`),
  "filled in by a custom function": send(`fill("${USERS}", { userId })`, "declare function fill(url: string, values: object): string;\n"),
  "filled in, one after the other": formula(
    `let url = "${USERS}"; for (const [name, value] of Object.entries({ userId })) url = url.replace(\`{\${name}}\`, value); ${SEND}`,
  ),
  "filled in by a condition": formula(`let url = "${USERS}"; if (userId) { url = "https://acme.example/users/" + userId; } ${SEND}`),
  "filled in by the helper": get(`for (const name in values) url = url.replace("{" + name + "}", values[name]); ${SEND}`),
  "filled in by the helper, as it goes": get(
    `return context.fetcher.fetch({ method: "GET", url: url.replace(/\\{(\\w+)\\}/g, (_, name) => values[name]) });`,
  ),
  "filled in by the helper, under another name": get(
    `const whole = Object.entries(values).reduce((made, [name, value]) => made.replace("{" + name + "}", String(value)), url); return context.fetcher.fetch({ method: "GET", url: whole });`,
  ),
  "filled in in the request": formula(
    `const request: any = { method: "GET", url: "${USERS}" }; request.url = request.url.replace("{userId}", userId); return context.fetcher.fetch(request);`,
  ),
  "filled in by a custom fetch": formula(
    `return wrap(context).fetch({ url: "${USERS}" });`,
    `const wrap = (context: any) => ({ fetch: (request: any) => context.fetcher.fetch({ ...request, url: "${USERS}" }) });\n`,
  ),
  "requested fields": send('"https://acme.example/posts/{posts}?fields=name,comments{from}"').replace("/{posts}", ""),
  "an identifier with braces": send('"https://acme.example/repositories/{6f1c9a52-0a}/pulls"'),
  "a host that is filled in": send('"https://{site}.acme.example/items".replace("{site}", id)'),
  "in the user's name": send('"https://{user}@acme.example/items"'),
  "of Custom authentication, in two braces": send('"https://acme.example/{{apiKey}}/items"').replace(
    "pack.addFormula",
    'pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "apiKey", description: "Key" }] });\npack.addFormula',
  ),
  "a text in two braces, that a query has": send('"https://acme.example/render?text=Hello/{{name}}"'),
  "only a link": formula(`return "${USERS}";`),
};

const findPlaceholders = (source: string): readonly string[] => flaggedBy("url-placeholder", source);

describe("a placeholder in a request's URL", () => {
  for (const [name, [text, source]] of Object.entries(LEFT))
    it(`a placeholder that nothing replaces is flagged: ${name}`, () => assert.deepEqual(findPlaceholders(source), [`warning ${text}`]));
  it("a placeholder with a Custom param's name gets a message with the token form", () => {
    const source = send('"https://acme.example/{apiKey}/items"').replace(
      "pack.addFormula",
      'pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "apiKey", description: "Key" }] });\npack.addFormula',
    );
    const messages = analyse({ "pack.ts": source })
      .diagnostics("pack.ts")
      .filter(({ rule }) => rule === "url-placeholder")
      .map(({ message }) => message);
    assert.deepEqual(messages, [
      "Write {{apiKey-<invocationToken>}}. Nothing replaces {apiKey}, so the request is sent without the value of apiKey.",
    ]);
  });
  for (const [name, source] of Object.entries(SILENT))
    it(`no placeholder is flagged: ${name}`, () => assert.deepEqual(findPlaceholders(source), []));
});
