// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources in quotes have templates in them
// What `--fix` and *Fix all* make of a source: right code, or nothing where something would be lost or invented.
import assert from "node:assert/strict";
import { analyse } from "../../support/analyse.ts";
import { fixedUnasked, fixesOf, flagged, oauth, packOf } from "../../support/flagged.ts";
import { problemsOf } from "../../support/judged.ts";

const custom = (name: string, placeholder: string, more = ""): string =>
  packOf(
    `pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: ${name}, description: "Key" }${more}] });\nexport const url = (context) => \`https://acme.example/?a={{${placeholder}-\${context.invocationToken}}}\`;`,
  );

describe("a param name with a space around it", () => {
  for (const name of ['" key"', '"key "', "'key\\t'"]) {
    it(`the space is trimmed in the declaration, and the right placeholder stays: ${name}`, async () => {
      const source = custom(name, "key");
      assert.deepEqual(flagged(source, { toolkit: true }), [`error param-name-invalid: ${name}`]);
      const fixed = custom(name.startsWith("'") ? "'key'" : '"key"', "key");
      assert.equal(fixedUnasked(source), fixed);
      assert.deepEqual(flagged(fixed, { toolkit: true }), []);
      assert.deepEqual(await problemsOf({ "/pack/pack.ts": fixed }), []);
    });
  }

  it("a space that the placeholder has too is only offered to be trimmed, in both", () => {
    const source = custom('" key"', " key");
    assert.deepEqual(flagged(source), ['warning param-name-invalid: " key"']);
    assert.equal(fixedUnasked(source), source);
    assert.equal(Object.values(fixesOf(source, "param-name-invalid"))[0], custom('"key"', "key"));
  });

  it("the param is not renamed to the name of another", () => {
    const source = custom('"key"', "key", ', { name: " key", description: "Other" }');
    assert.equal(fixedUnasked(source), source);
    assert.deepEqual(flagged(source), ['warning custom-param-unused: " key"', 'warning param-name-invalid: " key"']);
  });

  it("the trimmed name is not written into a malformed placeholder", () => {
    const source = custom('"key "', "key").replace("{{key-", "{{key:");
    assert.equal(fixedUnasked(source), custom('"key"', "key"));
  });

  it("a name behind a constant is left to the author", () => {
    const source = `${custom("KEY", "key")}const KEY = " key";\n`;
    assert.equal(fixedUnasked(source), source);
    assert.deepEqual(flagged(source), ["error param-name-invalid: KEY"]);
  });

  it("the fix is only offered when other placeholders are computed", () => {
    const source = `${custom('" key"', "key")}export const other = (context, name) => \`{{\${name}-\${context.invocationToken}}}\`;\n`;
    assert.equal(fixedUnasked(source), source);
  });
});

describe("http URLs", () => {
  const get = (url: string): string => packOf(`export const get = (context) => context.fetcher.fetch({ method: "GET", url: ${url} });`);
  const server = (url: string): string => packOf(`pack.addMCPServer({ name: "Server", endpointUrl: ${url} });`);
  const LOCAL: Readonly<Record<string, readonly [rule: string, source: string]>> = {
    "of a request": ["url-insecure", get('"http://localhost:8123/me"')],
    "of a request, in a template": ["url-insecure", get("`http://127.0.0.1:8123/items/${context.id}`")],
    "of an OAuth URL": ["oauth2-url-form", oauth('scopes: ["a"]', { tokenUrl: '"http://localhost:8123/token"' })],
    "of an MCP server": ["mcp-server-url", server('"http://localhost:8123/mcp"')],
  };
  for (const [name, [rule, source]] of Object.entries(LOCAL))
    it(`a URL of this machine is not made https unasked: ${name}`, () => {
      assert.equal(fixedUnasked(source), source);
      assert.equal(Object.values(fixesOf(source, rule))[0], source.replace("http:", "https:"));
    });

  it("a URL of any other host is made https unasked", () => {
    for (const source of [get('"http://acme.example/me"'), oauth('scopes: ["a"]', { tokenUrl: '"http://login.acme.example/token"' })])
      assert.equal(fixedUnasked(source), source.replace("http:", "https:"));
  });
});

const user = (type: string, fields: string): string =>
  packOf(`pack.setUserAuthentication({ type: coda.AuthenticationType.${type}, ${fields} });`);

