// Texts that a pack takes from constants, enums, namespaces, lists and functions: the mistake in each is found at its place, and only that.
import { findsOnly } from "../support/shapes.ts";

findsOnly("values", {
  "a constant beside a parameter of the same name": [
    `import * as coda from "@codahq/packs-sdk";
const url = "example.com/authorize";
function get(url: string) { return url; }
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: url, tokenUrl: "https://login.acme.example/t" });
`,
    "pack.ts: oauth2-url-form url",
  ],
  "a list that is joined where a list is expected, and one where a text is": [
    `import * as coda from "@codahq/packs-sdk";
import { SCOPES, room } from "./elsewhere";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
const separator = " ";
const oauth = { type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://acme.example/a", tokenUrl: "https://acme.example/t" };
pack.setUserAuthentication({ ...oauth, scopes: SCOPES.join(" "), tokenQueryParam: SCOPES.join("") });
pack.setSystemAuthentication({ type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "https://acme.example/t", scopes: room.join("general") });
`,
    'pack.ts: field-type SCOPES.join(" ")',
  ],
  "names in an enum of texts": [
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
enum Names { Count, Header = "X Key" }
pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: Names.Header });
`,
    "pack.ts: header-name-invalid Names.Header",
  ],
  "names in an enum of another file": [
    `// @file: pack.ts
import { Names } from "./names";
import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: Names.Header });
// @file: names.ts
export enum Names { Header = "X Key" }
`,
    "pack.ts: header-name-invalid Names.Header",
  ],
  "values in namespaces": [
    `// @file: pack.ts
import * as coda from "@codahq/packs-sdk";
import { Shared } from "./shared";
namespace Config {
  const inner = "X Key";
  export const header = inner;
  export namespace urls { export const me = "https://other.test/me"; }
}
namespace Deep.Inner { export const host = "https://deep.test"; }
const Types = { header: "X-Key" };
namespace Types { export type Of<T> = T; }
export const pack = coda.newPack();
pack.addNetworkDomain(Shared.domain);
pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: Config.header });
pack.setSystemAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: Types.header });
export const me = (context) => context.fetcher.fetch({ method: "GET", url: Config.urls.me });
export const you = (context) => context.fetcher.fetch({ method: "GET", url: Deep.Inner.host + "/x" });
// @file: shared.ts
export namespace Shared { export const domain = "acme.example:80"; }
`,
    "pack.ts: fetch-host-undeclared other.test",
    "pack.ts: fetch-host-undeclared deep.test",
    "pack.ts: network-domain-form Shared.domain",
    "pack.ts: header-name-invalid Config.header",
  ],
  "namespaces that are written to, or declared twice": [
    `import * as coda from "@codahq/packs-sdk";
namespace Config { export let header = "X Key"; export function set(to: string) { header = to; } }
namespace Twice { export const header = "X Key"; }
namespace Twice { export const other = 1; }
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: Config.header });
pack.setSystemAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: Twice.header });
`,
  ],
  "values in a JSON file": [
    `// @file: pack.ts
import * as coda from "@codahq/packs-sdk";
import settings from "./settings.json";
export const pack = coda.newPack();
pack.addNetworkDomain(settings.domain);
pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: settings.oauth.authorize, tokenUrl: "https://login.acme.example/t" });
// @file: settings.json
{ "domain": "example.com", "oauth": { "authorize": "example.com/authorize" } }
`,
    "pack.ts: oauth2-url-form settings.oauth.authorize",
  ],
  "what is looked up by a constant": [
    `import * as coda from "@codahq/packs-sdk";
