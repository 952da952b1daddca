// Placeholders that a helper builds of the name that it is given, and packages that may build some: what is misspelt is found, and a param
// that nothing uses is told, unless code that nobody can read here gets what it takes.
import assert from "node:assert/strict";
import { analyse, type Files, split } from "../support/analyse.ts";
import { problemsOf } from "../support/judged.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\n`;
const AUTH = `pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });\n`;
const PH = "const ph = (name: string, context: coda.ExecutionContext) => `{{${name}-${context.invocationToken}}}`;\n";
const formula = (body: string): string =>
  `pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, execute: async function ([], context) { ${body} } });\n`;
const sends = (headers: string): string =>
  formula(
    `const answer = await context.fetcher.fetch({ method: "GET", url: "https://acme.example/", headers: ${headers} }); return answer.body;`,
  );

const UNDECLARED = (name: string): string => `placeholder-undeclared: ${name}`;
const UNUSED = 'custom-param-unused: "key"';

const CASES: Readonly<Record<string, readonly [source: string, ...findings: string[]]>> = {
  "a name that an arrow function builds": [`${HEAD}${AUTH}${PH}${sends('{ "X-Key": ph("kye", context) }')}`, UNDECLARED("kye")],
  "a declared one": [`${HEAD}${AUTH}${PH}${sends('{ "X-Key": ph("key", context) }')}`],
  "one of two calls": [
    `${HEAD}${AUTH}${PH}${sends('{ "X-Key": ph("key", context), "X-Other": ph("token", context) }')}`,
    UNDECLARED("token"),
  ],
  "a function that receives the token": [
    `${HEAD}${AUTH}function secret(token: string, name: string) { return "{{" + name + "-" + token + "}}"; }\n${formula('const token = context.invocationToken; const answer = await context.fetcher.fetch({ method: "GET", url: "https://acme.example/", headers: { "X-Key": secret(token, "ke") } }); return answer.body;')}`,
    UNDECLARED("ke"),
  ],
  "a method, in a body": [
    `${HEAD}${AUTH}const secrets = { of(context: any, name: string) { return \`{{\${name}-\${context.invocationToken}}}\`; } };\n${formula('const answer = await context.fetcher.fetch({ method: "POST", url: "https://acme.example/", body: JSON.stringify({ key: secrets.of(context, "key"), other: secrets.of(context, "other") }) }); return answer.body;')}`,
    UNDECLARED("other"),
  ],
  "a name behind a constant": [`${HEAD}const NAME = "kez";\n${AUTH}${PH}${sends('{ "X-Key": ph(NAME, context) }')}`, UNDECLARED("NAME")],
  "a name with something before it": [
    `${HEAD}${AUTH.replace('"key"', '"api-key"')}const ph = (name: string, context: any) => \`{{api-\${name}-\${context.invocationToken}}}\`;\n${sends('{ "X-Key": ph("kee", context), "X-Good": ph("key", context) }')}`,
    UNDECLARED('"kee"'),
  ],
  "a helper that nobody calls with the param": [
    `${HEAD}${AUTH.replace('"Key" }', '"Key" }, { name: "other", description: "Other" }')}${PH}${sends('{ "X-Key": ph("other", context) }')}`,
    UNUSED,
  ],
  "a helper that is passed on": [
    `${HEAD}${AUTH}${PH}const all = [ph];\n${sends('{ "X-Key": all[0]("key", context), "X-Good": ph("key", context) }')}`,
  ],
  "a helper called with an unknown value": [
    `${HEAD}${AUTH.replace('"Key" }', '"Key" }, { name: "other", description: "Other" }')}${PH}${sends('{ "X-Key": ph(context.timezone, context), "X-Good": ph("key", context) }')}`,
  ],
  "a helper of another file": [
    `// @file: pack.ts\nimport { ph } from "./placeholders";\n${HEAD}${AUTH}${sends('{ "X-Key": ph("token", context), "X-Good": ph("key", context) }')}// @file: placeholders.ts\nexport function ph(name: string, context: any): string {\n  return \`{{\${name}-\${context.invocationToken}}}\`;\n}\n`,
    UNDECLARED("token"),
  ],
  "a helper of another file, in JavaScript": [
    `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst { ph } = require("./placeholders");\nconst pack = coda.newPack();\nexports.pack = pack;\npack.addNetworkDomain("acme.example");\n${AUTH}pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: "string", execute: async (args, context) => (await context.fetcher.fetch({ method: "GET", url: "https://acme.example/?key=" + ph("ky", context) })).body });\n// @file: placeholders.js\nexports.ph = (name, context) => "{{" + name + "-" + context.invocationToken + "}}";\n`,
    UNDECLARED("ky"),
  ],
  "an authentication without placeholders": [
    `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n${PH}${sends('{ "X-Key": ph("key", context) }')}`,
    "placeholder-wrong-type: key",
  ],
};

