// What is written to after its literal: in another file, under another name, item by item, on the pack itself. What the literal says is
// then not all there is, and nothing may be missed in it; what nobody writes to is still judged.
import assert from "node:assert/strict";
import { analyse, split } from "../../support/analyse.ts";

const SDK = `import * as coda from "@codahq/packs-sdk";\n`;
const BARE = `${SDK}export const pack = coda.newPack();\n`;
const HEAD = `${BARE}pack.addNetworkDomain("acme.example");\n`;
const HEADER = "{ type: coda.AuthenticationType.CustomHeaderToken }";
const BEARER = "{ type: coda.AuthenticationType.HeaderBearerToken }";
const STATED = `// @file: config.ts\n${SDK}export const config: any = ${HEADER};\n`;
const multi = (params: string): string =>
  `pack.setUserAuthentication({ type: coda.AuthenticationType.MultiQueryParamToken, params: ${params} });\n`;
const entry = (before: string, config = "config", imports = `import { config } from "./config";`): string =>
  `// @file: pack.ts\n${imports}\n${HEAD}${before}\npack.setUserAuthentication(${config});\n`;

const MUTATED: Readonly<Record<string, string>> = {
  "a field of an imported object": `${entry(`config.headerName = "X-Key";`)}${STATED}`,
  "a field through the namespace of its file": `${entry(`c.config.headerName = "X-Key";`, "c.config", `import * as c from "./config";`)}${STATED}`,
  "a field of a required module": `${entry(`config.headerName = "X-Key";`, "config", `const { config } = require("./config");`)}${STATED}`,
  "an imported object, by Object.assign": `${entry(`Object.assign(config, { headerName: "X-Key" });`)}${STATED}`,
  "an imported object, by a function that gets it": `${entry("fill(config);", "config", `import { config } from "./config";\nimport { fill } from "./fill";`)}${STATED}// @file: fill.ts\nexport function fill(c: any) { c.headerName = "X-Key"; }\n`,
  "an object that a third file writes to": `${entry("", "config", `import { config } from "./config";\nimport "./fill";`)}${STATED}// @file: fill.ts\nimport { config } from "./config";\nconfig.headerName = "X-Key";\n`,
  "an object that is passed on under another name": `${entry(`auth.headerName = "X-Key";`, "auth", `import { auth } from "./index";`)}// @file: index.ts\nexport { config as auth } from "./config";\n${STATED}`,
  "a list that is filled by the file that imports it": `${entry(`params.push({ name: "b", description: "B" });`, "{ type: coda.AuthenticationType.MultiQueryParamToken, params }", `import { params } from "./config";`)}// @file: config.ts\nexport const params: any[] = [];\n`,
  "another name for it": `${HEAD}const a: any = ${HEADER};\nconst b = a;\nb.headerName = "X-Key";\npack.setUserAuthentication(a);\n`,
  "another name for another name": `${HEAD}const a: any = ${HEADER};\nconst b = a;\nconst c = b;\nc.headerName = "X-Key";\npack.setUserAuthentication(a);\n`,
  "a name for a part of it": `${HEAD}const c: any = { auth: ${HEADER} };\nconst auth = c.auth;\nauth.headerName = "X-Key";\npack.setUserAuthentication(c.auth);\n`,
  "a destructured part": `${HEAD}const c: any = { auth: ${HEADER} };\nconst { auth } = c;\nauth.headerName = "X-Key";\npack.setUserAuthentication(c.auth);\n`,
  "a part that is passed to a function": `${HEAD}const c: any = { auth: ${HEADER} };\nfill(c.auth);\nfunction fill(auth: any) { auth.headerName = "X-Key"; }\npack.setUserAuthentication(c.auth);\n`,
  "the items of a list, in a loop": `${HEAD}const params: any[] = [{ name: "a" }];\nfor (const param of params) param.description = param.name;\n${multi("params")}`,
  "the items of a list, by forEach": `${HEAD}const params: any[] = [{ name: "a" }];\nparams.forEach((param) => { param.description = param.name; });\n${multi("params")}`,
  "an item of a list": `${HEAD}const params: any[] = [{ name: "a" }];\nparams[0].description = "A";\n${multi("params")}`,
  "an item of a list that is replaced": `${HEAD}const params: any[] = [{ name: "a" }];\nparams[0] = { name: "a", description: "A" };\n${multi("params")}`,
  "a list that is emptied and filled again": `${HEAD}const params: any[] = [{ name: "a" }];\nparams.length = 0;\nparams.push({ name: "b", description: "B" });\n${multi("params")}`,
  "a list under another name": `${HEAD}const config: any = { type: coda.AuthenticationType.MultiQueryParamToken, params: [] };\nconst list = config.params;\nlist.push({ name: "a", description: "A" });\npack.setUserAuthentication(config);\n`,
  "a field that is deleted": `${HEAD}const config: any = { ...${BEARER}, headerName: "X-Key" };\ndelete config.headerName;\npack.setUserAuthentication(config);\n`,
  "a field that is deleted from the literal": `${HEAD}const config: any = { type: coda.AuthenticationType.HeaderBearerToken, headerName: "X-Key" };\ndelete config.headerName;\npack.setUserAuthentication(config);\n`,
  "a field by a computed name": `${HEAD}const config: any = ${HEADER};\nconst field = "headerName";\nconfig[field] = "X-Key";\npack.setUserAuthentication(config);\n`,
  "a part of a module": `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst lib = require("./lib");\nconst pack = coda.newPack();\npack.addNetworkDomain("acme.example");\nlib.auth.headerName = "X-Key";\npack.setUserAuthentication(lib.auth);\nmodule.exports = { pack };\n// @file: lib.js\nconst coda = require("@codahq/packs-sdk");\nmodule.exports = { auth: ${HEADER} };\n`,
  "a module that is one object": `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst auth = require("./auth");\nconst pack = coda.newPack();\npack.addNetworkDomain("acme.example");\nauth.headerName = "X-Key";\npack.setUserAuthentication(auth);\nmodule.exports = { pack };\n// @file: auth.js\nconst coda = require("@codahq/packs-sdk");\nmodule.exports = ${HEADER};\n`,
  "an object that a function made": `${HEAD}function make(): any { return ${HEADER}; }\nconst config = make();\nconfig.headerName = "X-Key";\npack.setUserAuthentication(config);\n`,
  "a list that a function has made": `${HEAD}const make = (): any => [];\nconst params = make();\nparams.push({ name: "a", description: "A" });\n${multi("params")}`,
  "an object that a function fills before it returns it": `${HEAD}function make(): any { const config: any = ${HEADER}; config.headerName = "X-Key"; return config; }\npack.setUserAuthentication(make());\n`,
  "an object that a function makes of its argument": `${HEAD}const make = (more: any): any => ({ type: coda.AuthenticationType.CustomHeaderToken, ...more });\npack.setUserAuthentication(make({ headerName: "X-Key" }));\n`,
  "a class's own, by itself": `${HEAD}class C { static config: any = ${HEADER}; static { this.config.headerName = "X-Key"; } }\npack.setUserAuthentication(C.config);\n`,
  "the pack's domains, pushed": `${BARE}pack.networkDomains.push("acme.example");\npack.setUserAuthentication(${BEARER});\n`,
  "the pack's domains, assigned": `${BARE}pack.networkDomains = ["acme.example"];\npack.setUserAuthentication(${BEARER});\n`,
  "the pack's domains, by a bound method": `${BARE}const add = pack.addNetworkDomain.bind(pack);\nadd("acme.example");\npack.setUserAuthentication(${BEARER});\n`,
  "the pack's domains, by apply": `${BARE}pack.addNetworkDomain.apply(pack, ["acme.example"]);\npack.setUserAuthentication(${BEARER});\n`,
  "the pack's domains, by Object.assign": `${BARE}Object.assign(pack, { networkDomains: ["acme.example"] });\npack.setUserAuthentication(${BEARER});\n`,
  "a pack that is wrapped as it is made": `${SDK}export const pack = Object.assign(coda.newPack(), { networkDomains: ["acme.example"] });\npack.setUserAuthentication(${BEARER});\n`,
  "a pack that a package wraps": `${SDK}import { wrap } from "our-helpers";\nexport const pack = wrap(coda.newPack());\npack.setUserAuthentication(${BEARER});\n`,
  "an object that a function returns": `${HEAD}const config: any = ${HEADER};\nfunction settings() { return config; }\nsettings().headerName = "X-Key";\npack.setUserAuthentication(config);\n`,
  "an object that a function returns, under another name": `${HEAD}const config: any = ${HEADER};\nconst settings = () => config;\nconst own = settings();\nown.headerName = "X-Key";\npack.setUserAuthentication(config);\n`,
  "a part that a method returns": `${HEAD}const all: any = { auth: ${HEADER} };\nconst store = { auth() { return all.auth; } };\nObject.assign(store.auth(), { headerName: "X-Key" });\npack.setUserAuthentication(all.auth);\n`,
  "a list that a function returns": `${HEAD}const params: any[] = [];\nconst list = () => params;\nlist().push({ name: "a", description: "A" });\n${multi("params")}`,
  "an object that a function of another file returns": `${entry(`const own = settings();\nown.headerName = "X-Key";`, "config", `import { config, settings } from "./config";`)}${STATED}export function settings() { return config; }\n`,
  "an object that a namespace's function returns": `${entry(`c.settings().headerName = "X-Key";`, "c.config", `import * as c from "./config";`)}${STATED}export const settings = () => { return config; };\n`,
  "an inherited object": `${HEAD}const base: any = { ...${HEADER}, headerName: "X-Key" };\nconst config: any = { __proto__: base };\npack.setUserAuthentication(config);\n`,
  "an object that an object holds": `${HEAD}declare const fill: any, Fill: any;\nconst c: any = ${HEADER};\nconst holder = { c };\nholder.c.headerName = "X-Key";\npack.setUserAuthentication(c);\n`,
  "an object that a list holds": `${HEAD}declare const fill: any, Fill: any;\nconst c: any = ${HEADER};\nconst list = [{ a: c }];\nlist[0].a.headerName = "X-Key";\npack.setUserAuthentication(c);\n`,
  "an object that a list in a loop holds": `${HEAD}declare const fill: any, Fill: any;\nconst c: any = ${HEADER};\nfor (const one of [c]) one.headerName = "X-Key";\npack.setUserAuthentication(c);\n`,
  "an object that a list of its own holds, by forEach": `${HEAD}declare const fill: any, Fill: any;\nconst c: any = ${HEADER};\n[c].forEach((one) => { one.headerName = "X-Key"; });\npack.setUserAuthentication(c);\n`,
  "an object in an object that a function gets": `${HEAD}declare const fill: any, Fill: any;\nconst c: any = ${HEADER};\nfill({ all: [c] });\npack.setUserAuthentication(c);\n`,
  "an object that a function gets by a function": `${HEAD}declare const fill: any, Fill: any;\nconst c: any = ${HEADER};\nfill(() => c);\npack.setUserAuthentication(c);\n`,
  "an object that a constructor gets": `${HEAD}declare const fill: any, Fill: any;\nconst c: any = ${HEADER};\nnew Fill({ c });\npack.setUserAuthentication(c);\n`,
  "an object in a tagged template": `${HEAD}declare const fill: any, Fill: any;\nconst c: any = ${HEADER};\nfill\`\${c}\`;\npack.setUserAuthentication(c);\n`,
  "an object that may be the one": `${HEAD}declare const fill: any, Fill: any;\nconst c: any = ${HEADER};\nconst other = c ?? {};\nother.headerName = "X-Key";\npack.setUserAuthentication(c);\n`,
  "an object that one of two is": `${HEAD}declare const fill: any, Fill: any;\nconst c: any = ${HEADER};\n(fill ? c : {}).headerName = "X-Key";\npack.setUserAuthentication(c);\n`,
  "an object that is put into another": `${HEAD}declare const fill: any, Fill: any;\nconst c: any = ${HEADER};\nfill.state = { c };\nfill();\npack.setUserAuthentication(c);\n`,
  "an object that another name is assigned to": `${HEAD}declare const fill: any, Fill: any;\nconst c: any = ${HEADER};\nlet other: any;\nother = c;\nother.headerName = "X-Key";\npack.setUserAuthentication(c);\n`,
  "an object that a getter returns": `${HEAD}declare const fill: any, Fill: any;\nconst c: any = ${HEADER};\nconst get = { get c() { return c; } };\nget.c.headerName = "X-Key";\npack.setUserAuthentication(c);\n`,
  "the pack, held by an object": `${SDK}import { fill } from "our-helpers";\nexport const pack = coda.newPack();\nconst app = { pack };\nfill(app);\npack.setUserAuthentication(${BEARER});\n`,
  "the pack, in an object": `${SDK}import { fill } from "our-helpers";\nexport const pack = coda.newPack();\nfill({ pack });\npack.setUserAuthentication(${BEARER});\n`,
  "the pack, by a function": `${SDK}import { fill } from "our-helpers";\nexport const pack = coda.newPack();\nfill(() => pack);\npack.setUserAuthentication(${BEARER});\n`,
  "the pack, put into what a package has": `${SDK}import { fill } from "our-helpers";\nexport const pack = coda.newPack();\nfill.state.pack = pack;\npack.setUserAuthentication(${BEARER});\n`,
  "the pack, in a list": `${SDK}import { fill } from "our-helpers";\nexport const pack = coda.newPack();\nfor (const one of [fill]) one(pack);\npack.setUserAuthentication(${BEARER});\n`,
  "the pack of a class": `${SDK}import { fill } from "our-helpers";\nclass App { readonly pack = coda.newPack(); constructor() { fill(this.pack); this.pack.setUserAuthentication(${BEARER}); } }\nexport const pack = new App().pack;\n`,
  "a class's own for good, by itself": `${HEAD}class C { static readonly config: any = ${HEADER}; static set() { this.config.headerName = "X-Key"; } }\nC.set();\npack.setUserAuthentication(C.config);\n`,
  "the pack's authentication": `${HEAD}pack.defaultAuthentication = ${BEARER};\npack.addFormula({ name: "A", description: "a", parameters: [], resultType: coda.ValueType.String, connectionRequirement: coda.ConnectionRequirement.Required, execute: async () => "x" });\n`,
};

