// What looks like a mistake and is none, or cannot be known: analysis never guesses, so all of this stays silent.
import assert from "node:assert/strict";
import { analyse, split } from "../support/analyse.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n`;

const TRAPS: Readonly<Record<string, string>> = {
  "TextMate template slots in snippet files": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
// @ts-ignore
pack.addNetworkDomain("\${1:example.com}");
pack.setUserAuthentication({
  type: coda.AuthenticationType.CustomHeaderToken,
  headerName: "\${2:MyToken}",
});
`,
  "a whole configuration of template slots": `${HEAD}pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  authorizationUrl: "\${1:https://example.com/authorize}",
  tokenUrl: '\${2:https://example.com/token}',
  scopeDelimiter: "\${3|,;|}",
  instructionsUrl: "https://\${4}",
});
`,
  "setters of something that is no pack": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });
const app: any = { setUserAuthentication() {}, addNetworkDomain() {} };
app.setUserAuthentication({ type: "jwt" });
app.addNetworkDomain("https://example.com");
`,
  "a snippet that is no whole pack": `import * as coda from "@codahq/packs-sdk";
const pack = coda.newPack();
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
`,
  "dynamic client registration without URLs": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, useDynamicClientRegistration: true });
`,
  "a domain computed from a constant": `import * as coda from "@codahq/packs-sdk";
const BASE = "https://api.example.com";
export const pack = coda.newPack();
pack.addNetworkDomain(BASE.replace("https://", ""));
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
`,
  "a domain imported from where it does not resolve": `import * as coda from "@codahq/packs-sdk";
import { DOMAIN } from "./generated";
export const pack = coda.newPack();
pack.addNetworkDomain(DOMAIN);
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
`,
  "domains declared in a loop": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
for (const domain of domains()) pack.addNetworkDomain(domain);
function domains() { return ["example.com"]; }
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
`,
  "domains declared by a helper of a package": `import * as coda from "@codahq/packs-sdk";
import { addDomains } from "our-helpers";
export const pack = coda.newPack();
addDomains(pack);
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
`,
  "domains declared by something that a package makes": `import * as coda from "@codahq/packs-sdk";
import { Registry } from "our-helpers";
export const pack = coda.newPack();
const registry = new Registry();
registry.register(pack);
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
`,
  "the method taken by name": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack["addNetworkDomain"]("example.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
`,
  "an invocation token as a plain unique id": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
export const id = (context) => \`request-\${context.invocationToken}\`;
export const other = (context) => "{" + context.invocationToken + "}";
`,
  "dynamically named placeholders": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
export const a = (context, name) => \`{{\${name}-\${context.invocationToken}}}\`;
export const b = (context, name) => "{{" + name + "-" + context.invocationToken + "}}";
export const c = (context, name) => \`{{pre\${name}-\${context.invocationToken}}}\`;
export const d = (context, name) => \`{{\${name}Key-\${context.invocationToken}}}\`;
`,
  "names of params that are made elsewhere": `${HEAD}const NAMES = names();
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: NAMES.map((name) => ({ name, description: name })) });
export const a = (context) => \`{{anything-\${context.invocationToken}}}\`;
function names() { return ["anything"]; }
`,
  "an auth call in comments and strings": `${HEAD}// pack.setUserAuthentication({});
/* pack.setUserAuthentication({ type: 1 }) */
export const text = "pack.setUserAuthentication({})";
export const template = \`pack.setUserAuthentication({ headerNam: "" })\`;
`,
  "a config that is completed later": `${HEAD}const config: any = { type: coda.AuthenticationType.CustomHeaderToken };
config.headerName = "X-Key";
pack.setUserAuthentication(config);
`,
  "a config that is completed by a computed name": `${HEAD}const config: any = { type: coda.AuthenticationType.CustomHeaderToken };
config["header" + "Name"] = "X-Key";
pack.setUserAuthentication(config);
`,
  "a config that Object.assign completes": `${HEAD}const config: any = { type: coda.AuthenticationType.CustomHeaderToken };
Object.assign(config, { headerName: "X-Key" });
pack.setUserAuthentication(config);
`,
  "a config that a function completes": `${HEAD}import { complete } from "elsewhere";
const config: any = { type: coda.AuthenticationType.CustomHeaderToken };
complete(config);
pack.setUserAuthentication(config);
`,
  "params that are pushed": `${HEAD}const params = [{ name: "key", description: "Key" }];
params.push({ name: "secret", description: "Secret" });
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params });
export const a = (context) => \`{{key-\${context.invocationToken}}}{{secret-\${context.invocationToken}}}\`;
`,
  "a variable that is assigned again": `${HEAD}let url = "nonsense";
url = "https://example.com/a";
pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: url, tokenUrl: url });
`,
  "a spread of what cannot be read": `${HEAD}import { base } from "elsewhere";
pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, ...base() });
pack.setSystemAuthentication({ ...base });
`,
  "a spread behind a condition": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, ...(process.env.X ? { headerName: "X" } : { headerName: "Y" }) });
