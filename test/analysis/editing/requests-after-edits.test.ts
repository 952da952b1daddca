// Requests after edits: whatever an edit touches, in the request's own statement, in another one or in another
// file, what is known afterwards is what a fresh analysis of the same texts knows.
import assert from "node:assert/strict";
import { z } from "zod";
import { createAnalysis } from "../../../server/analysis/analysis.ts";
import { requestsOf } from "../../../server/analysis/requests/requests.ts";
import { MOST_CHARACTERS } from "../../../server/analysis/text/involved.ts";
import { type Files, split } from "../../support/analyse.ts";
import { readTable } from "../../support/json-cases.ts";
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

const source = z.string().transform((text) => text.replace("@head", () => HEAD));
/** Replaces the first text, in the file that has it, with the second. */
const edit = z.tuple([z.string(), z.string()]);

const EDITS = readTable("test/analysis/editing/cases/requests-after-edits.json", z.record(z.string(), z.tuple([source], edit)));

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
