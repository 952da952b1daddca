// The colours of Custom placeholders in a source: of their marks and their names, and of no other braces.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/packs.ts";

interface Pattern {
  readonly match: string;
}

const read = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));

/** What is coloured of a string's text, as it stands in a source. */
function coloured(source: string): readonly string[] {
  const { patterns } = read("syntaxes/placeholders.tmLanguage.json") as { readonly patterns: readonly Pattern[] };
  return patterns
    .flatMap(({ match }) => [...source.matchAll(new RegExp(match, "g"))])
    .toSorted((one, other) => one.index - other.index)
    .map(([text]) => text);
}

describe("the colours of placeholders", () => {
  const COLOURED: Readonly<Record<string, readonly string[]>> = {
    "`https://x/?k={{key-${context.invocationToken}}}&a={{api-key-${token}}}`": ["{{key", "}}", "{{api-key", "}}"],
    '"{{key-" + context.invocationToken + "}}"': ["{{key", "}}"],
    "'{{my key-' + token + '}}&more'": ["{{my key", "}}"],
    "`{{clé-${token}}}`": ["{{clé", "}}"],
    '"{{ name }} and a}}b"': [],
  };
  for (const [source, expected] of Object.entries(COLOURED))
    it(`placeholders are coloured in ${source}`, () => assert.deepEqual(coloured(source), expected));

  it("the grammar applies to TypeScript and JavaScript", () => {
    const [grammar] = read("package.json").contributes.grammars;
    assert.deepEqual(grammar.injectTo, ["source.ts", "source.tsx", "source.js", "source.js.jsx", "source.jsx"]);
    assert.equal(grammar.path, "./syntaxes/placeholders.tmLanguage.json");
  });
});
