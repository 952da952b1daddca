// Comments that silence a rule: what they speak of, what does not count as one, and the fix that writes them.
import assert from "node:assert/strict";
import fc from "fast-check";
import { ts } from "ts-morph";
import { createAnalysis } from "../../../../server/analysis/analysis.ts";
import { RULES } from "../../../../server/analysis/rules/index.ts";
import { analyse, apply, split, unmark } from "../../../support/analyse.ts";
import { partOf } from "../../../support/runs.ts";

const PATH = "/pack/pack.ts";
const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n';
const BAD = "pack.setUserAuthentication({ type: coda.AuthenticationType.WebBsic });\n";
const OFF = "pack-auth-disable-next-line auth-type-unknown";

const rulesIn = (text: string, path = PATH): string[] =>
  analyse({ [path]: text })
    .diagnostics(path)
    .map(({ rule }) => rule);

function parses(file: string, text: string): void {
  const { parseDiagnostics } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest) as unknown as { parseDiagnostics: unknown[] };
  assert.deepEqual(parseDiagnostics, [], text);
}

describe("suppressing comments", () => {
  for (const [what, text] of Object.entries({
    "a line comment": `${HEAD}// ${OFF}\n${BAD}`,
    "one with a reason": `${HEAD}// ${OFF} -- the next toolkit has it\n${BAD}`,
    "a reason without dashes": `${HEAD}// ${OFF} since the next toolkit has it\n${BAD}`,
    "a block comment": `${HEAD}/* ${OFF} -- reason */\n${BAD}`,
    "a block comment over several lines": `${HEAD}/*\n * ${OFF} -- reason\n */\n${BAD}`,
    "CRLF lines": `${HEAD}// ${OFF}\n${BAD}`.replaceAll("\n", "\r\n"),
    "further comments between": `${HEAD}// ${OFF}\n// eslint-disable-next-line something\n\n${BAD}`,
    "a comment with code behind it": `${HEAD}/* ${OFF} */ pack.addFormula;\n${BAD}`,
    "the line's own end": `${HEAD}${BAD.trimEnd()} // pack-auth-disable-line auth-type-unknown\n`,
    "a comment for the file, wherever it stands": `${HEAD}${BAD}// pack-auth-disable-file auth-type-unknown -- reason\n${BAD.replace("User", "System")}`,
    "one behind a byte order mark": `\ufeff// pack-auth-disable-file auth-type-unknown\n${HEAD}${BAD}`,
    "a line inside the object": `${HEAD}pack.setUserAuthentication({\n  // ${OFF}\n  type: coda.AuthenticationType.WebBsic,\n});\n`,
  }))
    it(`the comment silences the finding: ${what}`, () => assert.deepEqual(rulesIn(text), []));

  it("a JSX comment silences the finding", () => {
    const text = `${HEAD}export const view = <div>\n  {/* ${OFF} */}\n  {${BAD.trim().slice(0, -1)}}\n</div>;\n`;
    assert.deepEqual(rulesIn(text, "/pack/pack.tsx"), []);
    const unused = text.replace("WebBsic", "WebBasic");
    const analysis = analyse({ "/pack/pack.tsx": unused });
    const [diagnostic] = analysis.diagnostics("/pack/pack.tsx");
    assert.equal(diagnostic?.rule, "suppression-unused");
    const fixed = apply({ "/pack/pack.tsx": unused }, diagnostic.fixes[0] ?? { title: "", edits: [] })["/pack/pack.tsx"] ?? "";
    assert.ok(!fixed.includes("{}") && !fixed.includes("disable"), fixed);
    parses("/pack/pack.tsx", fixed);
  });

  for (const [what, text] of Object.entries({
    "a string": `${HEAD}const a = "// ${OFF}";\n${BAD}`,
    "a template": `${HEAD}const a = \`\n// ${OFF}\n\`; ${BAD}`,
    "another comment": `${HEAD}// see: // ${OFF}\n${BAD}`,
    "a regular expression": `${HEAD}const a = /[/]\\/ ${OFF}/;\n${BAD}`,
  }))
    it(`text that looks like a comment silences nothing: ${what}`, () => assert.deepEqual(rulesIn(text), ["auth-type-unknown"]));

  it("a file comment is inserted below the shebang, and flagged once unused", () => {
    const text = `#!/usr/bin/env node\n${HEAD}${BAD}`;
    const analysis = analyse({ [PATH]: text });
    const [, forFile] = analysis.disableAll(PATH, analysis.diagnostics(PATH))[0] ?? [];
    assert.ok(forFile);
    const fixed = apply({ [PATH]: text }, forFile)[PATH] ?? "";
    assert.match(fixed, /^#!\/usr\/bin\/env node\n\/\/ pack-auth-disable-file auth-type-unknown -- reason\nimport/);
    assert.deepEqual(rulesIn(fixed), []);
    assert.deepEqual(rulesIn(fixed.replace("WebBsic", "WebBasic")), ["suppression-unused"]);
  });

  it("a comment applies to one line only", () => {
    assert.deepEqual(rulesIn(`${HEAD}// ${OFF}\nconsole.log();\n${BAD}`), ["suppression-unused", "auth-type-unknown"]);
    assert.deepEqual(rulesIn(`${HEAD}${BAD}// ${OFF}`), ["auth-type-unknown", "suppression-unused"]);
  });

  it("comments without a rule, with an unknown rule, or of an unknown kind are flagged", () => {
    const messages = (comment: string): string[] =>
      analyse({ [PATH]: `${HEAD}${comment}\n${BAD}` })
        .diagnostics(PATH)
        .flatMap(({ rule, message }) => (rule === "suppression-unused" ? [message] : []));
    assert.match(messages("// pack-auth-disable-next-line")[0] ?? "", /names no rule/);
    assert.match(messages("// pack-auth-disable-next-line -- auth-type-unknown")[0] ?? "", /names no rule/);
    assert.match(messages("// pack-auth-disable auth-type-unknown")[0] ?? "", /Write pack-auth-disable-next-line/);
    assert.match(messages("// pack-auth-disable-next-line auth-type-unknwon")[0] ?? "", /Did you mean auth-type-unknown\?/);
    assert.deepEqual(messages("// pack-auth-disabled things"), []);
  });

  it("comments in JSON silence nothing, even in broken JSON", () => {
    const entry = `import a from "./a.json";\n${HEAD}pack.setUserAuthentication({ type: a.type });\n`;
    for (const json of [`{ "type": "WebBsic", // ${OFF}\n }`, `{ // ${OFF}\n }\n{}`, `{}\nx({ a: { // ${OFF}\n return a } });\n{}`]) {
      const analysis = analyse({ [PATH]: entry, "/pack/a.json": json });
      assert.deepEqual(
        analysis.packsOf(PATH)[0]?.facts.flatMap(({ suppressions }) => suppressions),
        [],
      );
      analysis.diagnostics("/pack/a.json");
    }
  });

  it("unused comments are not flagged for disabled rules or outside packs", () => {
    const analysis = analyse({ [PATH]: `${HEAD}// ${OFF}\n${BAD}`, "/pack/other.ts": `// ${OFF}\nexport {};\n` });
    analysis.configure({ toolkitModules: ["@codahq/packs-sdk"], rules: { "auth-type-unknown": "off", "toolkit-missing": "off" } });
    assert.deepEqual(analysis.diagnostics(PATH), []);
    assert.deepEqual(analysis.diagnostics("/pack/other.ts"), []);
  });

  it("comments are not flagged when the rest of the pack does not parse", () => {
    const analysis = createAnalysis({ readFile: () => undefined });
    analysis.open(PATH, `${HEAD}${BAD}`);
    assert.ok(analysis.diagnostics(PATH).length > 0);
    const left = `import * as coda from "@codahq/packs-sdk";// ${OFF}\n\nexport cons`;
    analysis.change(PATH, [{ start: 0, end: HEAD.length + BAD.length, text: left }]);
    assert.deepEqual(analysis.diagnostics(PATH), []);
  });

  it("each inserted comment silences its finding alone, in every rule's examples", () => {
    for (const rule of RULES) {
      for (const { bad, toolkit } of rule.examples) {
        if (bad === undefined || rule.id === "suppression-unused") continue;
        const { files } = unmark(split(bad));
        const analysis = analyse(files, { toolkit: toolkit === "installed" });
        const all = Object.keys(files).flatMap((file) => analysis.diagnostics(file));
        for (const diagnostic of all) {
          const fixes = analysis.disableAll(diagnostic.place.file, [diagnostic])[0] ?? [];
          if (!/\.[cm]?[jt]sx?$/.test(diagnostic.place.file)) continue;
          assert.equal(fixes.length, 2, rule.id);
          for (const fix of fixes) {
            const fixed = apply(files, fix);
            for (const [file, text] of Object.entries(fixed)) if (!file.endsWith(".json")) parses(file, text);
            const again = analyse(fixed, { toolkit: toolkit === "installed" });
            const left = Object.keys(fixed).flatMap((file) => again.diagnostics(file));
            const otherRules = all.filter((other) => other.rule !== diagnostic.rule).map((other) => other.rule);
            assert.deepEqual(
              left.filter((other) => other.rule !== diagnostic.rule).map((other) => other.rule),
              otherRules,
            );
            assert.ok(left.length < all.length);
          }
        }
      }
    }
  });

  const withSuppression = (text: string, path = PATH): string => {
    const files = { [path]: text };
    const analysis = analyse(files);
    const diagnostic = analysis.diagnostics(path).find(({ rule }) => rule !== "suppression-unused");
    assert.ok(diagnostic);
    const [fix] = analysis.disableAll(diagnostic.place.file, [diagnostic])[0] ?? [];
    assert.ok(fix);
    const fixed = apply(files, fix)[path] ?? "";
    assert.deepEqual(rulesIn(fixed, path), [], fixed);
    parses(path, fixed);
    return fixed;
  };

  it("an inserted comment has the line's indentation and line ends, above other comments", () => {
    assert.match(
      withSuppression(`${HEAD}{\n\t\t${BAD}}\n`),
      /\n\t\t\/\/ pack-auth-disable-next-line auth-type-unknown -- reason\n\t\tpack/,
    );
    assert.ok(!/[^\r]\n/.test(withSuppression(`${HEAD}${BAD}`.replaceAll("\n", "\r\n"))));
    assert.match(withSuppression(`${HEAD}// @ts-expect-error old\n${BAD}`), /reason\n\/\/ @ts-expect-error old\npack/);
    assert.match(withSuppression(`\ufeff${BAD.trim()} ${HEAD.replaceAll("\n", ";")}`), /^\ufeff\/\/ pack-auth/);
    assert.match(withSuppression(`${HEAD}/* a\n*/ ${BAD}`), /reason\n\/\* a/);
  });

  it("an inserted comment goes above a template, where none fits inside", () => {
    const text = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
export const url = (context: any) => \`https://example.com/
?a={{key-\${context.invocationToken}}}
&b={{kez-\${context.invocationToken}}}\`;
`;
    assert.match(withSuppression(text), /reason\nexport const url/);
  });

  it("an inserted comment between elements is a JSX comment", () => {
    assert.match(
      withSuppression(`${HEAD}export const view = <div>\n  {${BAD.trim().slice(0, -1)}}\n</div>;\n`, "/pack/pack.tsx"),
      / {2}\{\/\* pack-auth-disable-next-line auth-type-unknown -- reason \*\/\}\n/,
    );
  });

  it("a comment applies from its last character on, until one is deleted", () => {
    const analysis = createAnalysis({ readFile: () => undefined });
    let text = `${HEAD}${BAD}`;
    analysis.open(PATH, text);
    const change = (start: number, end: number, put: string): void => {
      analysis.change(PATH, [{ start, end, text: put }]);
      text = text.slice(0, start) + put + text.slice(end);
    };
    const check = (): number => {
      const fresh = createAnalysis({ readFile: () => undefined });
      fresh.open(PATH, text);
      const diagnostics = analysis.diagnostics(PATH);
      assert.deepEqual(diagnostics, fresh.diagnostics(PATH), JSON.stringify(text));
      return diagnostics.length;
    };
    const flagged = check();
    const comment = `// ${OFF} -- reason\n`;
    for (const [index, sign] of [...comment].entries()) {
      change(HEAD.length + index, HEAD.length + index, sign);
      check();
    }
    assert.equal(check(), flagged - 1);
    const inside = HEAD.length + "// pack-auth".length;
    change(inside, inside + 1, "");
    assert.equal(check(), flagged);
    change(inside, inside, "-");
    assert.equal(check(), flagged - 1);
    // Two edits of which neither makes it alone, with no look between them.
    change(inside, inside + "-disable".length, "");
    assert.equal(check(), flagged);
    change(inside, inside, "able");
    change(inside, inside, "-dis");
    assert.equal(check(), flagged - 1);
  });

  it("comments after edits equal those of a fresh analysis, in any surroundings", () => {
    const pieces = [
      `// ${OFF}\n`,
      `/* ${OFF} */`,
      BAD,
      "`",
      "${",
      "}",
      "{",
      '"',
      "\n",
      "\r\n",
      "/",
      "*/",
      "<div>",
      "// pack-auth-disable",
      "é",
    ];
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(400), fc.nat(6), fc.constantFrom(...pieces)), { maxLength: 6 }), (edits) => {
        const first = `${HEAD}// ${OFF} -- reason\n${BAD}`;
        const analysis = createAnalysis({ readFile: () => undefined });
        analysis.open(PATH, first);
        let text = first;
        for (const [at, length, piece] of edits) {
          const start = Math.min(at, text.length);
          const end = Math.min(start + length, text.length);
          analysis.change(PATH, [{ start, end, text: piece }]);
          text = text.slice(0, start) + piece + text.slice(end);
          const fresh = createAnalysis({ readFile: () => undefined });
          fresh.open(PATH, text);
          const diagnostics = analysis.diagnostics(PATH);
          assert.deepEqual(diagnostics, fresh.diagnostics(PATH), JSON.stringify(text));
          analysis.disableAll(PATH, diagnostics);
        }
      }),
      { numRuns: partOf(200) },
    );
  }).timeout(120_000);
});
