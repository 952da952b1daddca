// The shapes that real packs have: whichever way a pack is put together, the mistake in it is found, and only that.
import assert from "node:assert/strict";
import { analyse, split } from "../support/analyse.ts";

/** `file: rule` of everything flagged in the sources. */
function flagged(source: string): readonly string[] {
  const files = split(source);
  const analysis = analyse(files);
  return Object.keys(files).flatMap((file) =>
    analysis
      .diagnostics(file)
      .map((found) => `${file.slice("/pack/".length)}: ${found.rule} ${files[file]?.slice(found.place.start, found.place.end)}`),
  );
}

const CUSTOM = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
`;

const SHAPES: Readonly<Record<string, readonly [source: string, ...found: string[]]>> = {
  "the toolkit by a file of one's own that exports all of it": [
    `// @file: pack.ts
import { AuthenticationType, newPack } from "./sdk";
export const pack = newPack();
pack.addNetworkDomain("acme.example");
pack.setUserAuthentication({ type: AuthenticationType.CustomHeaderToken });
// @file: sdk.ts
export * from "@codahq/packs-sdk";
`,
    "pack.ts: field-missing type: AuthenticationType.CustomHeaderToken",
  ],
  "some of the toolkit's names, handed on by two files": [
    `// @file: pack.ts
import { Auth, newPack } from "./lib";
export const pack = newPack();
pack.setUserAuthentication({ type: Auth.HeaderBearerToken });
// @file: lib/index.ts
export { Auth, newPack } from "./sdk";
// @file: lib/sdk.ts
export { AuthenticationType as Auth, newPack } from "@codahq/packs-sdk";
`,
    "pack.ts: network-domain-missing setUserAuthentication",
  ],
  "the toolkit's namespace, handed on": [
    `// @file: pack.ts
import { coda } from "./sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken });
// @file: sdk.ts
import * as coda from "@codahq/packs-sdk";
export { coda };
`,
    "pack.ts: field-missing type: coda.AuthenticationType.CustomHeaderToken",
  ],
  "the toolkit's namespace, as a namespace that is handed on": [
    `// @file: pack.ts
import * as lib from "./sdk";
export const pack = lib.coda.newPack();
pack.addNetworkDomain("acme.example");
pack.setUserAuthentication({ type: lib.coda.AuthenticationType.CustomHeaderToken });
// @file: sdk.ts
export * as coda from "@codahq/packs-sdk";
`,
    "pack.ts: field-missing type: lib.coda.AuthenticationType.CustomHeaderToken",
  ],
  "files that hand each other on": [
    `// @file: pack.ts
import { newPack } from "./a";
export const pack = newPack();
pack.setUserAuthentication({ type: "WebBasic" });
// @file: a.ts
export * from "./b";
// @file: b.ts
export * from "./a";
`,
  ],
  "imports from inside the toolkit's package": [
    `import { newPack } from "@codahq/packs-sdk/dist/builder";
import { AuthenticationType } from "@codahq/packs-sdk/dist/types";
export const pack = newPack();
pack.addNetworkDomain("acme.example");
pack.setUserAuthentication({ type: AuthenticationType.CustomHeaderToken });
`,
    "pack.ts: field-missing type: AuthenticationType.CustomHeaderToken",
  ],
  "names of fields that are computed from constants": [
    `import * as coda from "@codahq/packs-sdk";
const NAME = "headerName";
enum Field { Type = "type" }
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
pack.setUserAuthentication({ [Field.Type]: coda.AuthenticationType.CustomHeaderToken, [NAME]: "X Key" });
pack.setSystemAuthentication({ ["type"]: coda.AuthenticationType.CustomHeaderToken });
`,
    'pack.ts: header-name-invalid "X Key"',
    'pack.ts: field-missing ["type"]: coda.AuthenticationType.CustomHeaderToken',
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
  "what is looked up and written to": [
    `import * as coda from "@codahq/packs-sdk";
