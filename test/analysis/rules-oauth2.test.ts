// The OAuth2 rules in odd cases: values behind names, templates and spreads, what providers are known for, and what stays silent.
import assert from "node:assert/strict";
import { fixesOf, flagged, oauth, packOf } from "../support/flagged.ts";

const GOOGLE = { authorizationUrl: '"https://accounts.google.com/o/oauth2/v2/auth"', tokenUrl: '"https://oauth2.googleapis.com/token"' };
const url = (text: string) => ({ authorizationUrl: JSON.stringify(text) });

function cases(table: Readonly<Record<string, readonly [source: string, ...findings: string[]]>>): void {
  for (const [name, [source, ...expected]] of Object.entries(table))
    it(`${expected.length > 0 ? "a finding is reported" : "no finding is reported"}: ${name}`, () =>
      assert.deepEqual(flagged(source), expected));
}

describe("parameters of an authorization request", () => {
  cases({
    "a query behind a constant": [
      oauth("", { authorizationUrl: "AUTHORIZE" }).replace(
        "pack.add",
        'const AUTHORIZE = "https://login.acme.example/authorize?a=1";\npack.add',
      ),
      "warning oauth2-url-query: AUTHORIZE",
    ],
    "a query in a template with an unknown tenant": [
      oauth("", { authorizationUrl: "`https://login.acme.example/authorize?tenant=${process.env.TENANT}`" }),
      "warning oauth2-url-query: `https://login.acme.example/authorize?tenant=${process.env.TENANT}`",
    ],
    "a question mark and nothing behind it": [oauth("", url("https://login.acme.example/authorize?"))],
    "a fragment": [oauth("", url("https://login.acme.example/authorize#/?a=1"))],
    "a query of the token URL": [oauth("", { tokenUrl: '"https://login.acme.example/token?v=2"' })],
    "reserved parameters and others in one query": [
      oauth("", url("https://login.acme.example/authorize?state=x&audience=api&client_id=y")),
      'warning oauth2-url-query: "https://login.acme.example/authorize?state=x&audience=api&client_id=y"',
      "error oauth2-reserved-param: state=x",
      "error oauth2-reserved-param: client_id=y",
    ],
    "an encoded name": [oauth("", url("https://login.acme.example/authorize?client%5Fid=x")), "error oauth2-reserved-param: client%5Fid=x"],
    "response_type: code in the query": [
      oauth("", url("https://login.acme.example/authorize?response_type=code")),
      "information oauth2-reserved-param: response_type=code",
    ],
    "hybrid response types": [
      oauth('additionalParams: { response_type: "code id_token" }'),
      "error oauth2-grant-unsupported: response_type",
    ],
    "a response type that is not known": [
      oauth("additionalParams: { response_type: process.env.KIND }"),
      "error oauth2-reserved-param: response_type",
    ],
    "a parameter that is left out": [oauth("additionalParams: { state: undefined }")],
    "parameters behind a name, and spread in": [
      oauth("additionalParams: { ...PARAMS }").replace("pack.add", 'const PARAMS = { client_id: "x" };\npack.add'),
      "error oauth2-reserved-param: client_id",
    ],
    "parameters that are computed": [oauth("additionalParams: makeParams()")],
    "scope under another scopeParamName": [oauth('scopeParamName: "user_scope", additionalParams: { scope: "chat" }')],
    "scope under a scopeParamName that is not known": [oauth('scopeParamName: NAME, additionalParams: { scope: "chat" }')],
    "scope, with its usual name written": [
      oauth('scopeParamName: "scope", scopes: ["a"], additionalParams: { scope: "a" }'),
      "error oauth2-reserved-param: scope",
    ],
    "the platform's own challenge method": [
      oauth('useProofKeyForCodeExchange: true, additionalParams: { code_challenge_method: "S256" }'),
      "information oauth2-reserved-param: code_challenge_method",
    ],
    "a grant as a field": [oauth('grantType: "client_credentials"'), "error oauth2-grant-unsupported: grantType"],
    "client credentials' own grant in its URL": [
      packOf(
        'pack.setSystemAuthentication({ type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "https://login.acme.example/token?grant_type=client_credentials" });',
      ),
    ],
    "a secret in three places": [
      oauth('clientId: "a", additionalParams: { client_secret: "b" }', url("https://login.acme.example/authorize?client_secret=c")),
      "error oauth2-secret-in-source: client_secret=c",
      "error oauth2-secret-in-source: clientId",
      "error oauth2-secret-in-source: client_secret",
    ],
  });

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
  cases({
    "several joined by the delimiter in force": [
      oauth('scopeDelimiter: ";", scopes: ["a;b", "c d"]'),
      'warning oauth2-scope-joined: "a;b"',
    ],
    "a delimiter that is not known": [oauth('scopeDelimiter: DELIMITER, scopes: ["a b"]')],
    "a space at an end": [oauth('scopes: [" a "]'), 'warning oauth2-scope-joined: " a "'],
    "doubles behind names": [
      oauth("scopes: [READ, READ]").replace("pack.add", 'const READ = "read";\npack.add'),
      "warning oauth2-scope-duplicate: READ",
    ],
    "a spread between": [oauth('scopes: ["a", ...MORE, "a"]'), 'warning oauth2-scope-duplicate: "a"'],
    "an empty delimiter": [oauth('scopeDelimiter: ""'), 'error oauth2-scope-delimiter: ""'],
    "a delimiter that is no text": [oauth("scopeDelimiter: 1"), "error field-type: 1"],
  });

  it("the delimiter of a known provider is offered first", () => {
    const source = oauth('scopeDelimiter: "|", additionalParams: { access_type: "offline", prompt: "consent" }', GOOGLE);
    assert.equal(Object.keys(fixesOf(source, "oauth2-scope-delimiter"))[0], "Change to a space");
    assert.equal(Object.keys(fixesOf(oauth('scopeDelimiter: " ; "'), "oauth2-scope-delimiter"))[0], "Change to a semicolon");
  });
});

