// The rules on a configuration's shape in odd cases: names behind constants, URLs in every state of being typed, setters in branches
// and functions, fields that an installed toolkit has or lacks.
import assert from "node:assert/strict";
import { unasked } from "../../server/analysis/features/fixes/fix-all.ts";
import { analyse } from "../support/analyse.ts";
import { fixesOf, flagged, oauth, packOf } from "../support/flagged.ts";

function cases(table: Readonly<Record<string, readonly [source: string, ...findings: string[]]>>, toolkit = false): void {
  for (const [name, [source, ...expected]] of Object.entries(table))
    it(`${expected.length > 0 ? "a finding is reported" : "no finding is reported"}: ${name}`, () =>
      assert.deepEqual(flagged(source, { toolkit }), expected));
}

const user = (config: string): string => packOf(`pack.setUserAuthentication(${config});`);
const header = (name: string): string => user(`{ type: coda.AuthenticationType.CustomHeaderToken, headerName: ${name} }`);
const custom = (...names: readonly string[]): string =>
  `${user(`{ type: coda.AuthenticationType.Custom, params: [${names.map((name) => `{ name: ${name}, description: "It" }`).join(", ")}] }`)}export const url = (context, name) => \`{{\${name}-\${context.invocationToken}}}\`;\n`;

describe("an unknown type without a near match", () => {
  const offered = (config: string): readonly string[] => Object.keys(fixesOf(user(config), "auth-type-unknown", { toolkit: true }));

  it("types that share most words and fit the fields are offered first", () => {
    for (const [typeName, fields, first] of [
      ["CustomToken", "", "CustomHeaderToken"],
      ["CustomToken", 'params: [{ name: "a", description: "A" }]', "Custom"],
      ["CustomToken", 'headerName: "X-Key"', "CustomHeaderToken"],
      ["Bearer", "", "HeaderBearerToken"],
      ["Basic", "", "WebBasic"],
      ["ApiKey", "", "HeaderBearerToken"],
      ["ApiKey", 'paramName: "key"', "QueryParamToken"],
    ])
      assert.equal(offered(`{ type: coda.AuthenticationType.${typeName}, ${fields} }`)[0], `Change to ${first}`, `${typeName}, ${fields}`);
  });
});

describe("the enum of types in place of a type", () => {
  const alone = "error auth-type-unknown: coda.AuthenticationType";
  const short = (type: string, before = ""): string =>
    `import { newPack, AuthenticationType as Type } from "@codahq/packs-sdk";\nexport const pack = newPack();\npack.addNetworkDomain("acme.example");\n${before}\npack.setUserAuthentication({ type: ${type} });\n`;
  cases({
    "the enum alone": [user("{ type: coda.AuthenticationType, }"), alone],
    "the enum in a condition's branch": [
      user("{ type: process.env.X ? coda.AuthenticationType.WebBasic : coda.AuthenticationType, }"),
      alone,
    ],
    "the enum under a local name": [short("Type, "), "error auth-type-unknown: Type"],
    "an enum about to get its member": [user("{ type: coda.AuthenticationType }")],
    "an enum about to get its member on its line": [user("{ type: coda.AuthenticationType\n, networkDomain: 'acme.example' }")],
    "another object of that name": [short("AuthenticationType, ", "const AuthenticationType = pick();")],
  });

  it("types that fit the fields are offered first", () => {
    const offered = Object.keys(fixesOf(user('{ type: coda.AuthenticationType, paramName: "key" }'), "auth-type-unknown"));
    assert.equal(offered[0], "Change to QueryParamToken");
  });
});

describe("an OAuth URL without its slash, behind the user's endpoint", () => {
  const manual = (tokenUrl: string): string =>
    user(`{ type: coda.AuthenticationType.OAuth2, authorizationUrl: "/authorize", tokenUrl: "${tokenUrl}", requiresEndpointUrl: true }`);

  it("a path gets its slash, and a possible host does not", () => {
    for (const [tokenUrl, fixed] of [
      ["oauth/token", "/oauth/token"],
      ["oauth_token.do", "/oauth_token.do"],
    ] as const)
      assert.deepEqual(fixesOf(manual(tokenUrl), "oauth2-url-form"), { [`Change to ${fixed}`]: manual(fixed) });
    for (const text of ["login.acme.example/token", "//acme.example/token", "?token", "acme:token"])
      assert.deepEqual(fixesOf(manual(text), "oauth2-url-form"), {}, text);
  });
});

