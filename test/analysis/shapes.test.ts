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

const SHAPES: Readonly<Record<string, readonly [source: string, ...found: string[]]>> = {
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
};

describe("shapes of packs", () => {
  for (const [name, [source, ...found]] of Object.entries(SHAPES)) it(name, () => assert.deepEqual(flagged(source), found));
});
