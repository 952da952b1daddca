// Requests and endpoints that look wrong and are not, or cannot be known: analysis never guesses.
import { HEAD, staySilent } from "../support/traps.ts";

staySilent("requests", {
  "links that are never fetched": `${HEAD}export const link = "https://elsewhere.org/page";
export const get = async (context) => { const response = await context.fetcher.fetch({ method: "GET", url: "https://example.com/" }); return "https://elsewhere.org/" + response.body.id; };
`,
  "a parameter that hides an import": `// @file: pack.ts
${HEAD}import { BASE } from "./base";
export const get = (context, BASE) => context.fetcher.fetch({ method: "GET", url: \`\${BASE}/x\` });
export const link = BASE;
// @file: base.ts
export const BASE = "https://elsewhere.org";
`,
  "hosts that are computed": `${HEAD}export const a = (context, id) => context.fetcher.fetch({ method: "GET", url: \`https://\${id}.elsewhere.org/\` });
export const b = (context, base) => context.fetcher.fetch({ method: "GET", url: base + "/x" });
export const c = (context) => context.fetcher.fetch({ method: "GET", url: context.sync.continuation.next });
export const d = (context) => context.fetcher.fetch({ method: "GET", url: process.env.URL || "https://example.com" });
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
  "requests that go without the account, or elsewhere, with headers of their own": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.addNetworkDomain("example.org");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, networkDomain: "example.com" });
const token = (value) => value;
pack.addFormula({ name: "A", description: "", parameters: [], resultType: coda.ValueType.String, connectionRequirement: coda.ConnectionRequirement.None, execute: async ([], context) => open(context) });
pack.addFormula({ name: "B", description: "", parameters: [], resultType: coda.ValueType.String, execute: async () => "" });
const open = async (context) => (await context.fetcher.fetch({ method: "GET", url: "https://example.com/", headers: { Authorization: token("x") } })).body;
export const b = (context) => context.fetcher.fetch({ method: "GET", url: "https://example.org/", headers: { Authorization: token("x") } });
export const c = (context) => context.fetcher.fetch({ method: "GET", url: "https://example.com/", disableAuthentication: true, headers: { Authorization: token("x") } });
export const d = (context, url) => context.fetcher.fetch({ method: "GET", url, headers: { Authorization: token("x") } });
`,
});
