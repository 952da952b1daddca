// Packs that come by the toolkit in every way that real ones do: the mistake in each is found, and only that.
import { findsOnly } from "../support/shapes.ts";

findsOnly("the toolkit", {
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
});
