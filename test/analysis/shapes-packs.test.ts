// Packs that are built, handed on and exported in every way that real ones are: the mistake in each is found, and only that.
import { findsOnly } from "../support/shapes.ts";

findsOnly("the pack", {
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
  "a pack that another file exports under its name": [
    `// @file: a/base.ts
import * as coda from "@codahq/packs-sdk";
export const builder = coda.newPack();
// @file: a/pack.ts
import * as coda from "@codahq/packs-sdk";
import { builder } from "./base";
builder.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
export { builder as pack };
// @file: b/base.ts
import * as coda from "@codahq/packs-sdk";
export const builder = coda.newPack();
builder.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
// @file: b/pack.ts
export { builder as pack } from "./base";
`,
    "a/pack.ts: network-domain-missing setUserAuthentication",
    "b/base.ts: network-domain-missing setUserAuthentication",
  ],
  "static blocks and private static fields": [
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
class Settings {
  static #auth = { type: coda.AuthenticationType.CustomHeaderToken };
  static {
    pack.setUserAuthentication(Settings.#auth as any);
  }
}
`,
    "pack.ts: field-missing type: coda.AuthenticationType.CustomHeaderToken",
  ],
  "import = require and export =": [
    `import coda = require("@codahq/packs-sdk");
const pack = coda.newPack();
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
export = pack;
`,
    "pack.ts: network-domain-missing setUserAuthentication",
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
  "an old manifest": [
    `import * as coda from "@codahq/packs-sdk";
export const manifest = { defaultAuthentication: { type: coda.AuthenticationType.CustomHeaderToken }, networkDomains: ["example.com"], formulas: [] };
`,
    "pack.ts: field-missing type: coda.AuthenticationType.CustomHeaderToken",
  ],
  "a chain of the builder's methods": [
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack().addNetworkDomain("https://acme.com").setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken });
`,
    'pack.ts: network-domain-form "https://acme.com"',
    "pack.ts: field-missing type: coda.AuthenticationType.CustomHeaderToken",
  ],
  "an optional chain and a non-null receiver": [
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack!.addNetworkDomain("example.com");
pack?.setUserAuthentication?.({ type: coda.AuthenticationType.CustomHeaderToken });
`,
    "pack.ts: field-missing type: coda.AuthenticationType.CustomHeaderToken",
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
});
