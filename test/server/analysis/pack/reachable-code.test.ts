// An endpoint that no account has is an error where the code can come to run, and none in a function that nothing calls.
import assert from "node:assert/strict";
import { analyse, split } from "../../../support/analyse.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
`;
const JS_HEAD = `const coda = require("@codahq/packs-sdk");
const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
module.exports = { pack };
`;
const FORMULA = (body: string): string =>
  `pack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, execute: async function ([], context) { ${body} } });\n`;
const USE = "{ return context.endpoint.trim(); }";

const SILENT: Readonly<Record<string, string>> = {
  "a function that is declared": `${HEAD}function get(context) ${USE}\n`,
  "an exported function that no other file imports": `${HEAD}export async function get(context) ${USE}\n`,
  "a function in a const, and one that only it calls": `${HEAD}const base = (context) => context.endpoint.trim();\nconst get = async (context) => base(context);\n`,
  "one that is exported by default": `${HEAD}function get(context) ${USE}\nexport default get;\n`,
  "one that is the default": `${HEAD}export default (context) => context.endpoint.trim();\n`,
  "one that calls itself": `${HEAD}function get(context, depth) { return depth > 3 ? context.endpoint.trim() : get(context, depth + 1); }\n`,
  "one whose name is a property's and a type's elsewhere": `${HEAD}function get(context) ${USE}\nconst cache = new Map<string, typeof get>();\n${FORMULA('return { get: cache.get("x") }.get;')}`,
  "a relative URL in it": `${HEAD}export const me = (context) => context.fetcher.fetch({ method: "GET", url: "/me" });\n`,
  "a member of an object of which others are called": `${HEAD}const api = { me(context) { return "me"; }, site: (context) => context.endpoint.trim() };\n${FORMULA("return api.me(context);")}`,
  "a method of a class that nothing makes": `${HEAD}class Client { constructor(private context: coda.ExecutionContext) {} get(context: coda.ExecutionContext) ${USE} }\n`,
  "a method that nothing calls": `${HEAD}class Client { me() { return "me"; } get(context: coda.ExecutionContext) ${USE} }\n${FORMULA("return new Client().me();")}`,
  "a wrapped function": `${HEAD}const memo = (f) => f;\nconst get = memo(async (context) => context.endpoint.trim());\n`,
  "a function inside one that is called": `${HEAD}function me(context) { const site = () => context.endpoint.trim(); return "me"; }\n${FORMULA("return me(context);")}`,
  "JavaScript: exported as a whole": `// @file: pack.js\n${JS_HEAD}// @file: old.js\nmodule.exports = { get(context) ${USE} };\n`,
  "JavaScript: exported by name": `// @file: pack.js\n${JS_HEAD.replace("module", 'const { me } = require("./api");\nmodule')}${FORMULA("return me(context);")}// @file: api.js\nexports.me = async (context) => "me";\nexports.get = async (context) => context.endpoint.trim();\nasync function site(context) ${USE}\nmodule.exports.site = site;\n`,
  "across files: one of the same name is called, in another file": `// @file: pack.ts\n${HEAD}import { get } from "./new";\nimport { other } from "./old";\n${FORMULA("return get(context) + other(context);")}// @file: new.ts\nexport const get = (context) => "new";\n// @file: old.ts\nexport const other = (context) => "other";\nexport const get = (context) => context.endpoint.trim();\n`,
};

const REACHABLE: Readonly<Record<string, string>> = {
  "called by a formula": `${HEAD}function get(context) ${USE}\n${FORMULA("return get(context);")}`,
  "called by what a formula calls": `${HEAD}const base = (context) => context.endpoint.trim();\nconst get = async (context) => base(context);\n${FORMULA("return get(context);")}`,
  "passed to a formula by name": `${HEAD}async function get([], context) ${USE}\npack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, execute: get });\n`,
  "passed on to a function": `${HEAD}async function get(context) ${USE}\n${FORMULA("return [context].map(get)[0];")}`,
  "a method": `${HEAD}class Client { get(context: coda.ExecutionContext) ${USE} }\n${FORMULA("return new Client().get(context);")}`,
  "a static method": `${HEAD}class Client { static get(context: coda.ExecutionContext) ${USE} }\n${FORMULA("return Client.get(context);")}`,
  "a method that a base class calls": `${HEAD}class Base { run(context) { return (this as any).get(context); } }\nclass Client extends Base { get(context: coda.ExecutionContext) ${USE} }\n${FORMULA("return new Client().run(context);")}`,
  "a member of an object, looked up": `${HEAD}const api = { site: (context) => context.endpoint.trim() };\n${FORMULA('return api["si" + "te"](context);')}`,
  "a member that another member calls": `${HEAD}const api = { me(context) { return this.site(context); }, site: (context) => context.endpoint.trim() };\n${FORMULA("return api.me(context);")}`,
  "a wrapped function": `${HEAD}const memo = (f) => f;\nconst get = memo(async (context) => context.endpoint.trim());\n${FORMULA("return get(context);")}`,
  "a relative URL in it": `${HEAD}const me = (context) => context.fetcher.fetch({ method: "GET", url: "/me" });\n${FORMULA("return (await me(context)).body;")}`,
  "in a list of formulas": `${HEAD}const formulas = [{ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, execute: async ([], context) => context.endpoint.trim() }];\nfor (const formula of formulas) pack.addFormula(formula);\n`,
  "JavaScript: required, and called on the module": `// @file: pack.js\n${JS_HEAD}const api = require("./api");\n${FORMULA("return api.get(context);")}// @file: api.js\nmodule.exports = { get(context) ${USE} };\n`,
  "JavaScript: exported by name": `// @file: pack.js\n${JS_HEAD}const { get: fetchIt } = require("./api");\n${FORMULA("return fetchIt(context);")}// @file: api.js\nasync function get(context) ${USE}\nexports.get = get;\n`,
  "JavaScript: by its own module's exports": `// @file: pack.js\n${JS_HEAD}const api = require("./api");\n${FORMULA("return api.me(context);")}// @file: api.js\nexports.get = (context) => context.endpoint.trim();\nexports.me = (context) => exports.get(context);\n`,
  "JavaScript: by its own module.exports": `// @file: pack.js\n${JS_HEAD}const api = require("./api");\n${FORMULA("return api.me(context);")}// @file: api.js\nmodule.exports.get = (context) => context.endpoint.trim();\nmodule.exports.me = (context) => module.exports.get(context);\n`,
  "across files: by another name, handed on, and by default": `// @file: pack.ts\n${HEAD}import site from "./site";\n${FORMULA("return site(context);")}// @file: site.ts\nexport { get as default } from "./api";\n// @file: api.ts\nexport const get = (context) => context.endpoint.trim();\n`,
  "across files: by a namespace": `// @file: pack.ts\n${HEAD}import * as api from "./api";\n${FORMULA("return api.get(context);")}// @file: api.ts\nexport default function get(context) { return ""; }\nconst read = (context) => context.endpoint.trim();\nexport { read as get };\n`,
};

function findRules(source: string): readonly string[] {
  const files = split(source);
  const analysis = analyse(files);
  return Object.keys(files).flatMap((file) => analysis.diagnostics(file).map(({ rule }) => rule));
}

describe("an endpoint that no account has", () => {
  for (const [name, source] of Object.entries(SILENT))
    it(`the endpoint is no error in a function that nothing calls: ${name}`, () => assert.deepEqual(findRules(source), []));
  for (const [name, source] of Object.entries(REACHABLE))
    it(`the endpoint is an error in a function that is called: ${name}`, () =>
      assert.deepEqual(findRules(source), ["endpoint-without-source"]));
});