/** Nobody writes to these, though names and functions come near them. */
const UNTOUCHED: Readonly<Record<string, string>> = {
  "an imported object that is only read": `${entry("console.log(config.type);\nconst { type } = config;\nconst copy = { ...config };\ncopy.headerName = type;")}${STATED}`,
  "an object that a function passes to a reader": `${HEAD}const c: any = ${HEADER};\nfunction get() { return c; }\nconsole.log(get().type);\nconst { type } = get();\npack.setUserAuthentication(c);\n`,
  "an object in objects and lists that are only read": `${HEAD}const c: any = ${HEADER};\nconst app = { c, list: [c] };\nconsole.log(app.c.type, app.list.length);\napp.other = 1;\npack.setUserAuthentication(app.c);\n`,
  "an object that the toolkit gets": `${HEAD}const c: any = ${HEADER};\ncoda.makeObjectSchema({ properties: { c } } as any);\npack.setUserAuthentication({ ...c });\n`,
  "an object of which another part is written": `${HEAD}const c: any = { auth: ${HEADER}, other: {} };\nc.other.headerName = "X-Key";\npack.setUserAuthentication(c.auth);\n`,
  "an object under another name that is only read": `${HEAD}const a: any = ${HEADER};\nconst b = a;\nconsole.log(b.type);\npack.setUserAuthentication(b);\n`,
  "a string of it that is passed to a function": `${HEAD}const c: any = { auth: ${HEADER}, name: "A" };\nfill(c.name);\nfunction fill(name: string) { return name; }\npack.setUserAuthentication(c.auth);\n`,
  "the items of a list that is read in a loop": `${HEAD}const params: any[] = [{ name: "a" }];\nfor (const param of params) console.log(param.name);\n${multi("params")}`,
  "another object of the same name in another scope": `${entry(`function other() { const config: any = {}; config.headerName = "X-Key"; return config; }\nother();`)}${STATED}`,
};

