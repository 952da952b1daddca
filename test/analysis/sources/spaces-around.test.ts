// A space around a scope, or around the name of a parameter or of an answer's property, is used with it.
import assert from "node:assert/strict";
import { split } from "../../support/analyse.ts";
import { fixesOf, flaggedBy, oauth, packOf } from "../../support/flagged.ts";
import { problemsOf } from "../../support/judged.ts";
import { staySilent } from "../../support/traps.ts";

const aws = (fields: string): string => packOf(`pack.setUserAuthentication({ type: coda.AuthenticationType.AWSAccessKey, ${fields} });`);
const client = (fields: string): string =>
  packOf(
    `pack.setSystemAuthentication({ type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "https://login.acme.example/token", ${fields} });`,
  );

/** The source, what is flagged in it, and what each fix in turn makes of the first of them. */
const SCOPES: Readonly<Record<string, readonly [source: string, texts: readonly string[], fixed?: readonly [from: string, to: string]]>> = {
  "behind it": [oauth('scopes: ["read ", "write"]'), ['"read "'], ['"read "', '"read"']],
  "before it": [oauth("scopes: ['read', ' write']"), ["' write'"], ["' write'", "'write'"]],
  "with another delimiter": [oauth('scopeDelimiter: ",", scopes: ["read ", " write"]'), ['"read "', '" write"'], ['"read "', '"read"']],
  "with a delimiter that is not known": [oauth("scopeDelimiter: process.env.D, scopes: ['read ']"), ["'read '"], ["'read '", "'read'"]],
  "a line's end": [oauth("scopes: [`read\n`]"), ["`read\n`"], ["`read\n`", '"read"']],
  "nothing at all": [oauth('scopes: [""]'), ['""'], ['scopes: [""]', "scopes: []"]],
  "nothing among others": [oauth('scopes: ["read", ""]'), ['""'], ['["read", ""]', '["read"]']],
  "of client credentials": [client('scopes: ["read "]'), ['"read "'], ['"read "', '"read"']],
  "in another file, in JavaScript": [
    `// @file: pack.js
const coda = require("@codahq/packs-sdk");
const { SCOPES } = require("./scopes");
const pack = coda.newPack();
module.exports = { pack };
pack.addNetworkDomain("acme.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t", scopes: SCOPES });
// @file: scopes.js
exports.SCOPES = ["read ", "write"];
`,
    ['"read "'],
  ],
};

const NAMES: Readonly<Record<string, readonly [source: string, text: string, fixedText?: string]>> = {
  "of the token's parameter": [oauth('tokenQueryParam: "token "'), '"token "', '"token"'],
  "of the answer's property": [oauth("nestedResponseKey: ' authed_user'"), "' authed_user'", "'authed_user'"],
  "of the endpoint's property": [oauth('endpointKey: "instance_url "'), '"instance_url "', '"instance_url"'],
  "of the scopes' parameter": [oauth('scopeParamName: "user_scope "'), '"user_scope "', '"user_scope"'],
  "of the service": [aws('service: "s3 "'), '"s3 "', '"s3"'],
  "of the service, behind a constant": [
    packOf('const SERVICE = "s3 ";\npack.setUserAuthentication({ type: coda.AuthenticationType.AWSAccessKey, service: SERVICE });'),
    "SERVICE",
  ],
  "of client credentials, for all users": [client("tokenQueryParam: `token `"), "`token `", '"token"'],
};

describe("surrounding spaces", function () {
  this.timeout(60_000);
  for (const [name, [source, texts, change]] of Object.entries(SCOPES)) {
    it(`a space around a scope is flagged: ${name}`, async () => {
      assert.deepEqual(
        flaggedBy("oauth2-scope-joined", source),
        texts.map((text) => `warning ${text}`),
      );
      assert.deepEqual(await problemsOf(split(source)), []);
    });
    if (change !== undefined)
      it(`the fix removes the space around a scope: ${name}`, () => {
        assert.deepEqual(Object.values(fixesOf(source, "oauth2-scope-joined")), [source.replace(...change)]);
      });
  }
  for (const [name, [source, text, fixedText]] of Object.entries(NAMES))
    it(`a space around a name is flagged: ${name}`, async () => {
      assert.deepEqual(flaggedBy("field-empty", source), [`warning ${text}`]);
      assert.deepEqual(Object.values(fixesOf(source, "field-empty")), fixedText === undefined ? [] : [source.replace(text, fixedText)]);
      assert.deepEqual(await problemsOf(split(source)), []);
    });
});

staySilent("spaces", {
  "none at all": oauth('scopes: ["read", "write"], tokenQueryParam: "token", nestedResponseKey: "authed_user"'),
  "an empty list": oauth("scopes: []"),
  "a scope that is not known": oauth("scopes: [process.env.SCOPE]"),
  "names that are not known": oauth("nestedResponseKey: process.env.KEY, endpointKey: KEY"),
  "inside a name": oauth('nestedResponseKey: "authed user"'),
  "no service that is known": aws("service: `${process.env.SERVICE} `"),
});
