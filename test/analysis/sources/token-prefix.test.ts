// A prefix of a token that holds what the platform writes itself: the colon, the header's name. The upload takes any text, and then the
// service reads another scheme.
import assert from "node:assert/strict";
import { analyse, split } from "../../support/analyse.ts";
import { fixesOf, flagged, oauth, packOf } from "../../support/flagged.ts";
import { problemsOf } from "../../support/judged.ts";

const header = (fields: string, before = ""): string =>
  packOf(`${before}pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-Api-Key", ${fields} });`);

/** What is said, and what the first fix makes of it. */
const WRONG: Readonly<Record<string, readonly [source: string, text: string, fixedText?: string]>> = {
  "a colon at the end": [header('tokenPrefix: "Bearer:"'), '"Bearer:"', '"Bearer"'],
  "a colon and a space": [header("tokenPrefix: 'Token: '"), "'Token: '", "'Token'"],
  "a space at the end": [header('tokenPrefix: "Token "'), '"Token "', '"Token"'],
  "a space at the beginning": [header("tokenPrefix: ' Token'"), "' Token'", "'Token'"],
  "a space at the end, of OAuth2": [oauth("tokenPrefix: `Bearer `"), "`Bearer `", '"Bearer"'],
  "a space at the end, behind a constant": [header("tokenPrefix: `${SCHEME} `", 'const SCHEME = "Key";\n'), "`${SCHEME} `"],
  "the header's name": [header('tokenPrefix: "X-API-Key"'), '"X-API-Key"', ""],
  "the header's name, a colon and a scheme": [header('tokenPrefix: "x-api-key: Token"'), '"x-api-key: Token"', '"Token"'],
  "the scheme twice": [header('tokenPrefix: "Bearer Bearer"'), '"Bearer Bearer"', '"Bearer"'],
  "the scheme twice, in another case": [oauth("tokenPrefix: 'Bearer bearer'"), "'Bearer bearer'", "'Bearer'"],
  "a placeholder for the token": [header('tokenPrefix: "Bearer {token}"'), '"Bearer {token}"', '"Bearer"'],
  "a placeholder of a template": [header('tokenPrefix: "Token ${token}"'), '"Token ${token}"', '"Token"'],
  "a placeholder in angle brackets": [header("tokenPrefix: 'Bearer <api key>'"), "'Bearer <api key>'", "'Bearer'"],
  "a placeholder in capitals": [header("tokenPrefix: 'Bearer YOUR_TOKEN'"), "'Bearer YOUR_TOKEN'", "'Bearer'"],
  "nothing but a placeholder": [header('tokenPrefix: "{{token}}"'), '"{{token}}"', ""],
  "a placeholder behind a parameter": [header('tokenPrefix: "Token token={token}"'), '"Token token={token}"'],
  "a scheme and a parameter": [header('tokenPrefix: "Token token="'), '"Token token="'],
  "a parameter alone": [header('tokenPrefix: "key="'), '"key="'],
  "a parameter with a quote": [header("tokenPrefix: 'Token token=\"'"), "'Token token=\"'"],
  "a parameter, of OAuth2": [oauth('tokenPrefix: "Token token="'), '"Token token="'],
  "behind a constant": [header("tokenPrefix: PREFIX", 'const PREFIX = "Bearer: ";\n'), "PREFIX"],
  "of OAuth2": [oauth('tokenPrefix: "Bearer:"'), '"Bearer:"', '"Bearer"'],
  "of OAuth2, with the header's name": [oauth('tokenPrefix: "Authorization: Bearer "'), '"Authorization: Bearer "', '"Bearer"'],
  "of client credentials": [
    packOf(
      'pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "https://login.acme.example/token", tokenPrefix: "authorization:" });',
    ),
    '"authorization:"',
    "",
  ],
  "of one of several headers, for all users": [
    packOf(
      'pack.setSystemAuthentication({ type: coda.AuthenticationType.MultiHeaderToken, headers: [{ name: "X-A", description: "A", tokenPrefix: "A" }, { name: "X-B", description: "B", tokenPrefix: "Key :" }] });',
    ),
    '"Key :"',
    '"Key"',
  ],
};

const RIGHT: Readonly<Record<string, string>> = {
  "a scheme": header('tokenPrefix: "Bearer"'),
  "a colon inside": header('tokenPrefix: "urn:key"'),
  "nothing but a space": header('tokenPrefix: " "'),
  "two schemes": header('tokenPrefix: "Bearer Token"'),
  "a template with an unknown value": header("tokenPrefix: `Bearer ${process.env.KIND}`"),
  "no prefix": header('tokenPrefix: ""'),
  "an unknown prefix": header("tokenPrefix: process.env.PREFIX"),
  "a scheme called like the header": packOf(
    'pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "Token", tokenPrefix: "Token" });',
  ),
};

const sends = (headers: string, before = ""): string =>
  packOf(
    `pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, execute: async function ([], context) { ${before}const answer = await context.fetcher.fetch({ method: "GET", url: "https://acme.example/", headers: ${headers} }); return answer.body; } });`,
  );
const KEY = "{{key-${context.invocationToken}}}";