function flagged(source: string): readonly string[] {
  const files = split(source);
  const analysis = analyse(files);
  return Object.keys(files).flatMap((file) => analysis.diagnostics(file).map(({ rule }) => rule));
}

const OAUTH = `{ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://acme.example/a", tokenUrl: "https://acme.example/t", tokenUrll: "x" }`;
const deleting = (how: string, literal = OAUTH): string =>
  `${HEAD}const auth: any = ${literal};\n${how}\npack.setUserAuthentication(auth);\n`;

/** What is said of what is left. */
const DELETED: Readonly<Record<string, readonly [source: string, rules: readonly string[]]>> = {
  "a required field": [deleting("delete auth.tokenUrll; delete auth.tokenUrl;"), ["oauth2-missing-token-url"]],
  "a field by its name in a string": [
    deleting(`delete auth["tokenUrll"]; delete auth["authorizationUrl"];`),
    ["oauth2-missing-authorization-url"],
  ],
  "a wrong field": [deleting("delete auth.tokenUrll;"), []],
  "a field that is added again": [deleting(`delete auth.tokenUrll; delete auth.tokenUrl; auth.tokenUrl = "https://acme.example/t";`), []],
  "a field that was added": [deleting(`auth.scopes = "a b"; delete auth.scopes; delete auth.tokenUrll;`), []],
  "by a condition": [deleting("if (process.env.OWN) delete auth.tokenUrl; delete auth.tokenUrll;"), []],
  "a field of a spread object": [deleting("delete auth.tokenUrl; delete auth.tokenUrll;", `{ ...${OAUTH} }`), []],
  "a field by an unknown name": [deleting("delete auth[process.env.FIELD!]; delete auth.tokenUrll;"), []],
  "later, in a function that may never run": [deleting("export const clear = () => { delete auth.tokenUrl; }; delete auth.tokenUrll;"), []],
  "in JavaScript": [
    `// @file: pack.js\n${deleting("delete auth.tokenUrll; delete auth.tokenUrl;").replace("import * as coda from", "const coda = require(").replace('sdk";', 'sdk");').replace("export const pack", "const pack").replace(": any", "")}module.exports = { pack };\n`,
    ["oauth2-missing-token-url"],
  ],
};

describe("fields deleted after their literal", () => {
  for (const [what, [source, rules]] of Object.entries(DELETED))
    it(`${rules.join() || "nothing"} is reported: ${what}`, () => assert.deepEqual(flagged(source), rules));
});

describe("objects changed after their literal", () => {
  for (const [what, source] of Object.entries(MUTATED))
    it(`the changed object is not flagged: ${what}`, () => assert.deepEqual(flagged(source), []));
});

describe("objects that nobody changes", () => {
  for (const [what, source] of Object.entries(UNTOUCHED))
    it(`the unchanged object is flagged: ${what}`, () => assert.deepEqual(flagged(source), ["field-missing"]));
});
