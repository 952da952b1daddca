// The rules on a configuration's shape in odd cases: names behind constants, URLs in every state of being typed, setters in branches
// and functions, fields that an installed toolkit has or lacks.
import assert from "node:assert/strict";
import { unasked } from "../../../server/analysis/features/fixes/fix-all.ts";
import { analyse } from "../../support/analyse.ts";
import { fixesOf, flagged, oauth, packOf } from "../../support/flagged.ts";

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
describe("names of headers and params", () => {
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
