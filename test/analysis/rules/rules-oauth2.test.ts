// The OAuth2 rules in odd cases: values behind names, templates and spreads, what providers are known for, and what stays silent.
import assert from "node:assert/strict";
import { fixesOf, flagged, oauth, packOf } from "../../support/flagged.ts";

const GOOGLE = { authorizationUrl: '"https://accounts.google.com/o/oauth2/v2/auth"', tokenUrl: '"https://oauth2.googleapis.com/token"' };
const url = (text: string) => ({ authorizationUrl: JSON.stringify(text) });
describe("parameters of an authorization request", () => {
  it("a query whose names exist or repeat is not moved", () => {
    for (const source of [
      oauth('additionalParams: { a: "2" }', url("https://login.acme.example/authorize?a=1")),
      oauth("", url("https://login.acme.example/authorize?a=1&a=2")),
      oauth("additionalParams: PARAMS", url("https://login.acme.example/authorize?a=1")),
      oauth("...rest", url("https://login.acme.example/authorize?a=1")),
    ])
      assert.deepEqual(fixesOf(source, "oauth2-url-query"), {}, source);
  });

  it("a moved query is decoded and quoted, and the fragment stays", () => {
    const source = oauth("", { authorizationUrl: "'https://login.acme.example/authorize?x-y=it%27s+1&b=#top'" });
    assert.match(
      fixesOf(source, "oauth2-url-query")["Move the query into additionalParams"] ?? "",
      /authorizationUrl: 'https:\/\/login\.acme\.example\/authorize#top', .* additionalParams: \{ "x-y": 'it\\'s 1', b: '' \}/,
    );
  });

  it("the removal of one of two parameters leaves the other, in the URL too", () => {
    const source = oauth("", url("https://login.acme.example/authorize?state=x&client_id=y#z"));
    assert.match(fixesOf(source, "oauth2-reserved-param")["Remove state from the URL"] ?? "", /authorize\?client_id=y#z"/);
  });
});

describe("scopes", () => {
  it("the delimiter of a known provider is offered first", () => {
    const source = oauth('scopeDelimiter: "|", additionalParams: { access_type: "offline", prompt: "consent" }', GOOGLE);
    assert.equal(Object.keys(fixesOf(source, "oauth2-scope-delimiter"))[0], "Change to a space");
    assert.equal(Object.keys(fixesOf(oauth('scopeDelimiter: " ; "'), "oauth2-scope-delimiter"))[0], "Change to a semicolon");
  });
});
describe("refresh tokens", () => {
  const microsoft = {
    authorizationUrl: '"https://login.microsoftonline.com/common/oauth2/v2.0/authorize"',
    tokenUrl: '"https://login.microsoftonline.com/common/oauth2/v2.0/token"',
  };
  it("a new scope is added in place, in the list's own quotes and lines", () => {
    const source = `${packOf("")}const SCOPES = [\n  'user.read', // who it is\n];\npack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: ${microsoft.authorizationUrl}, tokenUrl: ${microsoft.tokenUrl}, scopes: SCOPES });\n`;
    assert.match(
      fixesOf(source, "oauth2-no-refresh-token")["Add the scope offline_access"] ?? "",
      /\[\n {2}'user\.read',\n {2}'offline_access', \/\/ who it is\n\]/,
    );
  });
});

describe("providers", () => {
  it("a missing URL is suggested from the provider, the other URL, or the domain", () => {
    const missing = (statement: string, domain = "acme.example"): string | undefined =>
      /tokenUrl: "([^"]*)"/.exec(
        Object.values(fixesOf(packOf(statement).replace("acme.example", domain), "oauth2-missing-token-url"))[0] ?? "",
      )?.[1];
    const auth = (fields: string): string => `pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, ${fields} });`;
    assert.equal(
      missing(auth('authorizationUrl: "https://github.com/login/oauth/authorize"')),
      "https://github.com/login/oauth/access_token",
    );
    assert.equal(missing(auth('authorizationUrl: "https://login.acme.example/oauth2/auth"')), "https://login.acme.example/oauth2/token");
    assert.equal(missing(auth('authorizationUrl: "https://login.acme.example/start"')), "https://login.acme.example/oauth/token");
    assert.equal(missing(auth('authorizationUrl: "https://{x}.zendesk.com/start"'), "zendesk.com")?.includes("[subdomain]"), false);
    assert.equal(missing(auth("authorizationUrl: makeUrl()"), "asana.com"), "https://app.asana.com/-/oauth_token");
    assert.equal(missing(auth('requiresEndpointUrl: true, authorizationUrl: "/oauth/authorize"')), "/oauth/token");
  });
});

describe("an endpoint that users enter", () => {
  const titles = (fields: string): readonly string[] =>
    Object.keys(fixesOf(oauth(`requiresEndpointUrl: true${fields}`), "oauth2-manual-endpoint"));

  it("other sources of the endpoint are offered unless there is one already", () => {
    assert.deepEqual(titles(""), [
      "Take the endpoint from the token response (endpointKey)",
      "Let the user choose the endpoint (postSetup)",
      "Remove requiresEndpointUrl",
    ]);
    const step = '{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Choose a site", getOptions: async () => [] }';
    assert.deepEqual(titles(`, postSetup: [${step}]`), ["Remove requiresEndpointUrl"]);
  });
});

describe("an older toolkit", () => {
  const declarations = `export declare enum AuthenticationType { None = "None", OAuth2 = "OAuth2", HeaderBearerToken = "HeaderBearerToken" }
export interface OAuth2Authentication { type: AuthenticationType.OAuth2; authorizationUrl: string; tokenUrl: string; }
export interface SetEndpoint { type: string; name: string; description: string; getOptionsFormula: unknown; }`;
  const files = {
    "/pack/node_modules/@codahq/packs-sdk/package.json": '{"version": "0.9.0"}',
    "/pack/node_modules/@codahq/packs-sdk/dist/types.d.ts": declarations,
  };

  it("auth-spec 5.5.2: client credentials that the toolkit lacks are an unsupported grant, and nothing more", () => {
    const source = packOf(
      'pack.setSystemAuthentication({ type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "https://login.acme.example/token" });',
    );
    assert.deepEqual(flagged(source, { files }), ["error oauth2-grant-unsupported: OAuth2ClientCredentials"]);
    assert.deepEqual(flagged(source), []);
  });

  it("a type that the toolkit lacks is not offered", () => {
    const source = packOf(
      'pack.setSystemAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t" });',
    );
    assert.deepEqual(Object.keys(fixesOf(source, "auth-type-not-allowed", { files })), ["Change to setUserAuthentication"]);
    assert.deepEqual(Object.keys(fixesOf(source, "auth-type-not-allowed")), [
      "Change to setUserAuthentication",
      "Change the type to OAuth2ClientCredentials",
    ]);
  });
});

describe("an OAuth path without its slash, where users enter the endpoint", () => {
  const titles = (path: string): readonly string[] =>
    Object.keys(
      fixesOf(oauth("requiresEndpointUrl: true", { authorizationUrl: JSON.stringify(path), tokenUrl: '"/token"' }), "oauth2-url-form"),
    );
  for (const path of ["authorize", "oauth/authorize", "oauth/v1.0/authorize.php"])
    it(`the path ${path} gets its slash`, () => assert.deepEqual(titles(path), [`Change to /${path}`]));
  for (const host of ["login.acme.example", "login.acme.example/authorize", "acme.example:8443/authorize"])
    it(`the host ${host} gets no slash`, () => assert.deepEqual(titles(host), []));
});