/** What nothing is made of unasked, and what the first fix of the rule makes of it, which is right. */
function offers(rule: string, table: Readonly<Record<string, readonly [source: string, offered: string]>>): void {
  for (const [name, [source, offered]] of Object.entries(table))
    it(`the fix is offered, and never made unasked: ${name}`, async () => {
      assert.equal(fixedUnasked(source), source);
      assert.equal(Object.values(fixesOf(source, rule))[0], offered);
      assert.deepEqual(await problemsOf({ "/pack/pack.ts": offered }), []);
    });
}

describe("a list of names that is not a list of objects", () => {
  offers("field-type", {
    "an object of names and descriptions": [
      user("Custom", 'params: { key: "Key", "other-key": "Other" }'),
      user("Custom", 'params: [{ name: "key", description: "Key" }, { name: "other-key", description: "Other" }]'),
    ],
    "an object of headers": [
      user("MultiHeaderToken", 'headers: { "X-A": "A" }'),
      user("MultiHeaderToken", 'headers: [{ name: "X-A", description: "A" }]'),
    ],
    "a name alone": [user("Custom", "params: ['key']"), user("Custom", "params: [{ name: 'key', description: \"\" }]")],
  });

  it("one entry without a list is put into a list unasked", () =>
    assert.equal(
      fixedUnasked(user("Custom", 'params: { name: "key", description: "Key" }')),
      user("Custom", 'params: [{ name: "key", description: "Key" }]'),
    ));

  for (const fields of ["params: {}", "params: { key: 1 }", "params: { key: true, ...more }"])
    it(`an ambiguous value is left alone: ${fields}`, () => {
      const source = user("Custom", fields);
      assert.equal(fixedUnasked(source), source);
      assert.deepEqual(fixesOf(source, "field-type"), {});
    });
});

describe("a field under a name from elsewhere", () => {
  const OAUTH = (authorization: string, token: string): string =>
    user("OAuth2", `${authorization}: "https://login.acme.example/authorize", ${token}: "https://login.acme.example/token"`);
  const RENAMED: Readonly<Record<string, readonly [source: string, fixed: string]>> = {
    "the name of a header": [
      user("MultiHeaderToken", 'headers: [{ headerName: "X-A", description: "A" }]'),
      user("MultiHeaderToken", 'headers: [{ name: "X-A", description: "A" }]'),
    ],
    "the name of a param": [
      user("MultiQueryParamToken", 'params: [{ description: "A", paramName: "a" }]'),
      user("MultiQueryParamToken", 'params: [{ description: "A", name: "a" }]'),
    ],
    "a misspelt name": [
      user("Custom", 'params: [{ nam: "a", description: "A" }]'),
      user("Custom", 'params: [{ name: "a", description: "A" }]'),
    ],
    "the OAuth URLs": [OAUTH("authUrl", "accessTokenUrl"), OAUTH("authorizationUrl", "tokenUrl")],
    "the OAuth URLs in capitals": [OAUTH("authURL", "accessTokenURL"), OAUTH("authorizationUrl", "tokenUrl")],
  };
  for (const [name, [source, fixed]] of Object.entries(RENAMED))
    it(`the field is renamed, and not reported as missing: ${name}`, async () => {
      for (const line of flagged(source)) assert.match(line, /^error field-unknown: /);
      assert.equal(fixedUnasked(source), fixed);
      assert.deepEqual(await problemsOf({ "/pack/pack.ts": fixed }), []);
    });

  it("the field is not renamed to one that exists", () => {
    const source = user("MultiHeaderToken", 'headers: [{ name: "X-A", headerName: "X-B", description: "A" }]');
    assert.equal(fixedUnasked(source), source);
  });
});

describe("a field of another type", () => {
  offers("field-unknown", {
    "a field of uxConfig, without uxConfig": [user("WebBasic", "usernameOnly: true"), user("WebBasic", "uxConfig: { usernameOnly: true }")],
    "a field of uxConfig, beside it": [
      user("WebBasic", 'usernameOnly: true, uxConfig: { placeholderUsername: "Login" }'),
      user("WebBasic", 'uxConfig: { placeholderUsername: "Login", usernameOnly: true }'),
    ],
  });

  offers("field-not-for-type", {
    "headers for params": [
      user("MultiQueryParamToken", 'headers: [{ name: "a", description: "A" }]'),
      user("MultiQueryParamToken", 'params: [{ name: "a", description: "A" }]'),
    ],
    "params for headers": [
      user("MultiHeaderToken", 'params: [{ name: "a", description: "A" }]'),
      user("MultiHeaderToken", 'headers: [{ name: "a", description: "A" }]'),
    ],
  });

  it("the field is only removed when the right one exists", () =>
    assert.deepEqual(
      Object.keys(
        fixesOf(
          user("MultiHeaderToken", 'headers: [{ name: "a", description: "A" }], params: [{ name: "a", description: "A" }]'),
          "field-not-for-type",
        ),
      ),
      ["Remove params"],
    ));
});

