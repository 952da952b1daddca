// Packs, configurations and accounts that look like a mistake and are none, or cannot be known: analysis never guesses, so all of this stays silent.
import { HEAD, staySilent } from "../support/traps.ts";

staySilent("packs and configurations", {
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
  "dynamic client registration without URLs": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, useDynamicClientRegistration: true, useProofKeyForCodeExchange: true });
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
  "a variable that is assigned again": `${HEAD}let url = "nonsense";
url = "https://login.acme.example/a";
pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: url, tokenUrl: url + "/token" });
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
  pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: url, tokenUrl: url + "/token" });
}
function location() { return "https://login.acme.example/oauth"; }
`,
  "no authentication, said outright": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.setUserAuthentication({ type: coda.AuthenticationType.None });
`,
  "another library's setUserAuthentication": `import { client } from "other";
client.setUserAuthentication({});
client.setUserAuthentication({ typ: 1 });
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
  "an URL whose start is not known": `${HEAD}const HOST = process.env.HOST || "https://example.com";
pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: HOST + "/a", tokenUrl: \`\${HOST}/t\` });
`,
  "deprecated functions with arguments that are spread": `${HEAD}const args = [{}] as any;
pack.setUserAuthentication(...args);
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
});
