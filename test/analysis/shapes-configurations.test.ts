// Configurations that stand, are put together and are handed over in every way that real ones are: the mistake in each is found, and only that.
import { findsOnly } from "../support/shapes.ts";

findsOnly("the configuration", {
  "an enum, into which no field can be put": [
    `import * as coda from "@codahq/packs-sdk";
enum Auth { a = "A", b = "B" }
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication(Auth);
`,
    "pack.ts: field-unknown a",
    "pack.ts: field-unknown b",
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
});