describe("a header name that includes the scheme", () => {
  const HEADER = 'headerName: "Authorization", tokenPrefix: "Bearer"';
  offers("header-name-invalid", {
    "after a space": [user("CustomHeaderToken", 'headerName: "Authorization Bearer"'), user("CustomHeaderToken", HEADER)],
    "after a colon": [user("CustomHeaderToken", 'headerName: "Authorization: Bearer"'), user("CustomHeaderToken", HEADER)],
    "after a colon, of another header": [
      user("CustomHeaderToken", 'headerName: "X-Auth:Token"'),
      user("CustomHeaderToken", 'headerName: "X-Auth", tokenPrefix: "Token"'),
    ],
    "with a space at the end": [user("CustomHeaderToken", 'headerName: "Authorization: Bearer "'), user("CustomHeaderToken", HEADER)],
    "with the same tokenPrefix": [
      user("CustomHeaderToken", 'headerName: "Authorization: bearer", tokenPrefix: "Bearer"'),
      user("CustomHeaderToken", HEADER),
    ],
    "of one of several": [
      user("MultiHeaderToken", 'headers: [{ name: "Authorization Token", description: "A" }]'),
      user("MultiHeaderToken", 'headers: [{ name: "Authorization", description: "A", tokenPrefix: "Token" }]'),
    ],
  });

  it("a different tokenPrefix, or a constant, leaves the header name without a fix", () => {
    for (const source of [
      user("CustomHeaderToken", 'headerName: "Authorization: Bearer", tokenPrefix: "Token"'),
      `const NAME = "Authorization: Bearer";\n${user("CustomHeaderToken", "headerName: NAME")}`,
    ])
      assert.deepEqual(fixesOf(source, "header-name-invalid"), {});
  });

  it("a word that may belong to the name is not treated as a scheme", () =>
    assert.deepEqual(Object.keys(fixesOf(user("CustomHeaderToken", 'headerName: "X Token"'), "header-name-invalid")), [
      "Change to X-Token",
    ]));
});

describe("an enumerated value in the wrong form", () => {
  it("a value in the wrong case is corrected unasked", () => {
    for (const method of ["s256", " S256"])
      assert.equal(
        fixedUnasked(oauth(`useProofKeyForCodeExchange: true, pkceChallengeMethod: "${method}"`)),
        oauth('useProofKeyForCodeExchange: true, pkceChallengeMethod: "S256"'),
      );
  });

  it("a string in place of an enum member is corrected unasked", () =>
    assert.equal(
      fixedUnasked(oauth('scopes: ["a"], credentialsLocation: "body"')),
      oauth('scopes: ["a"], credentialsLocation: coda.TokenExchangeCredentialsLocation.Body'),
    ));

  it("an ambiguous value is left to the author", () => {
    const source = oauth('useProofKeyForCodeExchange: true, pkceChallengeMethod: "sha"');
    assert.equal(fixedUnasked(source), source);
    assert.deepEqual(Object.keys(fixesOf(source, "field-type")), ['Change to "plain"', 'Change to "S256"']);
  });
});

describe("scopes in one string", () => {
  const SPLIT: Readonly<Record<string, readonly [fields: string, fixed: string]>> = {
    "by the default delimiter": ['scopes: "read  write"', 'scopes: ["read", "write"]'],
    "by the configured delimiter": ['scopes: "read, write", scopeDelimiter: ","', 'scopes: ["read", "write"], scopeDelimiter: ","'],
    "a single scope": ['scopes: " read ", scopeDelimiter: ";"', 'scopes: ["read"], scopeDelimiter: ";"'],
  };
  for (const [name, [fields, fixed]] of Object.entries(SPLIT))
    it(`joined scopes are split unasked: ${name}`, () => assert.equal(fixedUnasked(oauth(fields)), oauth(fixed)));

  offers("field-type", {
    "scopes joined by another delimiter than the one in force": [oauth('scopes: "read,write"'), oauth('scopes: ["read", "write"]')],
    "scopes joined by a delimiter that is not in force": [
      oauth('scopes: "read write", scopeDelimiter: ","'),
      oauth('scopes: ["read", "write"], scopeDelimiter: ","'),
    ],
  });
});