`,
  "a spread that overrides": `${HEAD}const good = { authorizationUrl: "https://login.acme.example/a" };
pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "a", tokenUrl: "https://login.acme.example/t", ...good });
`,
  "a spread that may override the type": `${HEAD}import { base } from "elsewhere";
pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, paramName: "key", ...base });
`,
  "a type that is computed": `${HEAD}pack.setUserAuthentication({ type: pick(), whatever: 1 } as any);
function pick() { return coda.AuthenticationType.HeaderBearerToken; }
`.replace(", whatever: 1", ""),
  "a toolkit under a shadowing name": `${HEAD}function other(coda: any) { return coda.AuthenticationType.Nonsense; }
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
export { other };
`,
  "a parameter that shadows a constant": `${HEAD}const type = "Nonsense";
export function set(type: any) { pack.setUserAuthentication({ type }); }
`,
  "a constant of a block that shadows another": `${HEAD}const url = "nonsense";
{
  const url = location();
  pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: url, tokenUrl: url });
}
function location() { return "https://login.acme.example/oauth"; }
`,
  "the endpoint typed by the user, without domains": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, requiresEndpointUrl: true });
`,
  "no authentication, said outright": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.setUserAuthentication({ type: coda.AuthenticationType.None });
`,
  "another library's setUserAuthentication": `import { client } from "other";
client.setUserAuthentication({});
client.setUserAuthentication({ typ: 1 });
`,
  "domains that the entry adds to a pack with auth from another file": `// @file: pack.ts
import { pack } from "./base";
pack.addNetworkDomain("example.com");
export { pack };
// @file: base.ts
import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
`,
  "two packs that share a file": `// @file: a.ts
import * as coda from "@codahq/packs-sdk";
import { get } from "./shared";
export const pack = coda.newPack();
pack.addNetworkDomain("a.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "" }] });
get;
// @file: b.ts
import * as coda from "@codahq/packs-sdk";
import { get } from "./shared";
export const pack = coda.newPack();
pack.addNetworkDomain("b.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "" }] });
get;
// @file: shared.ts
export const get = (context) => \`{{key-\${context.invocationToken}}}\`;
`,
  "a getter, a computed name and a method in a config": `${HEAD}const NAME = "headerName";
pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, get headerName() { return "X"; } } as any);
pack.setSystemAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, [NAME]: "X" });
`,
  "values of additionalParams of every kind": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t", additionalParams: { a: 1, b: true, c: ["x"], d: { e: null } } });
`,
  "functions of every form": `${HEAD}import * as names from "./names";
const helper = { async name(context) { return context.timezone; } };
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: helper.name });
pack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: coda.makeMetadataFormula(async (context) => context.timezone) });
export const bound = { type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: names.get.bind(null) };
`,
  "a class whose method names the account": `${HEAD}class Account { async name() { return ""; } }
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: Account });
`,
  "a domain that is declared twice, and chosen": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.addNetworkDomain("example.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, networkDomain: "example.com" });
`,
  "domains in exclusive branches": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
