// What the walk over a file notes of getConnectionName is what the function says by itself.
import assert from "node:assert/strict";
import { returnsOf } from "../../server/analysis/function-facts.ts";
import type { Value } from "../../server/analysis/model.ts";
import { createSource } from "../../server/analysis/source.ts";

const MODULES = ["@codahq/packs-sdk"];

const pack = (property: string): string =>
  `import * as coda from "@codahq/packs-sdk";\nconst pack = coda.newPack();\npack.setUserAuthentication({ type: coda.AuthenticationType.None, ${property} });\n`;

/** The functions of the name in a file's calls. */
function functionsIn(file: string, text: string): readonly Value[] {
  const { calls } = createSource(file, text).facts(MODULES);
  return calls.flatMap(({ arguments: given }) =>
    given.flatMap((value) =>
      value.kind === "object"
        ? value.properties.flatMap((property) => (property.name === "getConnectionName" ? [property.value] : []))
        : [],
    ),
  );
}

const BODIES = [
  ``,
  `return;`,
  `return "Example";`,
  "return `${context.endpoint}`;",
  `return (await context.fetcher.fetch({ method: "GET", url: "https://example.com/me" })).body.name;`,
  `let response = context.fetcher.fetch({ method: "GET", url: "https://example.com/me" });\n  return response.body.name;`,
  `const { body } = context.fetcher.fetch({ method: "GET", url: "https://example.com/me" });\n  return body.name;`,
  `if (!context.endpoint) return coda.ValueType.String;\n  throw new coda.UserVisibleError("No");`,
  `for (const one of [1, 2]) { if (one > 1) return { name: one, ...context }; }`,
  `const inner = () => { return "x"; };\n  return inner() ?? null;`,
];

const FORMS: readonly ((body: string) => string)[] = [
  (body) => `getConnectionName: async function (context) { ${body} }`,
  (body) => `getConnectionName: async function named(context: coda.ExecutionContext): Promise<string> { ${body} },`,
  (body) => `getConnectionName: async (context) => { ${body} }`,
  (body) => `async getConnectionName(context) { ${body} }`,
  (body) => `getConnectionName: /* of the account */ function* ([a], { b }, c = 1) { ${body.replace("await", "yield")} }`,
  (body) => `getConnectionName: (async function (context) { ${body} })`,
  (body) => `getConnectionName: (async (context) => { ${body} }) as any`,
];

describe("functions that are noted in passing", () => {
  it("say what they say by themselves, in every form and wherever they stand", () => {
    let count = 0;
    for (const [index, form] of FORMS.entries())
      for (const [at, body] of BODIES.entries()) {
        const file = `/pack/${index}-${at}.ts`;
        const text = pack(form(body));
        for (const value of functionsIn(file, text)) {
          assert.equal(value.kind, "function", text);
          const noted = structuredClone(returnsOf({ ...value }, text));
          // Of another file nothing is known: there it is parsed by itself.
          const other = structuredClone(returnsOf({ ...value, file: "/pack/other.ts" }, text));
          assert.ok(noted !== undefined, text);
          assert.equal(JSON.stringify(noted).replaceAll(file, "/pack/other.ts"), JSON.stringify(other), text);
          count++;
        }
      }
    assert.equal(count, FORMS.length * BODIES.length);
  });

  it("are where they are after what stands before them has grown", () => {
    const file = "/pack/moved.ts";
    const text = pack(`getConnectionName: async function (context) { return "Example"; }`);
    const source = createSource(file, text);
    source.facts(MODULES);
    source.edit({ start: 0, end: 0, text: "// A comment.\n" });
    const later = `// A comment.\n${text}`;
    source.facts(MODULES);
    const [value] = functionsIn(file, later);
    assert.ok(value !== undefined);
    const [only] = returnsOf(value, later)?.values ?? [];
    assert.equal(later.slice(only?.start, only?.end), `"Example"`);
  });
});
