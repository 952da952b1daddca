// Requests after edits: whatever an edit touches, in the request's own statement, in another one or in another
// file, what is known afterwards is what a fresh analysis of the same texts knows.
import assert from "node:assert/strict";
import { createAnalysis } from "../../../server/analysis/analysis.ts";
import { requestsOf } from "../../../server/analysis/requests/requests.ts";
import { MOST_CHARACTERS } from "../../../server/analysis/text/involved.ts";
import { type Files, split } from "../../support/analyse.ts";
import { requestsAsText } from "../../support/requests-as-text.ts";

const SDK = `import * as coda from "@codahq/packs-sdk";\n`;
const HEAD = `${SDK}export const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\n`;
const formula = (body: string): string =>
  `pack.addFormula({ name: "A", description: "", parameters: [], resultType: coda.ValueType.String, execute: async function ([id], context) { ${body} } });\n`;
const fetched = (url: string): string => formula(`return context.fetcher.fetch({ method: "GET", url: ${url} });`);
/** A statement that nothing hangs on. */
const QUIET = "const quiet = 1;\n";
/** An edit reads the statements beside it anew too. */
const APART = `const one = 1;\n${QUIET}const two = 2;\n`;

/** Replaces the first, in the file that has it. */
type Edit = readonly [from: string, to: string];