const ENV = "prod";
const HOSTS = { prod: "acme.test", staging: "staging.acme.example" } as const;
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
export const me = (context) => context.fetcher.fetch({ method: "GET", url: \`https://\${HOSTS[ENV]}/me\` });
`,
    "pack.ts: fetch-host-undeclared acme.test",
  ],
  "a URL that begins with what functions give": [
    `import * as coda from "@codahq/packs-sdk";
const base = () => "https://a.test";
function version() { return base() + "/v2"; }
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
export const me = (context) => context.fetcher.fetch({ method: "GET", url: version() + "/me" });
`,
    'pack.ts: fetch-host-undeclared version() + "/me"',
  ],
  "domains from lists, one by one": [
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
const DOMAINS = ["https://a.example", "b.example"];
for (const domain of DOMAINS) pack.addNetworkDomain(domain);
["c.example/x"].forEach((domain) => pack.addNetworkDomain(domain));
const each = (contexts) => contexts.forEach((context) => context.fetcher.fetch({ method: "GET", url: "https://d.example/" }));
`,
    'pack.ts: network-domain-form "https://a.example"',
    'pack.ts: network-domain-form "c.example/x"',
    "pack.ts: fetch-host-undeclared d.example",
  ],
  "domains from lists that are not all known, or made of their items": [
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
const DOMAINS = ["a.example"];
DOMAINS.push(other());
declare function other(): string;
for (const domain of DOMAINS) pack.addNetworkDomain(domain);
for (let domain of ["https:"]) { domain = domain.slice(8); pack.addNetworkDomain(domain); }
[{ domain: "a.example" }].forEach((item) => pack.addNetworkDomain(item.domain));
for (const $d of ["", "b.example"]) { if (!$d) continue; pack.addNetworkDomain($d); }
["", "c.example"].forEach((d) => d && pack.addNetworkDomain(d));
for (const d of ["*.d.example"]) pack.addNetworkDomain(d.startsWith("*.") ? d.slice(2) : d);
const get = (context) => context.fetcher.fetch({ method: "GET", url: "https://d.example/" });
const go = (context, url) => ["https://d.example/"].forEach((url) => context.fetcher.fetch({ method: "GET", url }));
export const all = (context) => go(context, "/x");
`,
  ],
  "objects that hold the toolkit's values, beside a pack that they have nothing to do with": [
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
export function schemaOf(field) {
  const schema: any = { type: coda.ValueType.String };
  if (field.number) schema.type = coda.ValueType.Number;
  return coda.makeSchema(schema);
}
`,
    "pack.ts: network-domain-missing setUserAuthentication",
  ],
  "a value that an argument decides, by a condition": [
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
const BETA = false;
const byArrow = (beta: boolean) => (beta ? "X Beta" : "X-Key");
const byComparison = (kind: string) => (kind === "beta" ? "X Beta" : "X-Key");
function byIf(beta?: boolean) { if (beta) return "X Beta"; return "X-Key"; }
function bySwitch(kind = "key") { switch (kind) { case "beta": return "X Beta"; default: return "X-Key"; } }
pack.setUserAuthentication({ type: coda.AuthenticationType.MultiHeaderToken, headers: [
  { name: byArrow(false), description: "A" },
  { name: byComparison("key"), description: "B" },
  { name: byIf(), description: "C" },
  { name: bySwitch(), description: "D" },
  { name: BETA ? "X Beta" : "X-Other", description: "E" },
] });
pack.setSystemAuthentication({ type: coda.AuthenticationType.MultiHeaderToken, headers: [{ name: byArrow(true), description: "A" }] });
const other = coda.newPack({ networkDomains: ["acme.example"] });
other.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: byIf(Date.now() > 1) });
`,
    "pack.ts: header-name-invalid byArrow(true)",
    "pack.ts: header-name-invalid byIf(Date.now() > 1)",
  ],
  "a host that stays the same, whatever an argument decides": [
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
function url(path: string, params?: any) { const all = "https://api.other.test" + path; return params ? coda.withQueryParams(all, params) : all; }
export const me = (context) => context.fetcher.fetch({ method: "GET", url: url("/me") });
`,
    "pack.ts: fetch-host-undeclared api.other.test",
  ],
  "texts of getters, of fields that are only read, of functions that are called where they stand, and of String.raw": [
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
const NAMES = { get header() { return "X A"; } };
class Names {
  static get header() { return "X B"; }
  get own() { return "X C"; }
  readonly field = "X D";
}
const names = new Names();
pack.setUserAuthentication({ type: coda.AuthenticationType.MultiHeaderToken, headers: [
  { name: NAMES.header, description: "A" },
  { name: Names.header, description: "B" },
  { name: names.own, description: "C" },
  { name: names.field, description: "D" },
  { name: (() => "X E")(), description: "E" },
  { name: (function (text) { return text; })("X F"), description: "F" },
  { name: String.raw\`X G\`, description: "G" },
  { name: (0, "X H"), description: "H" },
] });
`,
    "pack.ts: header-name-invalid NAMES.header",
    "pack.ts: header-name-invalid Names.header",
    "pack.ts: header-name-invalid names.own",
    "pack.ts: header-name-invalid names.field",
    'pack.ts: header-name-invalid (() => "X E")()',
    'pack.ts: header-name-invalid (function (text) { return text; })("X F")',
    "pack.ts: header-name-invalid String.raw`X G`",
    'pack.ts: header-name-invalid (0, "X H")',
  ],
  "fields and getters that may give something else": [
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
class Names {
  readonly first: string = "X A";
  second = "X B";
  readonly #third = "X C";
  kind = "key";
  constructor() { this.first = "X-A"; }
  get third() { return this.#third.replace(" ", "-"); }
  get fourth() { return this.kind === "key" ? "X-D" : "X D"; }
}
const names = new Names();
names.second = "X-B";
const WRITTEN = { value: "X D", get header() { return this.value; }, set header(to) { this.value = to; } };
WRITTEN.header = "X-D";
pack.setUserAuthentication({ type: coda.AuthenticationType.MultiHeaderToken, headers: [
  { name: names.first, description: "A" },
  { name: names.second, description: "B" },
  { name: names.third, description: "C" },
  { name: names.fourth, description: "D" },
  { name: WRITTEN.header, description: "E" },
  { name: String.raw\`X\\x2dE\`.slice(9) + "X-E", description: "F" },
] });
`,
  ],
  "an enum under another name": [
    `import * as coda from "@codahq/packs-sdk";
import Types = coda.AuthenticationType;
import Need = coda.ConnectionRequirement;
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
pack.setUserAuthentication({ type: Types.CustomHeaderToken, headerName: "X Key", defaultConnectionRequirement: Need.Required });
pack.setSystemAuthentication({ type: Types.HeaderBearr });
`,
    'pack.ts: header-name-invalid "X Key"',
    "pack.ts: auth-type-unknown HeaderBearr",
  ],
  "requests for each item of a list, by a property of the item's name": [
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
export const all = async (context) => {
  for (const url of ["https://a.test/"]) await context.fetcher.fetch({ method: "GET", url: url });
  ["https://b.test/"].forEach((url: string) => context.fetcher.fetch({ url: url, method: "GET" }));
  for (const url of ["https://c.test/"]) { log({ url: url }); await context.fetcher.fetch({ method: "GET", url: url }); }
};
`,
    "pack.ts: fetch-host-undeclared a.test",
    "pack.ts: fetch-host-undeclared b.test",
  ],
  "texts in which something is replaced": [
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
const BASE = "https://acme.example";
const NAME = "X-%";
const dollar = "X-%".replace("%", "$&Key");
pack.addNetworkDomain(BASE.replace("https://", ""));
pack.addNetworkDomain(BASE.replace("https:", ""));
pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: NAME.replace("%", "My Key"), networkDomain: "acme.example" });
pack.setSystemAuthentication({ type: coda.AuthenticationType.MultiHeaderToken, networkDomain: "acme.example", headers: [
  { name: "X a b".replaceAll(" ", "-"), description: "A" },
  { name: "X a".replace(/ /g, "-"), description: "B" },
  { name: dollar, description: "C" },
] });
`,
    'pack.ts: network-domain-form BASE.replace("https:", "")',
    'pack.ts: header-name-invalid NAME.replace("%", "My Key")',
  ],
});