describe("an OAuth URL with a space before it", () => {
  it("the space is trimmed unasked, and the message names it", async () => {
    const source = oauth('scopes: ["a"]', { tokenUrl: '" https://login.acme.example/token"' });
    assert.notDeepEqual(await problemsOf({ "/pack/pack.ts": source }), []);
    const [only, ...more] = analyse({ "/pack/pack.ts": source }).diagnostics("/pack/pack.ts");
    assert.deepEqual(more, []);
    assert.match(only?.message ?? "", /^tokenUrl must begin with https:\/\/, without a space before it\./);
    const fixed = fixedUnasked(source);
    assert.equal(fixed, oauth('scopes: ["a"]', { tokenUrl: '"https://login.acme.example/token"' }));
    assert.deepEqual(await problemsOf({ "/pack/pack.ts": fixed }), []);
  });
});

describe("several domains in one string", () => {
  const get = (declared: string): string =>
    `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n${declared}\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, networkDomain: "acme.com" });\nexport const get = (context) => context.fetcher.fetch({ method: "GET", url: "https://api.acme.com/me" });\n`;
  for (const [domains, divided] of [
    ['"acme.com, acme.io"', '"acme.com", "acme.io"'],
    ["'acme.com acme.io'", "'acme.com', 'acme.io'"],
    ['"acme.com;acme.io"', '"acme.com", "acme.io"'],
  ] as const)
    it(`joined domains are offered to be split, without other findings: ${domains}`, async () => {
      const source = get(`pack.addNetworkDomain(${domains});`);
      assert.deepEqual(flagged(source), [`error network-domain-form: ${domains}`]);
      assert.equal(fixedUnasked(source), source);
      const fixed = get(`pack.addNetworkDomain(${divided});`);
      assert.equal(Object.values(fixesOf(source, "network-domain-form"))[0], fixed);
      assert.deepEqual(flagged(fixed), []);
      assert.deepEqual(await problemsOf({ "/pack/pack.ts": fixed }), []);
    });

  it("joined domains in a list are offered to be split", () => {
    const source = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack({ networkDomains: ["acme.com, acme.io"] });\n`;
    assert.equal(Object.values(fixesOf(source, "network-domain-form"))[0], source.replace('"acme.com, acme.io"', '"acme.com", "acme.io"'));
  });
});

describe("a credential in the configuration", () => {
  const readMessages = (source: string): readonly string[] =>
    analyse({ "/pack/pack.ts": source })
      .diagnostics("/pack/pack.ts")
      .map(({ message, fixes }) => [message, ...fixes.map(({ title }) => title)].join(" | "));
  const LITERAL_CREDENTIALS: Readonly<Record<string, readonly [type: string, fields: string]>> = {
    "a token": ["HeaderBearerToken", 'token: "abc-123"'],
    "a token in a type with a similar field": ["CustomHeaderToken", 'headerName: "X-Key", token: "abc-123"'],
    "a password": ["WebBasic", 'password: "hunter2"'],
    "a key": ["QueryParamToken", 'paramName: "key", api_key: "abc-123"'],
    "a secret behind a constant": ["HeaderBearerToken", "secret: SECRET"],
  };
  for (const [name, [type, fields]] of Object.entries(LITERAL_CREDENTIALS))
    it(`a credential that users enter is reported, and left for its author to remove: ${name}`, async () => {
      const source = `${user(type, fields)}const SECRET = "abc-123";\n`;
      const [only = "", ...more] = readMessages(source);
      assert.match(only, /^Remove it\. The platform asks each user for it at sign-in, and it must not be in the source\..* \| Remove \w+$/);
      assert.deepEqual(more, []);
      assert.equal(fixedUnasked(source), source);
      assert.notDeepEqual(await problemsOf({ "/pack/pack.ts": source }), []);
    });

  it("a credential of the pack is reported as one that its settings take", () =>
    assert.match(readMessages(user("HeaderBearerToken", 'token: "abc"').replace("setUser", "setSystem")).join(), /in the pack's settings/));

  it("a credential field with a computed value is only reported as unknown", () =>
    assert.match(
      readMessages(user("HeaderBearerToken", "apiKey: readKey()")).join(),
      /^Check apiKey\. Pack Auth does not know this field/,
    ));
});
