// Domains that look undeclared, doubled or malformed and are not, or cannot be known: analysis never guesses.
import { HEAD, staySilent } from "../support/traps.ts";

staySilent("domains", {
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
  "the endpoint typed by the user, without domains": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, requiresEndpointUrl: true });
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
  "an endpoint with OAuth2 and relative URLs, as the toolkit takes it, is no error": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, requiresEndpointUrl: true, endpointDomain: "example.com", uxConfig: { placeholderUsername: "User" } });
`,
  "an endpointDomain of an account whose endpoint comes from elsewhere, or that names one of several domains": `// @file: a.ts
${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://acme.com/a", tokenUrl: "https://acme.com/t", endpointKey: "url", endpointDomain: "example.com" });
// @file: b.ts
${HEAD}pack.addNetworkDomain("example.org");
pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, endpointDomain: "example.com" });
`,
  "domains of other alphabets, of one label, and with an underscore": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("bücher.example", "localhost", "a_b.example.com", "xn--bcher-kva.example", "127.0.0.1");
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
});