if (process.env.STAGING) pack.addNetworkDomain("staging.example.com");
else pack.addNetworkDomain("example.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
`,
  "a domain or another": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain(process.env.STAGING ? "staging.example.com" : "example.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
`,
  "an URL whose start is not known": `${HEAD}const HOST = process.env.HOST || "https://example.com";
pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: HOST + "/a", tokenUrl: \`\${HOST}/t\` });
`,
  "an endpoint with OAuth2 and relative URLs, as the toolkit takes it, is no error": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, requiresEndpointUrl: true, endpointDomain: "example.com", uxConfig: { placeholderUsername: "User" } });
`,
  "deprecated functions with arguments that are spread": `${HEAD}const args = [{}] as any;
pack.setUserAuthentication(...args);
`,
  "params whose placeholders are built by join, concat, replace, or a function": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "a", description: "" }, { name: "b", description: "" }, { name: "c", description: "" }] });
export const a = (context) => ["{{", "a", "-", context.invocationToken, "}}"].join("");
export const b = (context) => "{{".concat("b", "-", context.invocationToken, "}}");
export const c = (context) => "{{NAME-TOKEN}}".replace("NAME", "c").replace("TOKEN", context.invocationToken);
`,
  "params whose names are made from a list that code goes through": `${HEAD}const PARAMS = [{ name: "a", description: "" }, { name: "b", description: "" }];
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: PARAMS });
export const headers = (context) => Object.fromEntries(PARAMS.map(({ name }) => [name, \`{{\${name}-\${context.invocationToken}}}\`]));
`,
  "params of a pack that has no requests yet": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
`,
  "params whose placeholders a package puts in": `${HEAD}import { get } from "@acme/requests";
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
pack.addFormula({ name: "A", execute: async (_, context) => get(context, "me") });
`,
  "params whose placeholders a package puts in, beside those of the pack itself": `// @file: a.ts