describe("a call in place of getConnectionName", () => {
  const named = (before: string): string =>
    packOf(`${before}\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: whoAmI() });`);

  cases({
    "a part of the context, or a text": [
      named('function whoAmI(context) { if (context.endpoint) return context.endpoint; return "Acme"; }'),
      "error field-type: whoAmI()",
    ],
    "the result of a request": [
      named(
        'function whoAmI(context) { return context.fetcher.fetch({ method: "GET", url: "https://acme.example/me" }).then((r) => r.body.name); }',
      ),
      "error field-type: whoAmI()",
    ],
    "a choice": [named('const whoAmI = (context) => context.endpoint ? "Acme" : context.timezone;'), "error field-type: whoAmI()"],
    "a text of a part": [named("const whoAmI = (context) => context.endpoint;"), "error field-type: whoAmI()"],
    "a function": [named("function whoAmI(context) { return async (inner) => inner.endpoint; }")],
    "a function that has the context": [named("function whoAmI(context) { return async () => context.endpoint; }")],
    "a property of a default parameter": [named("function whoAmI(maker = { name: async () => 1 }) { return maker.name; }")],
    "an optional part": [named("function whoAmI(maker) { return maker?.name; }")],
    "a name that may stay unknown": [named("const makers = {}; function whoAmI(context) { return makers.name; }")],
    "an object behind a condition": [named("function whoAmI(context) { return !context && { execute: 1 }; }")],
    "nothing, as if the field were not there": [named('function whoAmI(context) { if (context) return "Acme"; }')],
    "a formula that was made": [named("function whoAmI(context) { return context ? { execute: context } : {}; }")],
  });
});