const EDITS: Readonly<Record<string, readonly [source: string, ...edits: Edit[]]>> = {
  "a constant in a URL": [`${HEAD}const BASE = "https://a.acme.example";\n${fetched("`${BASE}/x`")}`, ["//a.", "//b."]],
  "a constant behind a constant": [
    `${HEAD}const HOST = "a.acme.example";\nconst BASE = "https://" + HOST;\n${fetched("`${BASE}/x`")}`,
    [`"a.acme`, `"b.acme`],
  ],
  "a constant that comes, and goes": [
    `${HEAD}${fetched("`${BASE}/x`")}const OTHER = "https://a.acme.example";\n`,
    ["const OTHER", "const BASE"],
    ["const BASE", "const OTHER"],
  ],
  "a declaration that is deleted": [
    `${HEAD}const BASE = "https://a.acme.example";\n${fetched("`${BASE}/x`")}`,
    [`const BASE = "https://a.acme.example";\n`, ""],
  ],
  "a constant that is declared twice": [
    `${HEAD}const BASE = "https://a.acme.example";\nconst BASF = 1;\n${fetched("`${BASE}/x`")}`,
    ["const BASF = 1", `var BASE = "https://b.acme.example"`],
  ],
  "a name that a formula of its own declares": [
    `${HEAD}const url = "https://a.acme.example/";\n${fetched("url")}${formula(`const other = "http://b.acme.example"; return other + id;`)}`,
    ["const other", "const url"],
    ['const url = "http:', 'url = "http:'],
  ],
  "a name that is hidden": [
    `${HEAD}const url = "https://a.acme.example/";\n${formula(`return context.fetcher.fetch({ method: "GET", url });`)}`,
    ["return context", "const url = id; return context"],
  ],
  "a variable that is assigned elsewhere": [
    `${HEAD}let base = "https://a.acme.example";\n${fetched("`${base}/x`")}function later() { bass = "b"; }\n`,
    ["bass =", "base ="],
    ['base = "b"', "b"],
  ],
  "a parameter of another function that is assigned": [
    `${HEAD}${fetched("site")}${APART}own({ of(site) { const site = "b"; } });\n`,
    ["const site", "site"],
    ["site = ", "const site = "],
  ],
  "an object that is written to elsewhere": [
    `${HEAD}const CONFIG = { url: "https://a.acme.example" };\n${fetched("CONFIG.url")}function later() { CONFIF.url = "http://b.acme.example"; }\n`,
    ["CONFIF", "CONFIG"],
  ],
  "an object that another name changes": [
    `${HEAD}const CONFIG = { url: "https://a.acme.example" };\nconst other = CONFIG;\n${fetched("CONFIG.url")}function later() { others.url = "http://b.acme.example"; }\n`,
    ["others", "other"],
  ],
  "an object that a local name changes": [
    `${HEAD}const CONFIG = { url: "https://a.acme.example" };\n${fetched("CONFIG.url")}function later() { const c = CONFIG; d.url = "http://b.acme.example"; }\n`,
    ["d.url", "c.url"],
    ["c.url", "{ const c = {}; } c.url"],
    ["{ const c = {}; } c.url =", "{ const c = {}; c.url ="],
  ],
  "an object that a function returns": [
    `${HEAD}const CONFIG = { url: "https://a.acme.example" };\nfunction give() { return CONFIG; }\n${fetched("CONFIG.url")}function later() { gives().url = "http://b.acme.example"; }\n`,
    ["gives()", "give()"],
  ],
  "an object that is passed to a function": [
    `${HEAD}const CONFIG = { url: "https://a.acme.example" };\n${fetched("CONFIG.url")}function later(f) { f(id); }\n`,
    ["f(id)", "f(CONFIG)"],
  ],
  "the result of a function": [
    `${HEAD}function base() { return "https://a.acme.example"; }\n${fetched("`${base()}/x`")}`,
    ["//a.", "//b."],
    ['return "', 'return id + "'],
  ],
  "a constant of a function that gives back": [
    `${HEAD}const HOST = "a.acme.example";\nfunction base() { return "https://" + HOST; }\n${fetched("`${base()}/x`")}`,
    [`"a.acme`, `"b.acme`],
  ],
  "a helper's parameter, by its caller": [
    `${HEAD}async function get(context, url) { return context.fetcher.fetch({ method: "GET", url }); }\n${formula(`return get(context, "https://a.acme.example/x");`)}${QUIET}`,
    ["//a.", "http://b."],
    ["return get(", "return got("],
    ["return got(", "return get("],
    ["quiet = 1", "quiet = 2"],
  ],
  "another caller of a helper": [
    `${HEAD}async function get(context, url) { return context.fetcher.fetch({ method: "GET", url }); }\n${formula(`return get(context, "https://a.acme.example/x");`)}${QUIET}`,
    [QUIET, formula(`return get(context, "https://b.acme.example/x");`)],
  ],
  "a constant of a caller": [
    `${HEAD}const PATH = "https://a.acme.example";\nasync function get(context, url) { return context.fetcher.fetch({ method: "GET", url }); }\n${formula("return get(context, `${PATH}/x`);")}`,
    ["//a.", "//b."],
  ],
  "a helper that is called by another name": [
    `${HEAD}async function get(context, url) { return context.fetcher.fetch({ method: "GET", url }); }\nconst send = get;\n${formula(`return send(context, "https://a.acme.example/x");`)}`,
    ["send = get", "send = got"],
    ["send = got", "send = get"],
  ],
  "a helper that looks at its parameter": [
    `${HEAD}async function get(context, url) { return context.fetcher.fetch({ method: "GET", url }); }\n${formula(`return get(context, "https://a.acme.example/x");`)}`,
    ["{ return context", "{ if (url.startsWith('/')) return; return context"],
  ],
  "a helper of an object, and who writes URLs": [
    `${HEAD}async function get(context, request) { sign(request); return context.fetcher.fetch({ method: "GET", url: request.url }); }\n${formula(`return get(context, { url: "https://a.acme.example/x" });`)}function sign(r) { r.urn = "x"; }\n`,
    ["r.urn", "r.url"],
    ["r.url", "r.urn"],
  ],
  "the helper that a call means": [
    `${HEAD}const send = (context, url) => context.fetcher.fetch({ method: "GET", url });\nconst keep = (context, url) => context.fetcher.fetch({ method: "PUT", url });\n${formula(`return sent(context, "https://a.acme.example/x");`)}const sent = send;\n`,
    ["sent = send", "sent = keep"],
  ],
  "a custom fetch": [
    `${HEAD}const mine = { fetch: (x) => x };\n${formula(`const f = context.fetcher; return f.fetch({ method: "GET", url: "https://a.acme.example" });`)}`,
    ["const f = context.fetcher", "const f = mine"],
    ["const f = mine", "const f = context.fetcher"],
  ],
  "preceding code, which moves everything": [
    `${HEAD}const BASE = "https://a.acme.example";\n${fetched("`${BASE}/x`")}${fetched("`http://${id}/x`")}`,
    ["export const pack", "\n\nexport const pack"],
    [`"acme.example"`, `"a.acme.example"`],
    [`pack.addNetworkDomain("a.acme.example");\n`, ""],
  ],
  "a scope that ends where the next one begins": [
    `${HEAD}const send = (context, url) => context.fetcher.fetch({ method: "GET", url });\n${QUIET}function f(sent) {}send(context, "https://a.acme.example/");\n`,
    ["f(sent)", "f(send)"],
  ],
  "a variable that becomes another name for an object": [
    `${HEAD}const CONFIG = { url: "https://a.acme.example" };\nlet saved;\n${QUIET}function keep() { saved = CONFIF; }\n${QUIET.replace("quiet", "still")}${fetched("CONFIG.url")}function later() { saved.url = "http://b.acme.example"; }\n`,
    ["CONFIF", "CONFIG"],
    ["saved = CONFIG", "saved = CONFIF"],
  ],
  "code that moves a function that a function returns": [
    `${HEAD}${APART}function give() { return (context, url) => context.fetcher.fetch({ method: "GET", url }); }\nconst send = give();\n${formula(`return send(context, "https://a.acme.example/x");`)}`,
    ["quiet = 1", "quiet = 1000"],
  ],
  "statements that are swallowed and come back": [
    `${HEAD}const BASE = "https://a.acme.example";\n${fetched("`${BASE}/x`")}${QUIET}`,
    ["const BASE", "/* const BASE"],
    ["/* const BASE", "const BASE"],
    ["const BASE =", "const BASE = `"],
    ["const BASE = `", "const BASE ="],
  ],
  "a constant of another file": [
    `// @file: pack.ts\nimport { BASE } from "./base";\n${HEAD}${fetched("`${BASE}/x`")}// @file: base.ts\nexport const BASE = "https://a.acme.example";\n`,
    ["//a.", "//b."],
    ["const BASE", "const BASF"],
    ["const BASF", "const BASE"],
  ],
  "an object of another file, that a third one writes to": [
    `// @file: pack.ts\nimport { CONFIG } from "./config";\nimport "./third";\n${HEAD}${fetched("CONFIG.url")}// @file: config.ts\nexport const CONFIG = { url: "https://a.acme.example" };\n// @file: third.ts\nimport { CONFIG } from "./config";\nfunction later() { const c = CONFIG; d.url = "http://b.acme.example"; }\n`,
    ["d.url", "c.url"],
    ["c.url", "CONFIG.url"],
  ],
  "an object that a function of another file returns": [
    `// @file: pack.ts\nimport { CONFIG, give } from "./config";\n${HEAD}${fetched("CONFIG.url")}function later() { gave().url = "http://b.acme.example"; }\n// @file: config.ts\nexport const CONFIG = { url: "https://a.acme.example" };\nexport function give() { return CONFIG; }\n`,
    ["gave()", "give()"],
  ],
  "a helper of another file, and its callers": [
    `// @file: pack.ts\nimport { get } from "./get";\n${HEAD}${formula(`return get(context, "https://a.acme.example/x");`)}// @file: get.ts\nexport async function get(context, url) { return context.fetcher.fetch({ method: "GET", url }); }\n`,
    ["//a.", "//b."],
    ["function get", "function got"],
    ["function got(context, url)", "function get(context, urn)"],
  ],
  "an import": [
    `// @file: pack.ts\nimport { BASE } from "./one";\nimport { OTHER } from "./two";\n${HEAD}${fetched("`${BASE}/x`")}// @file: one.ts\nexport const BASE = "https://a.acme.example";\n// @file: two.ts\nexport const BASE = "https://b.acme.example";\nexport const OTHER = 1;\n`,
    [`{ OTHER } from "./two"`, `{ BASE } from "./two"`],
    [`{ BASE } from "./one"`, `{ OTHER } from "./one"`],
  ],
};