${HEAD}import { sign } from "@acme/requests";
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "" }, { name: "secret", description: "" }] });
pack.addFormula({ name: "A", execute: async (_, context) => context.fetcher.fetch({ method: "GET", url: \`https://example.com/?key={{key-\${context.invocationToken}}}\`, headers: sign(context) }) });
// @file: b.ts
${HEAD}import { Client } from "@acme/requests";
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "" }, { name: "secret", description: "" }] });
pack.addFormula({ name: "A", execute: async (_, context) => new Client(context).get(\`https://example.com/?key={{key-\${context.invocationToken}}}\`) });
`,
  "placeholders of WebBasic": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });
export const body = (context, which) => JSON.stringify({ user: \`{{username-\${context.invocationToken}}}\`, password: "{{password-" + context.invocationToken + "}}", other: \`{{\${which}-\${context.invocationToken}}}\` });
`,
  "placeholders of a type that cannot be read, or that another file may set": `// @file: pack.ts
${HEAD}import { auth } from "elsewhere";
pack.setUserAuthentication(auth);
export const a = (context) => \`{{key-\${context.invocationToken}}}\`;
// @file: b.ts
${HEAD}import { complete } from "elsewhere";
complete(pack);
export const b = (context) => \`{{key-\${context.invocationToken}}}\`;
`,
  "requirements where the authentication may stand elsewhere": `// @file: pack.ts
${HEAD}import { addAuth } from "@acme/auth";
addAuth(pack);
pack.addFormula({ name: "A", connectionRequirement: coda.ConnectionRequirement.Required, execute: async () => "" });
// @file: b.ts
import * as coda from "@codahq/packs-sdk";
import { base } from "@acme/auth";
export const pack = coda.newPack(base);
pack.addFormula({ name: "A", connectionRequirement: coda.ConnectionRequirement.Required, execute: async () => "" });
// @file: c.ts
${HEAD}if (process.env.X) pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });
pack.addFormula({ name: "A", connectionRequirement: coda.ConnectionRequirement.Required, execute: async () => "" });
// @file: snippet.ts
import * as coda from "@codahq/packs-sdk";
const pack = coda.newPack();
pack.addFormula({ name: "A", connectionRequirement: coda.ConnectionRequirement.Required, execute: async () => "" });
`,
  "a default of None where something opts in, in its own way": `// @file: a.ts
${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, defaultConnectionRequirement: coda.ConnectionRequirement.None });
pack.addFormula({ name: "A", connectionRequirement: pick(), execute: async () => "" });
function pick() { return coda.ConnectionRequirement.Optional; }
// @file: b.ts
${HEAD}import { common } from "elsewhere";
pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, defaultConnectionRequirement: coda.ConnectionRequirement.None });
pack.addFormula({ name: "A", execute: async () => "", ...common });
// @file: c.ts
${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, defaultConnectionRequirement: coda.ConnectionRequirement.None });
pack.addFormula({ name: "A", execute: async () => "" });
pack.addMCPServer({ name: "S", endpointUrl: "https://example.com/mcp" });
// @file: d.ts
${HEAD}import { formulas } from "elsewhere";
pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, defaultConnectionRequirement: coda.ConnectionRequirement.None });
for (const formula of formulas) pack.addFormula(formula);
`,
  "an endpointDomain of an account whose endpoint comes from elsewhere, or that names one of several domains": `// @file: a.ts
${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://acme.com/a", tokenUrl: "https://acme.com/t", endpointKey: "url", endpointDomain: "example.com" });
// @file: b.ts
${HEAD}pack.addNetworkDomain("example.org");
pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, endpointDomain: "example.com" });
`,
  "domains of other alphabets, of one label, and with an underscore": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("bücher.example", "localhost", "a_b.example.com", "xn--bcher-kva.example", "1.2.3.4");
`,
  "a shared host that is only fetched from, or that gets no credentials": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("github.io", "acme.com", "googleapis.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, networkDomain: "acme.com" });
`,
  "a token for the platform's own API among other domains": `import * as coda from "@codahq/packs-sdk";
import { OTHER } from "elsewhere";
export const pack = coda.newPack();
pack.addNetworkDomain("coda.io", OTHER);
pack.setUserAuthentication({ type: coda.AuthenticationType.CodaApiHeaderBearerToken, networkDomain: "coda.io" });
`,
  "links that are never fetched": `${HEAD}export const link = "https://elsewhere.org/page";
export const get = async (context) => { const response = await context.fetcher.fetch({ method: "GET", url: "https://example.com/" }); return "https://elsewhere.org/" + response.body.id; };
`,
  "hosts that are computed": `${HEAD}export const a = (context, id) => context.fetcher.fetch({ method: "GET", url: \`https://\${id}.elsewhere.org/\` });
export const b = (context, base) => context.fetcher.fetch({ method: "GET", url: base + "/x" });
export const c = (context) => context.fetcher.fetch({ method: "GET", url: context.sync.continuation.next });
export const d = (context) => context.fetcher.fetch({ method: "GET", url: process.env.URL || "https://example.com" });
`,
  "a host of the placeholders of Custom": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "site", description: "" }] });