describe("names of headers and params", () => {
  cases({
    "a colon at the end": [header('"X-Key:"'), 'error header-name-invalid: "X-Key:"'],
    "a line end inside": [header('"X-Key\\nHost: x"'), 'error header-name-invalid: "X-Key\\nHost: x"'],
    "letters beyond ASCII": [header('"X-Schlüssel"'), 'error header-name-invalid: "X-Schlüssel"'],
    "behind a constant": [`const NAME = "X Key";\n${header("NAME")}`, "error header-name-invalid: NAME"],
    "every sign that a name may hold": [header('"!#$%&\'*+-.^_`|~09AZaz"')],
    "a name that is put together": [header("`X ${process.env.NAME}`")],
    "the platform's own, in any case": [header('"content-LENGTH"'), 'warning header-name-invalid: "content-LENGTH"'],
    "an empty name, which is field-empty's": [header('" "'), 'error field-empty: " "'],
    "three params, two alike": [custom('"a"', '"b"', '"a"'), 'error param-name-invalid: "a"'],
    "names that differ in case": [custom('"a"', '"A"')],
    "names that are not known": [custom("NAME", "NAME", '"b"')],
    "braces at one side": [custom('"key}}"'), 'error param-name-invalid: "key}}"'],
    "one brace": [custom('"k{e}y"')],
    "a name with a hyphen": [custom('"api-key"')],
    "braces in a query parameter's name": [
      user('{ type: coda.AuthenticationType.QueryParamToken, paramName: "{{key}}" }'),
      'warning param-name-invalid: "{{key}}"',
    ],
    "a blank in a query parameter's name": [
      user('{ type: coda.AuthenticationType.QueryParamToken, paramName: "api key" }'),
      'warning param-name-invalid: "api key"',
    ],
  });

  it("a name that cannot be corrected has no fix", () => {
    assert.deepEqual(fixesOf(header('"ключ"'), "header-name-invalid"), {});
    assert.deepEqual(fixesOf(`const NAME = "X Key";\n${header("NAME")}`, "header-name-invalid"), {});
    assert.deepEqual(fixesOf(custom('"{{}}"'), "param-name-invalid"), {});
  });

  it("a duplicate is renamed to a free name", () => {
    const fixed = Object.values(fixesOf(custom('"a"', '"a2"', "'a'"), "param-name-invalid"))[0] ?? "";
    assert.match(fixed, /\{ name: 'a3', description/);
  });

  it("a renamed param takes its placeholders along, in other files too", () => {
    const files = {
      "/pack/pack.ts": `import { url } from "./url";\n${user('{ type: coda.AuthenticationType.Custom, params: [{ name: "api key", description: "Key" }] }')}url;\n`,
      "/pack/url.ts":
        "export const url = (context) => context.fetcher.fetch({ method: 'GET', url: `https://acme.example/?k={{api key-${context.invocationToken}}}` });\n",
    };
    const diagnostics = analyse(files).diagnostics("/pack/pack.ts");
    const fix = diagnostics.find(({ rule }) => rule === "param-name-invalid")?.fixes[0];
    assert.deepEqual(fix?.edits.map(({ file, text }) => [file, text]).sort(), [
      ["/pack/pack.ts", '"api_key"'],
      ["/pack/url.ts", "api_key"],
    ]);
  });
});

describe("URLs", () => {
  const token = (text: string): string => oauth("", { tokenUrl: text });
  cases({
    "no URL at all": [token('"ask them"'), 'error url-invalid: "ask them"'],
    "a beginning and nothing more": [token('"https://"'), 'error url-invalid: "https://"'],
    "a port that is none": [
      token('"https://login.acme.example:99999/token"'),
      'error url-invalid: "https://login.acme.example:99999/token"',
    ],
    "a misspelt scheme": [token('"htps://login.acme.example/token"'), 'error oauth2-url-form: "htps://login.acme.example/token"'],
    "without a scheme": [token('"login.acme.example/token"'), 'error oauth2-url-form: "login.acme.example/token"'],
    "a path": [token('"/oauth/token"'), 'error oauth2-url-form: "/oauth/token"'],
    "a slot of the catalogue": [
      token('"https://[subdomain].zendesk.com/oauth/tokens"'),
      'error url-invalid: "https://[subdomain].zendesk.com/oauth/tokens"',
    ],
    "a slot in the path": [
      token('"https://login.acme.example/<tenant>/token"'),
      'warning url-placeholder: "https://login.acme.example/<tenant>/token"',
    ],
    unencrypted: [token('"HTTP://login.acme.example/token"'), 'error url-insecure: "HTTP://login.acme.example/token"'],
    "unencrypted and a template's": [token('"http://example.com/token"'), 'error url-insecure: "http://example.com/token"'],
    "unencrypted, in a template": [token("`http://${HOST}/token`"), "error url-insecure: `http://${HOST}/token`"],
    "unencrypted, behind a constant": [`const TOKEN = "http://login.acme.example/token";\n${token("TOKEN")}`, "error url-insecure: TOKEN"],
    "this machine, which the platform rejects for OAuth2": [
      token('"http://localhost:9000/token"'),
      'error oauth2-url-form: "http://localhost:9000/token"',
    ],
    "this machine, which the upload takes for client credentials": [
      packOf(
        'pack.setSystemAuthentication({ type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "http://127.0.0.1:9000/token" });',
      ),
      'information url-insecure: "http://127.0.0.1:9000/token"',
    ],
    "a host that only begins like this machine": [
      token('"http://localhost.acme.example/token"'),
      'error url-insecure: "http://localhost.acme.example/token"',
    ],
    "example.com as another's subdomain": [token('"https://example.com.acme.example/token"')],
    "names that only sound like a template's": [token('"https://yourkit.acme.example/todos/token"')],
    "a slot that code fills in": [token("`https://${TENANT}.acme.example/token`")],
    "your own word for it": [
      token('"https://your-company.acme.example/token"'),
      'warning url-placeholder: "https://your-company.acme.example/token"',
    ],
    "instructions by mail": [user('{ type: coda.AuthenticationType.HeaderBearerToken, instructionsUrl: "mailto:help@acme.example" }')],
    "instructions left empty": [user('{ type: coda.AuthenticationType.HeaderBearerToken, instructionsUrl: "" }')],
    "instructions as a path": [
      user('{ type: coda.AuthenticationType.HeaderBearerToken, instructionsUrl: "/help" }'),
      'warning url-invalid: "/help"',
    ],
    "instructions without encryption": [
      user('{ type: coda.AuthenticationType.HeaderBearerToken, instructionsUrl: "http://acme.example/help" }'),
    ],
  });

  it("https replaces http in place: in the constant, the template, the author's quotes", () => {
    const fixed = (source: string): string | undefined => fixesOf(source, "url-insecure")["Change to https"];
    assert.match(fixed(token("`http://${HOST}/token`")) ?? "", /tokenUrl: `https:\/\/\$\{HOST\}\/token`/);
    assert.match(fixed(`const TOKEN = 'HTTP://login.acme.example/token';\n${token("TOKEN")}`) ?? "", /^const TOKEN = 'https:\/\/login/);
    assert.equal(fixed(token('("http://login.acme.example/token")')), undefined);
  });

  it("literal endpoints of a step are checked", () => {
    const step = (options: string): string =>
      user(
        `{ type: coda.AuthenticationType.HeaderBearerToken, postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Choose", getOptions: ${options} }] }`,
      );
    const endpoints = (options: string): readonly string[] => flagged(step(options)).filter((line) => line.includes("url-insecure"));
    assert.deepEqual(endpoints('async () => ["http://a.acme.example", "http://localhost:8000"]'), [
      'error url-insecure: "http://a.acme.example"',
      'information url-insecure: "http://localhost:8000"',
    ]);
    assert.deepEqual(
      endpoints('async (context) => { const sites = await get(context); return sites.map((s) => "http://" + s.host); }'),
      [],
    );
    assert.deepEqual(
      endpoints('async () => { /* "http://a.acme.example" */ return [{ display: "http://x", value: "https://a.acme.example" }]; }'),
      [],
    );
  });
});

describe("authentication set twice", () => {
  const set = (type: string): string => `pack.setUserAuthentication({ type: coda.AuthenticationType.${type} });`;
  cases({
    "three times": [
      packOf(`${set("WebBasic")}\n${set("WebBasic")}\n${set("WebBasic")}`),
      "warning auth-set-twice: setUserAuthentication",
      "warning auth-set-twice: setUserAuthentication",
    ],
    "once by each setter": [packOf(`${set("WebBasic")}\n${set("WebBasic").replace("setUser", "setSystem")}`)],
    "by configurations that are made elsewhere": [
      packOf("pack.setUserAuthentication(first());\npack.setUserAuthentication(second());"),
      "warning auth-set-twice: setUserAuthentication",
    ],
    "again under a condition": [packOf(`${set("WebBasic")}\nif (process.env.X) ${set("HeaderBearerToken")}`)],
    "one of two by a condition": [
      packOf(
        "pack.setUserAuthentication(process.env.X ? { type: coda.AuthenticationType.WebBasic } : { type: coda.AuthenticationType.HeaderBearerToken });",
      ),
    ],
    "in functions of which one is called": [
      packOf(`export function a() { ${set("WebBasic")} }\nexport function b() { ${set("WebBasic")} }`),
    ],
    "on two packs": [
      `${packOf(set("WebBasic"))}export const other = coda.newPack();\nother.addNetworkDomain("b.acme.example");\n${set("WebBasic").replace("pack.", "other.")}\n`,
    ],
  });

  it("the call that runs later is flagged, in the entry of two files", () => {
    const files = {
      "/pack/pack.ts": `import { pack } from "./base";\nimport * as coda from "@codahq/packs-sdk";\n${set("WebBasic")}\nexport { pack };\n`,
      "/pack/base.ts": packOf(set("HeaderBearerToken")),
    };
    const analysis = analyse(files);
    assert.deepEqual(
      Object.keys(files).flatMap((file) => analysis.diagnostics(file).map(({ rule, place }) => `${place.file} ${rule}`)),
      ["/pack/pack.ts auth-set-twice"],
    );
  });
});

describe("types and fields of the installed toolkit", () => {
  const step = (fields: string): string =>
    user(
      `{ type: coda.AuthenticationType.HeaderBearerToken, postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Choose", ${fields} }] }`,
    );
  const OLD_OPTIONS = "getOptionsFormula: async () => []";

  it("auth-spec 2.4 getOptionsFormula: getOptionsFormula is an error only with an installed toolkit that rejects it", () => {
    assert.deepEqual(flagged(step(OLD_OPTIONS)), []);
    assert.deepEqual(flagged(step(OLD_OPTIONS), { toolkit: true }), ["error field-deprecated: getOptionsFormula"]);
  });

  it("getOptionsFormula beside getOptions is removed", () => {
    const fixes = fixesOf(step(`getOptions: async () => [], ${OLD_OPTIONS}`), "field-deprecated", { toolkit: true });
    assert.deepEqual(Object.keys(fixes), ["Remove getOptionsFormula"]);
    assert.deepEqual(flagged(fixes["Remove getOptionsFormula"] ?? "", { toolkit: true }), []);
  });

  it("auth-spec 2.1 defaultConnectionType: defaultConnectionType is flagged only by a toolkit that removed it", () => {
    const source = user("{ type: coda.AuthenticationType.HeaderBearerToken, defaultConnectionType: 1 }");
    assert.deepEqual(flagged(source), []);
    assert.deepEqual(flagged(source, { toolkit: true }), ["warning field-unknown: defaultConnectionType"]);
    assert.deepEqual(Object.keys(fixesOf(source, "field-unknown", { toolkit: true })), ["Remove defaultConnectionType"]);
  });

  it("a formula's network field is replaced when all of it is known", () => {
    const formula = (fields: string): string =>
      packOf(
        `pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\npack.addFormula({ name: "Get", description: "Gets it.", parameters: [], resultType: coda.ValueType.String, ${fields}, execute: async () => "" });`,
      );
    const fixed = (fields: string): string | undefined =>
      /String, (.*?), execute/.exec(Object.values(fixesOf(formula(fields), "field-deprecated"))[0] ?? "")?.[1];
    assert.equal(
      fixed("network: { hasSideEffect: false, requiresConnection: false }"),
      "connectionRequirement: coda.ConnectionRequirement.None",
    );
    assert.equal(
      fixed("network: { connection: coda.NetworkConnection.Optional }"),
      "connectionRequirement: coda.ConnectionRequirement.Optional",
    );
    assert.equal(fixed("network: { hasSideEffect: EFFECT }"), undefined);
    assert.equal(fixed("network: { hasSideEffect: true }, connectionRequirement: coda.ConnectionRequirement.None"), undefined);
  });

  it("a type that setSystemAuthentication does not take is an error only with a toolkit", () => {
    const source = packOf(
      "pack.setSystemAuthentication({ type: coda.AuthenticationType.CodaApiHeaderBearerToken, shouldAutoAuthSetup: true });",
    ).replace("acme.example", "coda.io");
    const named = (toolkit: boolean): readonly string[] => flagged(source, { toolkit }).filter((line) => line.includes("not-allowed"));
    assert.deepEqual(named(false), ["warning auth-type-not-allowed: type: coda.AuthenticationType.CodaApiHeaderBearerToken"]);
    assert.deepEqual(named(true), ["error auth-type-not-allowed: type: coda.AuthenticationType.CodaApiHeaderBearerToken"]);
    assert.match(
      fixesOf(source, "auth-type-not-allowed")["Change the type to HeaderBearerToken"] ?? "",
      /setSystemAuthentication\(\{ type: coda\.AuthenticationType\.HeaderBearerToken \}\)/,
    );
  });

  it("a type is not switched when a field that it lacks is spread in", () => {
    const source = packOf(
      'const REST = { authorizationUrl: "https://login.acme.example/a" };\npack.setSystemAuthentication({ type: coda.AuthenticationType.OAuth2, ...REST, tokenUrl: "https://login.acme.example/t" });',
    );
    assert.deepEqual(Object.keys(fixesOf(source, "auth-type-not-allowed")), ["Change to setUserAuthentication"]);
  });
});

describe("fixes that are proposals", () => {
  it("proposals are offered, and never made unasked", () => {
    const only = (source: string, rule: string): readonly string[] =>
      analyse({ "/pack/pack.ts": source })
        .diagnostics("/pack/pack.ts")
        .filter((diagnostic) => diagnostic.rule === rule)
        .flatMap((diagnostic) => unasked(diagnostic).map(({ title }) => title));
    assert.deepEqual(only(user("{ type: coda.AuthenticationType.CustomHeaderToken }"), "field-missing"), []);
    assert.deepEqual(
      only(user('{ type: coda.AuthenticationType.OAuth2, tokenUrl: "https://a.acme.example/t" }'), "oauth2-missing-authorization-url"),
      [],
    );
    assert.deepEqual(only(header('"X Key"'), "header-name-invalid"), []);
    assert.deepEqual(only(header('"X-Key:"'), "header-name-invalid"), ["Change to X-Key"]);
    assert.deepEqual(only(oauth('scopes: ["a", "a"]'), "oauth2-scope-duplicate"), ["Remove the second a"]);
  });

  it("inserted text has the quotes of the code around it", () => {
    const source = user("{ type: coda.AuthenticationType.OAuth2, authorizationUrl: 'https://www.dropbox.com/oauth2/authorize' }");
    assert.match(Object.values(fixesOf(source, "oauth2-no-refresh-token"))[0] ?? "", /\{ token_access_type: 'offline' \}/);
    assert.match(Object.values(fixesOf(source, "oauth2-missing-token-url"))[0] ?? "", /tokenUrl: 'https:\/\/api\.dropbox(api)?\.com/);
  });
});
