// Completions at a mark: what is offered first, what is not, and what comes of it, in whole code and in code that is being typed.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources in quotes have templates in them
import assert from "node:assert/strict";
import { z } from "zod";
import { parses } from "../../../../server/analysis/text/parse.ts";
import { oauth2Providers, providerById } from "../../../../spec/providers.ts";
import { complete } from "../../../support/complete.ts";
import { flagged } from "../../../support/flagged.ts";
import { eachCase } from "../../../support/json-cases.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n`;
const TWO = `${HEAD}pack.addNetworkDomain("example.org");\n`;

const user = (config: string, head = HEAD): string => `${head}pack.setUserAuthentication(${config});\n`;
const HEADER = "type: coda.AuthenticationType.CustomHeaderToken";
const OAUTH = `type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://github.com/login/oauth/authorize",\n  tokenUrl: "https://github.com/login/oauth/access_token"`;

describe("completions of fields", () => {
  it("required fields of the type come first, then the most common ones", () => {
    const { labels } = complete(user(`{\n  ${HEADER},\n  |\n}`));
    assert.equal(labels[0], "headerName");
    assert.deepEqual(labels.slice(1, 3), ["instructionsUrl", "getConnectionName"]);
    assert.ok(!labels.includes("type") && !labels.includes("paramName") && !labels.includes("endpointKey"));
  });

  it("networkDomain comes first with several declared domains, filled with one of them", () => {
    const { labels, item } = complete(user(`{\n  type: coda.AuthenticationType.HeaderBearerToken,\n  |\n}`, TWO));
    assert.equal(labels[0], "networkDomain");
    assert.equal(item("networkDomain").snippet, 'networkDomain: "${1|example.com,example.org|}",');
  });

  it("a missing type comes first, as a choice of the setter's types", () => {
    const { labels, item } = complete(user('{\n  instructionsUrl: "https://example.com",\n  |\n}').replace("setUser", "setSystem"));
    assert.equal(labels[0], "type");
    assert.match(item("type").snippet, /^type: coda\.AuthenticationType\.\$\{1\|HeaderBearerToken,/);
    assert.doesNotMatch(item("type").snippet, /OAuth2[,|]|None/);
  });

  it("auth-spec 5.7.3 manual entry: fields that conflict with existing ones are left out", () => {
    const labels = (config: string): readonly string[] => complete(user(config)).labels;
    const offers = (config: string, ...names: string[]) => names.map((name) => labels(config).includes(name));
    assert.deepEqual(offers(`{ ${OAUTH}, | }`, "requiresEndpointUrl", "endpointDomain", "endpointKey", "postSetup"), [
      false,
      false,
      true,
      true,
    ]);
    assert.deepEqual(offers(`{ ${OAUTH}, endpointKey: "url", | }`, "requiresEndpointUrl", "postSetup"), [true, false]);
    assert.deepEqual(offers(`{ ${HEADER}, requiresEndpointUrl: true, | }`, "endpointDomain", "postSetup"), [true, false]);
    assert.deepEqual(offers(`{ ${OAUTH}, tokenQueryParam: "t", | }`, "tokenPrefix"), [false]);
    assert.deepEqual(offers(`{ ${OAUTH}, useProofKeyForCodeExchange: true, | }`, "pkceChallengeMethod"), [true]);
    assert.deepEqual(offers(`{ ${OAUTH}, | }`, "pkceChallengeMethod", "getOptionsFormula", "deferConnectionSetup"), [false, false, false]);
  });

  it("the type that has the written fields comes first", () => {
    const first = (config: string): string | undefined => complete(user(config)).labels[0];
    assert.equal(first('{ headerName: "X-Key", type: | }'), "coda.AuthenticationType.CustomHeaderToken");
    assert.equal(
      first('{ tokenUrl: "https://example.com/token", authorizationUrl: "https://example.com/a", type: | }'),
      "coda.AuthenticationType.OAuth2",
    );
    assert.equal(first("{ paramName: \"key\", type: coda.AuthenticationType['|'] }"), "QueryParamToken");
    assert.match(complete(user('{ headerName: "X-Key", | }')).item("type").snippet, /\{1\|CustomHeaderToken,/);
  });

  it("fields are offered inside an administrator's authentication and around it", () => {
    const admin = (fields: string): readonly string[] => complete(`${HEAD}pack.addAdminAuthentication({ ${fields} });\n`).labels;
    assert.deepEqual(admin("|"), ["name", "displayName", "description", "authentication"]);
    assert.deepEqual(admin('name: "admin", |'), ["displayName", "description", "authentication"]);
    assert.equal(admin("authentication: { | }")[0], "type");
    assert.equal(admin(`authentication: { ${HEADER}, | }`)[0], "headerName");
    const types = admin("authentication: { type: | }");
    assert.ok(types.includes("coda.AuthenticationType.OAuth2") && !types.includes("coda.AuthenticationType.None"));
  });

  it("fields are offered in a constant of the toolkit's type that nothing uses yet", () => {
    const labels = (declared: string): readonly string[] => complete(`${HEAD}${declared}\n`).labels;
    assert.equal(labels("const auth: coda.Authentication = { | };")[0], "type");
    assert.equal(labels(`const auth: coda.AuthenticationDef = { ${HEADER}, | };`)[0], "headerName");
    assert.ok(!labels("const auth: coda.SystemAuthentication = { type: | };").includes("coda.AuthenticationType.OAuth2"));
    assert.deepEqual(labels("const auth: coda.AdminAuthentication = { | };"), []);
    assert.deepEqual(labels("const other: Record<string, string> = { | };"), []);
  });

  it("fields of the installed toolkit are offered", () => {
    const { labels } = complete(user(`{ ${HEADER}, | }`), { toolkit: true });
    assert.ok(labels.includes("headerName") && labels.includes("defaultConnectionRequirement"));
  });

  it("fields are offered inside objects, arrays and constants of another file", () => {
    const inner = complete(
      `// @file: pack.ts\n${HEAD}import { PARAMS } from "./params";\npack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: PARAMS });\n// @file: params.ts\nexport const PARAMS = [{ name: "key", | }];\n`,
    );
    assert.deepEqual(inner.labels, ["description"]);
    assert.deepEqual(complete(user("{ type: coda.AuthenticationType.WebBasic, uxConfig: { | } }")).labels, [
      "placeholderUsername",
      "placeholderPassword",
      "usernameOnly",
    ]);
    assert.deepEqual(complete(user(`{ ${HEADER}, postSetup: [{ name: "Site", | }] }`)).labels, ["type", "description", "getOptions"]);
  });
});

describe("completions in unfinished code", () => {
  const unfinishedCase = z.strictObject({ title: z.string(), source: z.string(), label: z.string(), completed: z.string() });
  eachCase(
    "test/server/analysis/features/cases/completions-in-unfinished-code.json",
    unfinishedCase,
    ({ title, source, label, completed }) => {
      it(`${title} is completed`, () => assert.equal(complete(user(source)).chosen(label), user(completed)));
      it(`${title} is completed with Windows line ends`, () => {
        assert.equal(complete(user(source).replaceAll("\n", "\r\n")).chosen(label), user(completed).replaceAll("\n", "\r\n"));
      });
    },
  );

  it("an unclosed object is completed", () => {
    const { labels } = complete(`${HEAD}pack.setUserAuthentication({\n  ${HEADER},\n  |\n\npack.addFormula({ name: "A" });\n`);
    assert.equal(labels[0], "headerName");
  });

  it("comments, finished values, other objects and functions get no completions", () => {
    for (const config of [
      `{ ${HEADER}, // hea|\n }`,
      `{ ${HEADER} | }`,
      `{ ${HEADER}, headerName: "X|" }`,
      `{ ${HEADER}, getConnectionName: async function (context) { | } }`,
      `{ ${HEADER}, getConnectionName: async (context) => context.fetcher.fetch({ | }) }`,
      `{ ${HEADER}, other: { | } }`,
      `{ /* | */ }`,
    ])
      assert.deepEqual(complete(user(config)).labels, [], config);
    assert.deepEqual(complete("const x = { | };\n").labels, []);
  });
});

describe("completions of values", () => {
  it("auth-spec 2.1 type: each type is offered with the request that it makes", () => {
    const { labels, item } = complete(user("{ type: | }"));
    assert.equal(labels[0], "coda.AuthenticationType.HeaderBearerToken");
    assert.ok(!labels.some((label) => /Various|Google/.test(label)));
    assert.match(item("coda.AuthenticationType.WebBasic").docs(), /Authorization: Basic ••••/);
  });

  it("declared domains are offered, and for endpointDomain only those with credentials", () => {
    assert.deepEqual(complete(user(`{ ${HEADER}, networkDomain: ["|"] }`, TWO)).labels, ["example.com", "example.org"]);
    assert.deepEqual(
      complete(user(`{ ${HEADER}, requiresEndpointUrl: true, networkDomain: "example.org", endpointDomain: "|" }`, TWO)).labels,
      ["example.org"],
    );
  });

  it("URLs of known providers are offered, first those of the other URL's provider", () => {
    const { labels, item } = complete(
      user(`{ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://github.com/login/oauth/authorize", tokenUrl: "|" }`),
    );
    assert.equal(labels[0], "https://github.com/login/oauth/access_token");
    assert.ok(labels.length > 100);
    assert.equal(item("https://subdomain.okta.com/oauth2/v1/token").snippet, "https://${1:subdomain}.okta.com/oauth2/v1/token");
  });

  it("root-relative URLs are offered when the user's endpoint precedes them", () => {
    assert.deepEqual(complete(user(`{ type: coda.AuthenticationType.OAuth2, requiresEndpointUrl: true, authorizationUrl: "|" }`)).labels, [
      "/oauth/authorize",
    ]);
  });

  it("scopes of formulas and the provider's scope for refresh tokens are offered", () => {
    const formula = `pack.addFormula({ name: "Files", extraOAuthScopes: ["files.read", "repo"] });\n`;
    const { labels, item } = complete(user(`{ ${OAUTH}, scopes: ["repo", "|"] }`) + formula);
    assert.deepEqual(labels, ["files.read"]);
    assert.match(item("files.read").docs(), /Files/);
    const google = `type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize"`;
    assert.deepEqual(complete(user(`{ ${google}, scopes: [|] }`)).labels, ["offline_access"]);
    assert.deepEqual(complete(user(`{ ${OAUTH}, scopes: ["mail"] }`) + formula.replace("[", "[|, ")).labels, ["mail"]);
  });

  it("additionalParams are offered the names that the provider needs for refresh tokens", () => {
    const google = `type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth"`;
    assert.deepEqual(complete(user(`{ ${google}, additionalParams: { access_type: "offline", | } }`)).labels, ["prompt"]);
    assert.deepEqual(complete(user(`{ ${OAUTH}, additionalParams: { | } }`)).labels, []);
  });

  it("auth-spec 2.3 scopeDelimiter: delimiters are offered, the default not first", () => {
    assert.deepEqual(complete(user(`{ ${OAUTH}, scopes: ["a"], scopeDelimiter: "|" }`)).labels, [" ", ",", ";"]);
    assert.equal(complete(user(`{ ${OAUTH}, scopes: ["a"], | }`)).item("scopeDelimiter").snippet, 'scopeDelimiter: "${1|\\,,;|}"');
  });

  it("auth-spec 2.1 ConnectionRequirement, 4 sync tables: requirements are offered as far as the pack has accounts", () => {
    const formula = (body: string, auth: string): string => `${auth}pack.addSyncTable({ name: "A", ${body} });\n`;
    const prefix = "coda.ConnectionRequirement.";
    assert.deepEqual(complete(formula("connectionRequirement: |", user(`{ ${HEADER}, headerName: "X" }`))).labels, [
      `${prefix}Required`,
      `${prefix}Optional`,
      `${prefix}None`,
    ]);
    assert.deepEqual(complete(formula("connectionRequirement: |", HEAD)).labels, [`${prefix}None`]);
    assert.deepEqual(complete(formula("|", user(`{ ${HEADER}, headerName: "X" }`))).labels, ["connectionRequirement"]);
    assert.deepEqual(complete(formula("|", HEAD)).labels, []);
  });

  it("PKCE methods that rules flag are not offered", () => {
    const config = "{ type: coda.AuthenticationType.OAuth2, useProofKeyForCodeExchange: true, | }";
    assert.match(complete(user(config)).chosen("pkceChallengeMethod"), /pkceChallengeMethod: "S256"/);
  });

  it("addNetworkDomain is offered the domains that requests go to", () => {
    const fetch = `pack.addFormula({ name: "A", execute: async ([], context) => context.fetcher.fetch({ method: "GET", url: "https://api.acme.io/x" }) });\n`;
    assert.deepEqual(complete(`${HEAD}pack.addNetworkDomain("|");\n${fetch}`).labels, ["acme.io", "api.acme.io"]);
    const server = 'pack.addMCPServer({ name: "Icons", endpointUrl: "https://mcp.icons.io/mcp" });\n';
    assert.deepEqual(complete(`${HEAD}pack.addNetworkDomain("|");\n${server}`).labels, ["mcp.icons.io"]);
  });
});

describe("completions of whole configurations", () => {
  it("an empty call or empty braces get configurations by type and by provider", () => {
    for (const empty of ["|", "{|}", "{ | }", "{\n  |\n}"]) {
      const { labels } = complete(user(empty));
      assert.equal(labels[0], "HeaderBearerToken configuration", empty);
      assert.ok(labels.includes("GitHub (OAuth2)"));
    }
    assert.equal(complete(user("|")).chosen("CustomHeaderToken configuration"), user(`{\n  ${HEADER},\n  headerName: "",\n}`));
    assert.equal(complete(user("{|}")).chosen("CustomHeaderToken configuration"), user(`{\n  ${HEADER},\n  headerName: "",\n}`));
    assert.equal(complete(user("{\n  |\n}")).chosen("CustomHeaderToken configuration"), user(`{\n  ${HEADER},\n  headerName: "",\n}`));
  });

  it("provider configurations contain refresh-token parameters and blanks for the account's host", () => {
    const google = complete(user("|")).chosen("Google (OAuth2)");
    assert.match(google, /additionalParams: \{ access_type: "offline", prompt: "consent" \},/);
    assert.match(
      complete(user("|", TWO)).chosen("Okta (OAuth2)"),
      /authorizationUrl: "https:\/\/subdomain\.okta\.com[\s\S]*networkDomain: "okta\.com",/,
    );
  });

  it("the bare type is left to TypeScript when it has the toolkit's declarations", () => {
    for (const body of ["{|}", "{ ty| }"]) {
      assert.ok(complete(user(body)).labels.includes("type"));
      const { labels } = complete(user(body), { toolkit: true });
      assert.ok(!labels.includes("type") && labels.includes("instructionsUrl"), body);
    }
  });

  it("a provider configuration declares its domain once and adds the request for the name", () => {
    const pack = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n';
    const github = (domains: string, declared: string): string =>
      complete(`${pack}${domains}pack.setUserAuthentication({|});\n`).chosen("GitHub (OAuth2)").replace(`${pack}${declared}`, "");
    const named = `  getConnectionName: async function (context) {
    const response = await context.fetcher.fetch({
      method: "GET",
      url: "https://api.github.com/user",
    });
    return response.body.${providerById("github")?.api?.userName};
  },
});
`;
    const added = github("", 'pack.addNetworkDomain("api.github.com");\n');
    assert.ok(
      added.startsWith("pack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n") &&
        added.endsWith(`  scopes: [],\n${named}`),
    );
    // A domain that covers it is enough, and where there are several it is said which gets the token.
    assert.equal(github('pack.addNetworkDomain("github.com");\n', 'pack.addNetworkDomain("github.com");\n'), added);
    const other = 'pack.addNetworkDomain("example.com");\n';
    const both = github(other, `${other}pack.addNetworkDomain("api.github.com");\n`);
    assert.ok(both.endsWith(`  networkDomain: "api.github.com",\n${named}`), both);
    // Where no statement can stand before it none is put there, and no request is made to where none may go.
    const within = complete(`${pack}if (true) pack.setUserAuthentication({|});\n`).chosen("GitHub (OAuth2)");
    assert.doesNotMatch(within, /addNetworkDomain|getConnectionName/);
  });

  it("the request for the name has the page's body, and the path of the name is code", () => {
    const configuration = (title: string): string => complete(user("|", HEAD.replace(/pack\.add.*\n/, ""))).chosen(`${title} (OAuth2)`);
    const linear = configuration("Linear");
    assert.match(
      linear,
      /method: "POST",\n\s+url: "https:\/\/api\.linear\.app\/graphql",\n\s+headers: \{ "Content-Type": "application\/json" \},/,
    );
    assert.match(linear, /body: "\{\\"query\\":\\"\{ viewer \{ name \} \}\\"\}",/);
    assert.match(configuration("Xero"), /return response\.body\[0\]\.tenantName;/);
    assert.match(configuration("Klaviyo"), /return response\.body\.data\[0\]\.attributes\./);
    assert.match(configuration("Slack"), /scopeParamName: "user_scope",\n\s+nestedResponseKey: "authed_user",/);
  });

  it("provider configurations are code without a mistake", () => {
    const { items, chosen } = complete(user("|"));
    const mistakes = items.filter(({ label }) => label.endsWith(" (OAuth2)")).filter((item) => !parses("pack.ts", chosen(item)));
    assert.deepEqual(
      mistakes.map(({ label }) => label),
      [],
    );
  });

  it("provider configurations get no error but for hosts that only the author knows", () => {
    const pack = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n';
    const ownHosts = new Set(
      oauth2Providers()
        .filter(({ domains }) => domains.length === 0)
        .map(({ title }) => `${title} (OAuth2)`),
    );
    const { items, chosen } = complete(`${pack}pack.setUserAuthentication({|});\n`);
    const findings = items
      .filter(({ label }) => label.endsWith(" (OAuth2)"))
      .flatMap((item) =>
        flagged(chosen(item))
          .filter((line) => line.startsWith("error") && !(ownHosts.has(item.label) && line.includes("network-domain-missing")))
          .map((line) => `${item.label}: ${line}`),
      );
    assert.deepEqual(findings, []);
  });

  it("no configuration is offered beside an argument or member, or against the setter", () => {
    assert.ok(!complete(user(`{ ${HEADER}, | }`)).labels.some((label) => label.endsWith("configuration")));
    assert.deepEqual(complete(user("| config")).labels, []);
    const system = complete(user("|").replace("setUser", "setSystem")).labels;
    assert.ok(
      system.includes("OAuth2ClientCredentials configuration") &&
        !system.some((label) => label.includes("(OAuth2)") || /^(OAuth2|None) /.test(label)),
    );
  });
});

describe("completion of getConnectionName", () => {
  it("the function reads `user (endpoint)` behind a guard when an endpoint is chosen", () => {
    const step = `postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Site", getOptions: async () => [] }]`;
    const text = complete(user(`{\n  ${HEADER},\n  headerName: "X",\n  ${step},\n  getC|\n}`)).chosen("getConnectionName");
    assert.match(text, /context\.endpoint \? `\$\{user\} \(\$\{context\.endpoint\.replace\("https:\/\/", ""\)\}\)` : user;/);
    const plain = complete(user(`{\n  ${HEADER},\n  headerName: "X",\n  getC|\n}`)).chosen("getConnectionName");
    assert.doesNotMatch(plain, /endpoint/);
    assert.match(plain, /url: "https:\/\/example\.com\/me"/);
  });
});

describe("completions of placeholders", () => {
  const custom = user(
    `{ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "API key" }, { name: "user", description: "User" }] }`,
  );
  const formula = (body: string, parameters = "[], context"): string =>
    `${custom}pack.addFormula({ name: "A", execute: async function (${parameters}) {\n  ${body}\n} });\n`;
  const placeholderCase = z.strictObject({
    title: z.string(),
    body: z.string(),
    parameters: z.string().default("[], context"),
    completed: z.string(),
  });
  eachCase(
    "test/server/analysis/features/cases/completions-of-placeholders.json",
    placeholderCase,
    ({ title, body, parameters, completed }) => {
      it(`param names are offered ${title}`, () => {
        const { labels, chosen } = complete(formula(body, parameters));
        assert.deepEqual(labels, ["key", "user"]);
        assert.equal(chosen("key"), formula(completed, parameters));
      });
    },
  );

  it("param names are offered in another file, and only with Custom authentication", () => {
    const other = `// @file: pack.ts\nimport { url } from "./requests";\n${custom}url;\n// @file: requests.ts\nexport const url = (context) => \`{{|\`;\n`;
    assert.deepEqual(complete(other).labels, ["key", "user"]);
    assert.deepEqual(complete(other.replace(".Custom,", ".MultiQueryParamToken,")).labels, []);
    assert.deepEqual(complete(formula("return {{|")).labels, []);
  });
});

describe("completions in brackets and parts", () => {
  it("an enum member in brackets is offered among those that the setter takes", () => {
    for (const cursor of ['["|"]', '["|', "[|]", "['Web|']"]) {
      const { labels } = complete(user(`{ type: coda.AuthenticationType${cursor} }`).replace("setUser", "setSystem"));
      assert.ok(
        labels.some((label) => label === "WebBasic" || label === '"WebBasic"'),
        `${cursor}: ${labels.join()}`,
      );
      assert.ok(!labels.some((label) => label.includes("OAuth2") && !label.includes("Client")), cursor);
    }
    const { chosen } = complete(user('{ type: coda.AuthenticationType["|"] }'));
    assert.equal(chosen("WebBasic"), user('{ type: coda.AuthenticationType["WebBasic"] }'));
    assert.deepEqual(complete(`${HEAD}const need = coda.ConnectionRequirement["|"];\n`).labels, ["None", "Optional", "Required"]);
    assert.deepEqual(complete(`${HEAD}const own = { AuthenticationType: {} };\nown.AuthenticationType["|"];\n`).labels, []);
  });

  it("one more object of a list is offered", () => {
    const params = (list: string): string => user(`{ type: coda.AuthenticationType.Custom, params: ${list} }`);
    const { labels, chosen } = complete(params("[|]"));
    assert.deepEqual(labels, ["{ … }"]);
    assert.equal(chosen("{ … }"), params('[{ name: "", description: "" }]'));
    const second = complete(params('[{ name: "a", description: "A" }, |]'));
    assert.equal(second.chosen("{ … }"), params('[{ name: "a", description: "A" }, { name: "", description: "" }]'));
    assert.deepEqual(complete(params("[all[|]]")).labels, []);
    assert.match(complete(user(`{ ${HEADER}, postSetup: [|] }`)).item("{ … }").snippet, /^\{\n {2}type: coda\.PostSetupType/);
  });

  it("fields of spread objects are offered, without those that exist already", () => {
    for (const config of [
      `{ ...{ ${HEADER}, | } }`,
      `{ ${HEADER}, ...{ | } }`,
      `{ ${HEADER}, ...(coda ? { | } : {}) }`,
      `{ ...{ ${HEADER}, instructionsUrl: "https://example.com", |`,
    ]) {
      const { labels } = complete(user(config));
      assert.equal(labels[0], "headerName", config);
      assert.ok(!labels.includes("type") && !labels.includes("paramName"), config);
    }
    const apart = complete(
      `${HEAD}const common = { instructionsUrl: "https://example.com", | };\npack.setUserAuthentication({ ${HEADER}, ...common });\n`,
    );
    assert.equal(apart.labels[0], "headerName");
    assert.ok(!apart.labels.includes("instructionsUrl"));
  });
});

describe("completions of a network domain", () => {
  const domains = (code: string): readonly string[] =>
    complete(`import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("|");\n${code}`)
      .labels;

  it("a template with an unknown subdomain offers its known domain", () => {
    const code = 'export const get = (context, site) => context.fetcher.fetch({ method: "GET", url: `https://${site}.acme.com/me` });\n';
    assert.deepEqual(domains(code), ["acme.com"]);
  });

  it("a constant that no request uses yet offers its domain", () => {
    assert.deepEqual(domains('const BASE_URL = "https://api.acme.com/v1";\n'), ["acme.com", "api.acme.com"]);
    assert.deepEqual(domains("const BASE_URL = `https://api.acme.com/v1`;\n"), ["acme.com", "api.acme.com"]);
    assert.deepEqual(domains('const TEXT = "See https://acme.com/help";\n'), []);
  });
});