export const get = (context) => context.fetcher.fetch({ method: "GET", url: \`https://{{site-\${context.invocationToken}}}.example.com/\` });
`,
  "the platform's own files": `${HEAD}export const get = (context) => context.fetcher.fetch({ method: "GET", url: "https://codahosted.io/docs/x/blobs/y" });
`,
  "another thing that is called endpoint, and another context": `${HEAD}interface Log { endpoint: string }
export const a = (config) => config.endpoint + "/x";
export const b = (context: Log) => context.endpoint.trim();
export const c = () => { const context = { endpoint: "/x" }; return context.endpoint.trim(); };
`,
  "an endpoint that is looked at first, in every way": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
export const a = (context) => (context.endpoint ? context.endpoint + "/a" : "https://example.com/a");
export const b = (context) => context.endpoint && context.endpoint.trim();
export const c = (context) => context.endpoint?.trim() ?? "";
export const d = (context) => { if (!context.endpoint) throw new coda.UserVisibleError("none"); return context.endpoint.trim(); };
export const e = (context) => { const { endpoint = "https://example.com" } = context; return endpoint + "/e"; };
export const f = (context) => { const base = context.endpoint; if (!base) return ""; return base.trim(); };
export const g = (context) => { try { return context.endpoint.trim(); } catch { return ""; } };
export const h = (context) => { const site = coda.ensureExists(context.endpoint); return context.endpoint.trim() + site; };
export const i = (context) => log(context.endpoint, { endpoint: context.endpoint });
export const j = (context) => { switch (context.endpoint) { case undefined: return ""; default: return context.endpoint.trim(); } };
function log(...args) { args; }
`,
  "an endpoint that a clause of switch (true) looks at": `${HEAD}export function base(context) {
  switch (true) {
    case !!context.endpoint:
      return \`\${context.endpoint}/v2\`;
    default:
      return "https://example.com" + (context.timezone || context.endpoint.length);
  }
}
`,
  "methods of one's own that are called fetch": `${HEAD}const cache = { fetch: (key: { url: string }) => key.url };
export const cached = cache.fetch({ url: "https://other.test/a" });
class Client {
  constructor(private readonly context: coda.ExecutionContext) {}
  fetch({ url }: { url: string }) { return this.context.fetcher.fetch({ method: "GET", url: "https://example.com" + url }); }
  me() { return this.fetch({ url: "/me" }); }
}
export const a = (context) => { const client = new Client(context); return client.fetch({ url: "/me" }); };
export const b = (context) => new Client(context).fetch({ url: "/me" });
export const c = (client: Client) => client.fetch({ url: "/me" });
export const d = (fetcher: Client) => fetcher.fetch({ url: "/me" });
export const e = (api) => api.fetch({ url: "/me" });
class Repository {
  private fetcher: Client;
  constructor(context) { this.fetcher = new Client(context); }
  list() { return this.fetcher.fetch({ url: "/list" }); }
}
export const f = (context) => new Repository(context).list();
`,
  "helpers that take a path as well as a whole URL": `${HEAD}const BASE = "https://example.com";
const a = (context, options) => { options.url = BASE + options.url; return context.fetcher.fetch(options); };
const b = (context, path) => { path = BASE + path; return context.fetcher.fetch({ method: "GET", url: path }); };
const c = (context, path) => { if (path.startsWith("/")) return context.fetcher.fetch({ method: "GET", url: BASE + path }); return context.fetcher.fetch({ method: "GET", url: path }); };
const d = (context, path) => context.fetcher.fetch({ method: "GET", url: /^https/.test(path) ? path : BASE + path });
const e = (context, request) => { if (!isWhole(request.url)) request = { ...request, url: BASE + request.url }; return context.fetcher.fetch(request); };
const f = (context, $path, absolute) => context.fetcher.fetch({ method: "GET", url: absolute ? $path : BASE + $path });
const isWhole = (url) => url.startsWith("https:");
const prepare = (request) => { request.url = BASE + request.url; };
const g = (context, request) => { prepare(request); return context.fetcher.fetch(request); };
export const all = (context) => [a(context, { method: "GET", url: "/a" }), b(context, "/b"), c(context, "/c"), d(context, "/d"), e(context, { method: "GET", url: "/e" }), f(context, "/f"), g(context, { method: "GET", url: "/g" })];
`,
  "an endpoint that a function looks at, or that is only told": `${HEAD}const hasSite = (context) => context.endpoint !== undefined;
export const a = (context) => { if (!hasSite(context)) return ""; return context.endpoint.trim(); };
export const b = (context) => { console.log(\`endpoint: \${context.endpoint}\`); throw new Error("No site: " + context.endpoint); };
export const c = (apiContext) => apiContext.endpoint.trim();
const get = (context, url) => context.fetcher.fetch({ method: "GET", url });
export const d = (context) => (context.endpoint ? get(context, "/me") : get(context, "https://example.com/me"));
export const e = (context) => { if (hasSite(context)) return context.fetcher.fetch({ method: "GET", url: "/me" }); return undefined; };
`,
  "an endpoint where a configuration cannot be read": `${HEAD}import { config } from "elsewhere";
pack.setUserAuthentication(config);
export const get = (context) => context.fetcher.fetch({ method: "GET", url: "/me" });
export const base = (context) => context.endpoint + "/x";
`,
  "a name that works before the choice": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "", getOptions: async (context) => sites(context) }], getConnectionName: async (context) => (context.endpoint ? name(context) : "Example") });