/** With a quiet end, at which something else is typed. */
const filesOf = (source: string): Record<string, string> =>
  Object.fromEntries(Object.entries(split(source)).map(([path, text]) => [path, text + APART]));

function open(files: Files) {
  const analysis = createAnalysis({ readFile: (path) => files[path] });
  for (const [path, text] of Object.entries(files)) analysis.open(path, text);
  return analysis;
}

describe("requests cached across edits", () => {
  for (const [name, [source, ...edits]] of Object.entries(EDITS))
    it(`requests equal those of a fresh analysis after an edit of ${name}`, () => {
      const files: Record<string, string> = filesOf(source);
      const analysis = open(files);
      const entry = "/pack/pack.ts";
      requestsAsText(analysis, entry);
      const quietly = (): void => {
        // Something else is typed first: only then is anything kept.
        for (const [path, text] of Object.entries(files)) {
          analysis.change(path, [{ start: text.length, end: text.length, text: "\n;" }]);
          requestsAsText(analysis, entry);
          analysis.change(path, [{ start: text.length, end: text.length + 2, text: "" }]);
          requestsAsText(analysis, entry);
        }
      };
      // What was just typed is noted at the second look.
      quietly();
      quietly();
      for (const [from, to] of edits) {
        const [path, text] = Object.entries(files).find(([, content]) => content.includes(from)) ?? assert.fail(`nothing has ${from}`);
        const start = text.indexOf(from);
        files[path] = text.slice(0, start) + to + text.slice(start + from.length);
        analysis.change(path, [{ start, end: start + from.length, text: to }]);
        const fresh = open(files);
        assert.equal(requestsAsText(analysis, entry), requestsAsText(fresh, entry));
        for (const file of Object.keys(files)) assert.deepEqual(analysis.diagnostics(file), fresh.diagnostics(file));
      }
    });

  for (const [what, unread] of Object.entries({ long: "\n".repeat(MOST_CHARACTERS), deep: `export const x = ${"[".repeat(20_000)};` }))
    it(`requests equal those of a fresh analysis while another file is too ${what}, and afterwards`, () => {
      const source = `// @file: pack.ts\nimport { BASE } from "./base";\n${HEAD}${fetched("`${BASE}/x`")}// @file: base.ts\nexport const BASE = "https://a.acme.example";\n${APART}`;
      const files: Record<string, string> = filesOf(source);
      const analysis = open(files);
      const [path, text = ""] = Object.entries(files)[1] ?? [assert.fail()];
      requestsAsText(analysis, "/pack/pack.ts");
      for (const inserted of ["\n", "\n\n", "\n\n\n", unread, "\n"]) {
        files[path] = text + inserted;
        const { length } = analysis.text(path) ?? "";
        analysis.change(path, [{ start: text.length, end: length, text: inserted }]);
        assert.equal(requestsAsText(analysis, "/pack/pack.ts"), requestsAsText(open(files), "/pack/pack.ts"));
      }
    });

  it("requests of an earlier state are not reused", () => {
    // Where the helper stands afterwards, the text of before looks at the URL.
    const source = `${HEAD}${APART}async function get(context, url) { return context.fetcher.fetch({ method: "GET", url }); }\nconst look = (url) => url.startsWith("/");\n${formula(`return get(context, "https://a.acme.example/x");`)}`;
    const files: Record<string, string> = filesOf(source);
    const analysis = open(files);
    const [path, text = ""] = Object.entries(files)[0] ?? [assert.fail()];
    const insert = (at: number, inserted: string): void => {
      analysis.change(path, [{ start: at, end: at, text: inserted }]);
    };
    for (let count = 0; count < 2; count++) {
      requestsAsText(analysis, path);
      insert(text.length, "\n");
    }
    const [before] = analysis.packsOf(path);
    insert(text.indexOf("quiet"), " ".repeat(50));
    const [after] = analysis.packsOf(path);
    assert.ok(before && after);
    requestsOf(before);
    files[path] = analysis.text(path) ?? "";
    assert.equal(requestsAsText(analysis, path), requestsAsText(open(files), path));
  });
});