const MODE = "key";
const AUTH: any = { key: { type: coda.AuthenticationType.CustomHeaderToken }, basic: {} };
const own = AUTH[MODE];
own.headerName = "X-Key";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
pack.setUserAuthentication(own);
pack.setSystemAuthentication(AUTH.key);
`,
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
  "a configuration that a helper is given": [
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
/** Sets the config. */
const setAuth = (p: coda.PackDefinitionBuilder, config: any) => p.setUserAuthentication(config);
pack.addNetworkDomain("acme.example");
setAuth(pack, { type: coda.AuthenticationType.CustomHeaderToken });
`,
    "pack.ts: field-missing type: coda.AuthenticationType.CustomHeaderToken",
  ],
  "a configuration that is a part of what a helper of a helper is given, in other files": [
    `// @file: pack.ts
import * as coda from "@codahq/packs-sdk";
import { setup } from "./setup";
export const pack = coda.newPack();
setup(pack, { domain: "acme.example", auth: { type: coda.AuthenticationType.CustomHeaderToken } });
// @file: setup.ts
import { apply } from "./apply";
export const setup = (pack, options) => { pack.addNetworkDomain(options.domain); apply(options.auth, pack); };
// @file: apply.ts
export function apply(auth, pack) { pack.setUserAuthentication(auth); }
`,
    "pack.ts: field-missing type: coda.AuthenticationType.CustomHeaderToken",
  ],
  "configurations that helpers look at, add to or choose from": [
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
declare function fill(config: any): void;
const CONFIG = { type: coda.AuthenticationType.CustomHeaderToken };
function a(p, config: any) { config.headerName = "X-Key"; p.setUserAuthentication(config); }
function b(p, config: any) { p.setUserAuthentication({ ...config, headerName: "X-Key" }); }
function c(p, config: any) { config = { ...config, headerName: "X-Key" }; p.setUserAuthentication(config); }
function d(p, config: any) { if (config.headerName) p.setUserAuthentication(config); }
function e(p, auth: any) { const config = auth; fill(config); p.setUserAuthentication(auth); }
function f(p, options: any) { fill(options); p.setUserAuthentication(options.auth); }
function g(p, config: any, mode: string) { if (mode === "header") p.setUserAuthentication(config); }
a(pack, { ...CONFIG });
b(pack, { ...CONFIG });
c(pack, { ...CONFIG });
d(pack, { ...CONFIG });
e(pack, { ...CONFIG });
f(pack, { auth: { ...CONFIG } });
g(pack, { ...CONFIG }, "none");
`,
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
  "a configuration in a class": [
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
class Settings { static readonly auth = { type: coda.AuthenticationType.CustomHeaderToken } as const; }
pack.setUserAuthentication(Settings.auth);
`,
    "pack.ts: field-missing type: coda.AuthenticationType.CustomHeaderToken",
  ],
  "a configuration that a function makes": [
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
pack.setUserAuthentication(auth());
function auth() {
  const config = { type: coda.AuthenticationType.CustomHeaderToken };
  return config;
}
`,
    "pack.ts: field-missing type: coda.AuthenticationType.CustomHeaderToken",
  ],
  "a configuration that a function of another file makes": [
    `// @file: pack.ts
import { auth } from "./auth";
import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
pack.setUserAuthentication(auth());
// @file: auth.ts
import { AuthenticationType } from "@codahq/packs-sdk";
export const auth = () => ({ type: AuthenticationType.CustomHeaderToken });
`,
    "auth.ts: field-missing type: AuthenticationType.CustomHeaderToken",
  ],
  "a module that is a configuration": [
    `// @file: pack.js
const coda = require("@codahq/packs-sdk");
const auth = require("./auth");
const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
pack.setUserAuthentication(auth);
module.exports = { pack };
// @file: auth.js
const coda = require("@codahq/packs-sdk");
module.exports = { type: coda.AuthenticationType.CustomHeaderToken };
`,
    "auth.js: field-missing type: coda.AuthenticationType.CustomHeaderToken",
  ],
  "newPack with defaultAuthentication and systemConnectionAuthentication": [
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack({
  networkDomains: ["example.com"],
  defaultAuthentication: { type: coda.AuthenticationType.CustomHeaderToken },
  systemConnectionAuthentication: { type: coda.AuthenticationType.QueryParamToken },
});
`,
    "pack.ts: field-missing type: coda.AuthenticationType.CustomHeaderToken",
    "pack.ts: field-missing type: coda.AuthenticationType.QueryParamToken",
  ],
  "another namespace and another receiver": [
    `import * as toolkit from "@codahq/packs-sdk";
const myThing = toolkit.newPack();
myThing.addNetworkDomain("example.com");
myThing.setUserAuthentication({ type: toolkit.AuthenticationType.CustomHeaderToken });
export { myThing as pack };
`,
    "pack.ts: field-missing type: toolkit.AuthenticationType.CustomHeaderToken",
  ],
  "named imports": [
    `import { newPack, AuthenticationType } from "@codahq/packs-sdk";
export const pack = newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication({ type: AuthenticationType.CustomHeaderToken });
`,
    "pack.ts: field-missing type: AuthenticationType.CustomHeaderToken",
  ],
  "named imports under aliases": [
    `import { newPack as make, AuthenticationType as Auth } from "@codahq/packs-sdk";
export const pack = make();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication({ type: Auth.CustomHeaderToken });
`,
    "pack.ts: field-missing type: Auth.CustomHeaderToken",
  ],
  "an alias of the namespace's enum": [
    `import * as coda from "@codahq/packs-sdk";
const { AuthenticationType } = coda;
const Types = coda.AuthenticationType;
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication({ type: AuthenticationType.CustomHeaderToken });
pack.setSystemAuthentication({ type: Types.CustomHeaderToken });
`,
    "pack.ts: field-missing type: AuthenticationType.CustomHeaderToken",
    "pack.ts: field-missing type: Types.CustomHeaderToken",
  ],
  "CommonJS with module.exports": [
    `// @file: pack.js
const coda = require("@codahq/packs-sdk");
const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken });
module.exports = { pack };
`,
    "pack.js: field-missing type: coda.AuthenticationType.CustomHeaderToken",
  ],
  "CommonJS with module.exports.pack and destructured require": [
    `// @file: pack.js
const { newPack, AuthenticationType: Type } = require("@codahq/packs-sdk");
const pack = newPack();
module.exports.pack = pack;
pack.setUserAuthentication({ type: Type.HeaderBearerToken });
`,
    "pack.js: network-domain-missing setUserAuthentication",
  ],
  "import = require and export =": [
    `import coda = require("@codahq/packs-sdk");
const pack = coda.newPack();
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
export = pack;
`,
    "pack.ts: network-domain-missing setUserAuthentication",
  ],
  "a helper that takes the pack, in another file": [
    `// @file: pack.ts
import * as coda from "@codahq/packs-sdk";
import { addAuth } from "./auth.js";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
addAuth(pack);
// @file: auth.ts
import * as coda from "@codahq/packs-sdk";
export function addAuth(target: coda.PackDefinitionBuilder) {
  target.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken });
}
`,
    "auth.ts: field-missing type: coda.AuthenticationType.CustomHeaderToken",
  ],
  "a config in a const, with satisfies": [
    `import * as coda from "@codahq/packs-sdk";
const AUTH = { type: coda.AuthenticationType.CustomHeaderToken } satisfies object;
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication(AUTH as any);
`,
    "pack.ts: field-missing type: coda.AuthenticationType.CustomHeaderToken",
  ],
  "a config in another file, through an index and a default export": [
    `// @file: pack.ts
import * as coda from "@codahq/packs-sdk";
import auth from "./auth";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication(auth);
// @file: auth/index.ts
export { default } from "./user";
// @file: auth/user.ts
import { AuthenticationType } from "@codahq/packs-sdk";
export default { type: AuthenticationType.CustomHeaderToken };
`,
    "auth/user.ts: field-missing type: AuthenticationType.CustomHeaderToken",
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
  "a config with a spread of a known constant": [
    `import * as coda from "@codahq/packs-sdk";
const BASE = { instructionsUrl: "https://login.acme.example/help", scopes: "a b" };
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication({ ...BASE, type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a" });
`,
    'pack.ts: field-type "a b"',
    "pack.ts: oauth2-missing-token-url type: coda.AuthenticationType.OAuth2",
  ],
  "either of two configs": [
    `import * as coda from "@codahq/packs-sdk";
const BETA = process.env.BETA === "1";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication(BETA ? { type: coda.AuthenticationType.CustomHeaderToken } : { type: coda.AuthenticationType.HeaderBearerToken });
`,
    "pack.ts: field-missing type: coda.AuthenticationType.CustomHeaderToken",
  ],
  "the type in parentheses, asserted, in brackets": [
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication({ "type": (coda.AuthenticationType["CustomHeaderToken"] as any)! });
`,
    'pack.ts: field-missing "type": (coda.AuthenticationType["CustomHeaderToken"] as any)!',
  ],
  "a pack built in one file and set up in the entry": [
    `// @file: pack.ts
import * as coda from "@codahq/packs-sdk";
import { pack } from "./base";
pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken });
export { pack };
// @file: base.ts
import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
`,
    "pack.ts: field-missing type: coda.AuthenticationType.CustomHeaderToken",
  ],
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
  "an optional chain and a non-null receiver": [
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack!.addNetworkDomain("example.com");
pack?.setUserAuthentication?.({ type: coda.AuthenticationType.CustomHeaderToken });
`,
    "pack.ts: field-missing type: coda.AuthenticationType.CustomHeaderToken",
  ],
  "the placeholder by +, over lines, through aliases of the token": [
    `// @file: pack.ts
import * as coda from "@codahq/packs-sdk";
import "./requests";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
// @file: requests.ts
export function a(context) {
  const token = context.invocationToken;
  return "https://example.com/?a=" +
    "{{keyA-" +
    token + "}}";
}
export function b({ invocationToken: t }) {
  return \`{{keyB-\${t}}}\`;
}
export class C {
  url() { return \`{{keyC-\${this.coda.invocationToken}}}\`; }
}
export const d = (ctx) => "{{" + "keyD-" + ctx.invocationToken + "}}";
const KEY = "keyE";
export const e = (ctx) => \`{{\${KEY}-\${ctx.invocationToken}}}\`;
`,
    "requests.ts: placeholder-undeclared keyA",
    "requests.ts: placeholder-undeclared keyB",
    "requests.ts: placeholder-undeclared keyC",
    "requests.ts: placeholder-undeclared keyD",
    "requests.ts: placeholder-undeclared ctx.invocationToken",
  ],
  "an old manifest": [
    `import * as coda from "@codahq/packs-sdk";
export const manifest = { defaultAuthentication: { type: coda.AuthenticationType.CustomHeaderToken }, networkDomains: ["example.com"], formulas: [] };
`,
    "pack.ts: field-missing type: coda.AuthenticationType.CustomHeaderToken",
  ],
  "the placeholder by concat, join and a helper's argument": [
    `${CUSTOM}export const a = (c) => "{{keyA-".concat(c.invocationToken, "}}");
export const b = (c) => ["{{keyB", c.invocationToken].join("-") + "}}";
export const d = (c) => ["{{", "keyD", "-", c.invocationToken, "}}"].join("");
export const used = (c) => \`{{key-\${c.invocationToken}}}\`;
`,
    "pack.ts: placeholder-undeclared keyA",
    "pack.ts: placeholder-undeclared keyB",
    "pack.ts: placeholder-undeclared keyD",
  ],
  "the placeholder by an alias of an alias, a destructured context, and a token taken from a class": [
    `${CUSTOM}export function a(context) { const token = context.invocationToken; const t = token; return \`{{keyA-\${t}}}\`; }
export const b = ({ invocationToken }) => \`{{keyB-\${invocationToken}}}\`;
export class Api {
  constructor(private coda) {}
  url() { return "{{keyC-" + this.coda.invocationToken + "}}"; }
  other() { const { invocationToken: id } = this.coda; return \`{{keyD-\${id}}}\`; }
}
export const used = (c) => \`{{key-\${c.invocationToken}}}\`;
`,
    "pack.ts: placeholder-undeclared keyA",
    "pack.ts: placeholder-undeclared keyB",
    "pack.ts: placeholder-undeclared keyC",
    "pack.ts: placeholder-undeclared keyD",
  ],
  "getConnectionName as function, arrow, method, member of a helper, and wrapped": [
    `// @file: pack.ts
import * as coda from "@codahq/packs-sdk";
import * as names from "./names";
import { nameOf } from "./names";
const helper = { arrow: (context) => "Me", async right(context) { return (await context.fetcher.fetch({ method: "GET", url: "/me" })).body.name; } };
export const pack = coda.newPack();
pack.addNetworkDomain("acme.com");
const type = coda.AuthenticationType.HeaderBearerToken;
const requiresEndpointUrl = true;
if (process.env.A) pack.setUserAuthentication({ type, requiresEndpointUrl, getConnectionName: nameOf });
else if (process.env.B) pack.setUserAuthentication({ type, requiresEndpointUrl, getConnectionName: names.nameOf });
else if (process.env.C) pack.setUserAuthentication({ type, requiresEndpointUrl, getConnectionName: coda.makeMetadataFormula(helper.right) });
else if (process.env.D) pack.setUserAuthentication({ type, requiresEndpointUrl, getConnectionName: helper.right });
else pack.setUserAuthentication({ type, requiresEndpointUrl, getConnectionName(context) { return "Me"; } });
// @file: names.ts
export function nameOf(context) { return context.endpoint ?? ""; }
`,
    "pack.ts: connection-name-not-async getConnectionName",
    "pack.ts: connection-name-not-async getConnectionName",
    "pack.ts: connection-name-not-async getConnectionName",
    "pack.ts: connection-name-value getConnectionName",
  ],
  "export = of the pack and of an object, and a default export": [
    `// @file: a/pack.ts
import { newPack, AuthenticationType } from "@codahq/packs-sdk";
const p = newPack();
p.setUserAuthentication({ type: AuthenticationType.HeaderBearerToken });
export = p;
// @file: b/pack.js
const coda = require("@codahq/packs-sdk");
const p = coda.newPack();
p.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
module.exports = { pack: p, version: 1 };
// @file: c/pack.ts
import * as coda from "@codahq/packs-sdk";
const p = coda.newPack();
p.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
export default p;
`,
    "a/pack.ts: network-domain-missing setUserAuthentication",
    "b/pack.js: network-domain-missing setUserAuthentication",
    "c/pack.ts: network-domain-missing setUserAuthentication",
  ],
  "several helpers, each in its file, that take the pack on": [
    `// @file: pack.ts
import * as coda from "@codahq/packs-sdk";
import { setUp } from "./set-up";
const pack = coda.newPack();
setUp(pack);
export { pack };
// @file: set-up.ts
import type { PackDefinitionBuilder } from "@codahq/packs-sdk";
import { addAuth } from "./auth";
import { addFormulas } from "./formulas";
export const setUp = (p: PackDefinitionBuilder) => { addAuth(p); addFormulas(p); p.addNetworkDomain("acme.com"); };
// @file: auth.ts
import * as coda from "@codahq/packs-sdk";
export function addAuth(p: coda.PackDefinitionBuilder) { p.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken }); }
// @file: formulas.ts
import * as coda from "@codahq/packs-sdk";
export function addFormulas(p: coda.PackDefinitionBuilder) {
  p.addFormula({ name: "A", description: "", parameters: [], resultType: coda.ValueType.String, connectionRequirement: coda.ConnectionRequirement.Required, execute: async () => "" });
}
`,
    "formulas.ts: requirement-without-auth coda.ConnectionRequirement.Required",
  ],
  "parts that register themselves with the pack, each a class of its own": [
    `// @file: pack.ts
import * as coda from "@codahq/packs-sdk";
import { Item } from "./item";
import { Me } from "./me";
export const pack = coda.newPack();
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
register(new Me());
function register(item: Item) { item.register(pack); }
// @file: item.ts
export abstract class Item { abstract register(pack: any): void; }
// @file: me.ts
import { Item } from "./item";
export class Me extends Item {
  register(pack) { pack.addFormula({ name: "Me", execute: this.run }); }
  async run([], context) { return context.fetcher.fetch({ method: "GET", url: \`https://api.acme.com/me?k={{keyy-\${context.invocationToken}}}\` }); }
}
`,
    "pack.ts: network-domain-missing setUserAuthentication",
    "me.ts: placeholder-undeclared keyy",
  ],
  "a chain of the builder's methods": [
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack().addNetworkDomain("https://acme.com").setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken });
`,
    'pack.ts: network-domain-form "https://acme.com"',
    "pack.ts: field-missing type: coda.AuthenticationType.CustomHeaderToken",
  ],
};

describe("shapes of packs", () => {
  it("a placeholder in a text that is a part of another is one placeholder", () => {
    const source = `${CUSTOM}export const a = (c) => "x".concat(\`{{key-\${c.invocationToken}}}\`, "y") + ["a", \`{{key-\${c.invocationToken}}}\`].join("&");\n`;
    assert.equal(analyse(split(source)).packsOf("/pack/pack.ts")[0]?.placeholders.length, 2);
  });

  for (const [name, [source, ...found]] of Object.entries(SHAPES)) it(name, () => assert.deepEqual(flagged(source), found));
});