const sites = async (context) => (await context.fetcher.fetch({ method: "GET", url: "https://example.com/sites" })).body;
const name = async (context) => (await context.fetcher.fetch({ method: "GET", url: "/me" })).body.name;
`,
  "an invocation token as an id, in headers, bodies and claims": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "" }] });
export const get = (context, sign) => context.fetcher.fetch({ method: "POST", url: \`https://example.com/?request=\${context.invocationToken}&key={{key-\${context.invocationToken}}}\`, headers: { "Idempotency-Key": context.invocationToken, Authorization: \`Bearer \${sign({ jti: context.invocationToken })}\` }, body: JSON.stringify({ id: context.invocationToken, text: "{{first_name}}" }) });
`,
  "placeholders of a helper": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "" }] });
const placeholder = (name: string, context: coda.ExecutionContext) => \`{{\${name}-\${context.invocationToken}}}\`;
export const get = (context) => context.fetcher.fetch({ method: "GET", url: "https://example.com/", headers: { Key: placeholder("key", context) } });
`,
  "requests that go without the account, or elsewhere, with headers of their own": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.addNetworkDomain("example.org");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, networkDomain: "example.com" });
const token = (value) => value;
pack.addFormula({ name: "A", description: "", parameters: [], resultType: coda.ValueType.String, connectionRequirement: coda.ConnectionRequirement.None, execute: async ([], context) => open(context) });
const open = async (context) => (await context.fetcher.fetch({ method: "GET", url: "https://example.com/", headers: { Authorization: token("x") } })).body;
export const b = (context) => context.fetcher.fetch({ method: "GET", url: "https://example.org/", headers: { Authorization: token("x") } });
export const c = (context) => context.fetcher.fetch({ method: "GET", url: "https://example.com/", disableAuthentication: true, headers: { Authorization: token("x") } });
export const d = (context, url) => context.fetcher.fetch({ method: "GET", url, headers: { Authorization: token("x") } });
`,
  "what only looks like a credential": `${HEAD}export const EXAMPLES = ["xoxb-your-token", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "sk_live_YOUR_KEY_HERE", "AKIAIOSFODNN7EXAMPLE", "eyJhbGciOi...", "AIza"];
// ghp_q7Zr2Lx9Kd4Wm8Tb3Vf6Hc1Ns5Py0JgRtUaE in a comment is for a scanner of repositories
export const get = (context, token) => context.fetcher.fetch({ method: "GET", url: "https://example.com/", headers: { Authorization: \`Bearer \${token}\`, "Content-Type": "application/x-amz-json-1.1" } });
`,
  "names of accounts that cannot be followed": `${HEAD}import { nameOf } from "elsewhere";
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: (context) => nameOf(context) });
pack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: async function (context) { let name = ""; name = await nameOf(context); return name; } });
`,
  "a promise that is awaited later, or chained": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: async function (context) { const request = context.fetcher.fetch({ method: "GET", url: "https://example.com/" }); const response = await request; return response.body.name; } });
pack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: (context) => context.fetcher.fetch({ method: "GET", url: "https://example.com/" }).then((response) => response.body.name) });
`,
};

describe("traps stay silent", () => {
  for (const [name, source] of Object.entries(TRAPS)) {
    it(name, () => {
      const files = split(source);
      const analysis = analyse(files);
      const found = Object.keys(files).flatMap((file) =>
        analysis.diagnostics(file).map((diagnostic) => `${diagnostic.rule}: ${diagnostic.message}`),
      );
      assert.deepEqual(found, []);
    });
  }
});
