// Placeholders and params that look unknown or unused and are not, or cannot be known: analysis never guesses.
import { HEAD, staySilent } from "../support/traps.ts";

staySilent("placeholders", {
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
  "a placeholder that concat ends": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
export const a = (context) => \`{{key-\${context.invocationToken}\`.concat("}}");
`,
  "names of params that are made elsewhere": `${HEAD}const NAMES = names();
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: NAMES.map((name) => ({ name, description: name })) });
export const a = (context) => \`{{anything-\${context.invocationToken}}}\`;
function names() { return ["anything"]; }
`,
  "params that are pushed": `${HEAD}const params = [{ name: "key", description: "Key" }];
params.push({ name: "secret", description: "Secret" });
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params });
export const a = (context) => \`{{key-\${context.invocationToken}}}{{secret-\${context.invocationToken}}}\`;
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
  "a host of the placeholders of Custom": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "site", description: "" }] });
export const get = (context) => context.fetcher.fetch({ method: "GET", url: \`https://{{site-\${context.invocationToken}}}.example.com/\` });
`,
  "an invocation token as an id, in headers, bodies and claims": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "" }] });
export const get = (context, sign) => context.fetcher.fetch({ method: "POST", url: \`https://example.com/?request=\${context.invocationToken}&key={{key-\${context.invocationToken}}}\`, headers: { "Idempotency-Key": context.invocationToken, Authorization: \`Bearer \${sign({ jti: context.invocationToken })}\` }, body: JSON.stringify({ id: context.invocationToken, text: "{{first_name}}" }) });
`,
  "placeholders of a helper": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "" }] });
const placeholder = (name: string, context: coda.ExecutionContext) => \`{{\${name}-\${context.invocationToken}}}\`;
export const get = (context) => context.fetcher.fetch({ method: "GET", url: "https://example.com/", headers: { Key: placeholder("key", context) } });
`,
});