describe("tokens", () => {
  cases({
    "an empty prefix beside the query parameter": [oauth('tokenPrefix: "", tokenQueryParam: "token"')],
    "a prefix beside a parameter that is not known": [oauth('tokenPrefix: "Token", tokenQueryParam: PARAM')],
    "a challenge method with PKCE switched off": [
      oauth('useProofKeyForCodeExchange: false, pkceChallengeMethod: "plain"'),
      "warning oauth2-pkce-method: pkceChallengeMethod",
    ],
    "a challenge method where PKCE may be on": [oauth('useProofKeyForCodeExchange: USE, pkceChallengeMethod: "S256"')],
    "a challenge method with dynamic registration": [
      packOf(
        'pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, useDynamicClientRegistration: true, pkceChallengeMethod: "S256" });',
      ),
      "information registration-without-pkce: useDynamicClientRegistration",
      "warning oauth2-pkce-method: pkceChallengeMethod",
    ],
  });
});

describe("refresh tokens", () => {
  const google = '"https://accounts.google.com/o/oauth2/v2/auth"';
  const note = `information oauth2-no-refresh-token: ${google}`;
  const microsoft = {
    authorizationUrl: '"https://login.microsoftonline.com/common/oauth2/v2.0/authorize"',
    tokenUrl: '"https://login.microsoftonline.com/common/oauth2/v2.0/token"',
  };
  cases({
    "Google asked for offline access alone": [oauth('additionalParams: { access_type: "offline" }', GOOGLE), note],
    "Google asked by the older parameter": [oauth('additionalParams: { access_type: "offline", approval_prompt: "force" }', GOOGLE)],
    "Google asked in the query": [
      oauth("", {
        ...GOOGLE,
        authorizationUrl: '"https://accounts.google.com/o/oauth2/v2/auth?access_type=offline&prompt=consent"',
      }),
      'warning oauth2-url-query: "https://accounts.google.com/o/oauth2/v2/auth?access_type=offline&prompt=consent"',
    ],
    "Google, asked by something that is computed": [oauth("additionalParams: makeParams()", GOOGLE)],
    "Google, with fields spread in": [oauth("...more", GOOGLE)],
    "Microsoft without the scope": [
      oauth('scopes: ["user.read"]', microsoft),
      `information oauth2-no-refresh-token: ${microsoft.authorizationUrl}`,
    ],
    "Microsoft with a scope that is not known": [oauth('scopes: ["user.read", SCOPE]', microsoft)],
    "Microsoft with more scopes spread in": [oauth("scopes: [...SCOPES]", microsoft)],
    "Microsoft with the scope in a joined entry": [
      oauth('scopes: ["offline_access user.read"]', microsoft),
      'warning oauth2-scope-joined: "offline_access user.read"',
    ],
    "Microsoft's first endpoint": [
      oauth('scopes: ["user.read"]', { authorizationUrl: '"https://login.microsoftonline.com/common/oauth2/authorize"' }),
    ],
    "Salesforce, which grants everything unasked": [
      oauth("", { authorizationUrl: '"https://login.salesforce.com/services/oauth2/authorize"' }),
    ],
    "Salesforce asked for less": [
      oauth('scopes: ["api"]', { authorizationUrl: '"https://acme.my.salesforce.com/services/oauth2/authorize"' }),
      'information oauth2-no-refresh-token: "https://acme.my.salesforce.com/services/oauth2/authorize"',
    ],
    "a tenant of Auth0 in a template": [
      oauth('scopes: ["openid"]', { authorizationUrl: "`https://${TENANT}.auth0.com/authorize`" }),
      "information oauth2-no-refresh-token: `https://${TENANT}.auth0.com/authorize`",
    ],
    "an unknown provider": [oauth('scopes: ["openid"]', { authorizationUrl: '"https://auth0.acme.example/authorize"' })],
  });

  it("a new scope is added in place, in the list's own quotes and lines", () => {
    const source = `${packOf("")}const SCOPES = [\n  'user.read', // who it is\n];\npack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: ${microsoft.authorizationUrl}, tokenUrl: ${microsoft.tokenUrl}, scopes: SCOPES });\n`;
    assert.match(
      fixesOf(source, "oauth2-no-refresh-token")["Add the scope offline_access"] ?? "",
      /\[\n {2}'user\.read',\n {2}'offline_access', \/\/ who it is\n\]/,
    );
  });
});

describe("providers", () => {
  const google = '"https://accounts.google.com/o/oauth2/v2/auth"';
  const params = 'additionalParams: { access_type: "offline", prompt: "consent" }';
  cases({
    "an older token URL of the same provider": [
      oauth(params, { authorizationUrl: google, tokenUrl: '"https://www.googleapis.com/oauth2/v4/token"' }),
    ],
    "a token URL of another": [
      oauth(params, { authorizationUrl: google, tokenUrl: '"https://slack.com/api/oauth.v2.access"' }),
      'information oauth2-provider-mismatch: "https://slack.com/api/oauth.v2.access"',
    ],
    "two providers of one company": [
      oauth("", {
        authorizationUrl: '"https://www.instagram.com/oauth/authorize"',
        tokenUrl: '"https://graph.facebook.com/oauth/access_token"',
      }),
    ],
    "an unknown domain": [oauth(params, { authorizationUrl: google, tokenUrl: '"https://proxy.acme.example/token"' })],
  });

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