/** A pack whose param nothing of its own uses; the package is installed nowhere. */
const withPackage = (imported: string, rest: string): string => `import ${imported} from "some-package";\n${HEAD}${AUTH}${rest}`;
const PLAIN = 'const answer = await context.fetcher.fetch({ method: "GET", url: "https://acme.example/" });';

const PACKAGES: Readonly<Record<string, readonly [source: string, ...findings: string[]]>> = {
  "that reads the answer": [withPackage("{ parse }", formula(`${PLAIN} return parse(answer.body);`)), UNUSED],
  "that makes the URL": [withPackage("* as qs", formula(`${PLAIN} return qs.stringify({ a: 1 });`)), UNUSED],
  "for its types": [withPackage("type { Item }", formula(`${PLAIN} const all: Item[] = answer.body; return String(all);`)), UNUSED],
  "in another file": [
    `// @file: pack.ts\nimport { shown } from "./shown";\n${HEAD}${AUTH}${formula(`${PLAIN} return shown(answer.body);`)}// @file: shown.ts\nimport { marked } from "some-package";\nexport const shown = (text: string) => marked(text);\n`,
    UNUSED,
  ],
  "in JavaScript": [
    `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst dates = require("some-package");\nconst pack = coda.newPack();\nexports.pack = pack;\npack.addNetworkDomain("acme.example");\n${AUTH}pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: "string", execute: async (args, context) => { ${PLAIN} return dates.format(answer.body); } });\n`,
    UNUSED,
  ],
  "that is used beside a placeholder": [
    withPackage(
      "{ parse }",
      `${PH}${formula('const answer = await context.fetcher.fetch({ method: "GET", url: "https://acme.example/", headers: { "X-Key": ph("key", context) } }); return parse(answer.body);')}`,
    ),
  ],
  "that receives the context": [withPackage("{ get }", formula("return get(context);"))],
  "that receives the context in an object": [withPackage("{ get }", formula("return get({ context, path: 1 });"))],
  "that receives the token": [withPackage("{ get }", formula(`${PLAIN} return get(answer, context.invocationToken);`))],
  "that receives the token under another name": [
    withPackage("{ get }", `${PH}${formula(`const t = context.invocationToken; ${PLAIN} return get("key", t) + ph("other", context);`)}`),
    UNDECLARED("other"),
  ],
  "that receives the token, destructured from the context": [
    withPackage("{ get }", formula(`const { invocationToken: t } = context; ${PLAIN} return get({ "X-Key": "key" }, t);`)),
  ],
  "that receives a context of another name": [
    withPackage(
      "{ get }",
      'pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, execute: async ([], c) => get(c) });\n',
    ),
  ],
  "that receives the context under another name": [withPackage("{ get }", formula("const c = context; return get(c, 1);"))],
  "in another file, that receives a context of another name": [
    `// @file: pack.ts\nimport { get } from "./get";\n${HEAD}${AUTH}${formula("return get(context);")}// @file: get.ts\nimport { fetch } from "some-package";\nexport const get = (c: any) => fetch(1, c);\n`,
  ],
  "whose client receives the context": [withPackage("{ make }", `const client: any = make();\n${formula("return client.get(context);")}`)],
  "whose class receives the context": [withPackage("{ Client }", formula("return new Client(context).get();"))],
  "that receives the pack": [withPackage("{ register }", `register(pack);\n${formula(`${PLAIN} return answer.body;`)}`)],
  "whose function runs": [
    withPackage(
      "{ execute }",
      'pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, execute });\n',
    ),
  ],
};

function readFindings(files: Files): readonly string[] {
  const analysis = analyse(files, { toolkit: true });
  return Object.keys(files).flatMap((file) =>
    analysis
      .diagnostics(file)
      .filter(({ rule }) => /^(?:placeholder|custom-param)/.test(rule))
      .map(({ rule, place }) => `${rule}: ${files[place.file]?.slice(place.start, place.end)}`),
  );
}

describe("a placeholder name passed to a helper", function () {
  this.timeout(60_000);
  for (const [name, [source, ...expected]] of Object.entries(CASES))
    it(`the placeholder is judged: ${name}`, async () => {
      const files = split(source);
      assert.deepEqual([...readFindings(files)].sort(), [...expected].sort());
      // The upload knows nothing of requests: these fail when they run.
      assert.deepEqual(await problemsOf(files), []);
    });
});

describe("an unused param beside a package", () => {
  for (const [name, [source, ...expected]] of Object.entries(PACKAGES))
    it(`the param is judged beside a package ${name}`, () => assert.deepEqual(readFindings(split(source)), expected));
});