/** What is flagged of a header that the pack puts together, and what the fix puts in the place of the first text. */
const IN_HEADERS: Readonly<Record<string, readonly [source: string, text: string, from?: string, to?: string]>> = {
  "in a template": [sends(`{ Authorization: \`Bearer: ${KEY}\` }`), `\`Bearer: ${KEY}\``, "Bearer: {", "Bearer {"],
  "without a space": [sends(`{ authorization: \`Bearer:${KEY}\` }`), `\`Bearer:${KEY}\``, "Bearer:{", "Bearer {"],
  "in a sum": [
    sends('{ Authorization: "Token: {{key-" + context.invocationToken + "}}" }'),
    '"Token: {{key-" + context.invocationToken + "}}"',
    "Token: {",
    "Token {",
  ],
  "with the header's name": [
    sends(`{ "Authorization": \`Authorization: Bearer ${KEY}\` }`),
    `\`Authorization: Bearer ${KEY}\``,
    "Authorization: B",
    "B",
  ],
  "in a header that is set later": [
    sends("headers", `const headers: any = {}; headers["Authorization"] = \`Basic: ${KEY}\`; `),
    `\`Basic: ${KEY}\``,
    "Basic: {",
    "Basic {",
  ],
  "behind a constant": [
    `const SCHEME = "Bearer: ";\n${sends("{ Authorization: SCHEME + `{{key-${context.invocationToken}}}` }")}`,
    "SCHEME + `{{key-${context.invocationToken}}}`",
    '"Bearer: "',
    '"Bearer "',
  ],
};

const IN_HEADERS_RIGHT: Readonly<Record<string, string>> = {
  "a scheme": sends(`{ Authorization: \`Bearer ${KEY}\` }`),
  "a pair": sends("{ Authorization: `${context.timezone}: {{key-${context.invocationToken}}}` }"),
  "another header": sends(`{ "X-Token": \`Token: ${KEY}\` }`),
  "a scheme with parameters": sends(`{ Authorization: \`Token token: ${KEY}\` }`),
  "a custom scheme": sends(`{ Authorization: \`ApiKey: ${KEY}\` }`),
};

describe("the scheme of a header that the pack puts together", () => {
  for (const [name, [source, text, from, to]] of Object.entries(IN_HEADERS))
    it(`the colon behind the scheme is flagged and removed: ${name}`, async () => {
      assert.deepEqual(flagged(source, { toolkit: true }), [`warning token-prefix-form: ${text}`]);
      assert.deepEqual(await problemsOf({ "/pack/pack.ts": source }), []);
      const [fixed] = Object.values(fixesOf(source, "token-prefix-form"));
      assert.equal(fixed, source.replace(from ?? "", to ?? ""));
      assert.deepEqual(flagged(fixed ?? ""), []);
    });

  it("the colon behind the scheme is flagged in another JavaScript file", () => {
    const files = split(
      `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst { headersFor } = require("./headers");\nconst pack = coda.newPack();\nexports.pack = pack;\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });\npack.addFormula({ name: "A", description: "A.", parameters: [], resultType: "string", execute: async (args, context) => (await context.fetcher.fetch({ method: "GET", url: "https://acme.example/", headers: headersFor(context) })).body });\n// @file: headers.js\nexports.headersFor = (context) => ({ Accept: "*/*", authorization: "bearer: {{key-" + context.invocationToken + "}}" });\n`,
    );
    const analysis = analyse(files, { toolkit: true });
    const findings = Object.keys(files).flatMap((file) => analysis.diagnostics(file).map(({ rule, place }) => `${rule} in ${place.file}`));
    assert.deepEqual(findings, ["token-prefix-form in /pack/headers.js"]);
  });

  for (const [name, source] of Object.entries(IN_HEADERS_RIGHT))
    it(`the header is accepted: ${name}`, () => assert.deepEqual(flagged(source, { toolkit: true }), []));
});

describe("the prefix of a token", () => {
  for (const [name, [source, text, fixedText]] of Object.entries(WRONG))
    it(`the prefix gets a warning, since the upload accepts it: ${name}`, async () => {
      assert.deepEqual(flagged(source, { toolkit: true }), [`warning token-prefix-form: ${text}`]);
      assert.deepEqual(await problemsOf({ "/pack/pack.ts": source }), []);
      const [fixed] = Object.values(fixesOf(source, "token-prefix-form"));
      assert.equal(
        fixed,
        fixedText === undefined ? undefined : source.replace(fixedText === "" ? `, tokenPrefix: ${text}` : text, fixedText),
      );
      if (fixed !== undefined) assert.deepEqual(flagged(fixed), []);
    });

  for (const [name, source] of Object.entries(RIGHT))
    it(`the prefix is accepted: ${name}`, () => assert.deepEqual(flagged(source, { toolkit: true }), []));

  it("the prefix of a token in the URL is only reported as without effect", () =>
    assert.deepEqual(flagged(oauth('tokenPrefix: "Bearer:", tokenQueryParam: "token"')), ["warning oauth2-token-carrier: tokenPrefix"]));

  it("the prefix is flagged in JavaScript across files", async () => {
    const files = split(
      `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst { auth } = require("./auth");\nconst pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication(auth);\nmodule.exports = { pack };\n// @file: auth.js\nconst coda = require("@codahq/packs-sdk");\nexports.auth = { type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-Key", tokenPrefix: "X-Key: Token:" };\n`,
    );
    const analysis = analyse(files, { toolkit: true });
    const findings = Object.keys(files).flatMap((file) =>
      analysis.diagnostics(file).map(({ rule, place }) => `${place.file} ${rule} ${files[place.file]?.slice(place.start, place.end)}`),
    );
    assert.deepEqual(findings, ['/pack/auth.js token-prefix-form "X-Key: Token:"']);
    assert.deepEqual(await problemsOf(files), []);
  });
});
