// Rules decide by the facts of a source. In its whole text, comments and strings would decide as well.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "ts-morph";
import { root } from "../support/packs.ts";

const FOLDER = join(root, "server/analysis/rules");

/** The methods that search a text, or that search their argument. */
const SEARCHES = new Set(["includes", "search", "match", "matchAll", "test", "exec"]);

const isOfFacts = (parameter: ts.ParameterDeclaration): boolean => {
  const { parent: callback } = parameter;
  const isCallback = ts.isCallExpression(callback.parent) && /\bfacts\.\w+$/.test(callback.parent.expression.getText());
  return isCallback || parameter.type?.getText() === "FileFacts";
};

/** Whether a call such as `pack.text(file)` returns the whole text. */
const returnsText = (node: ts.Node | undefined): boolean =>
  node !== undefined && ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === "text";

/** Returns the functions in which a name is the whole text of a source. */
function scopesOfText(tree: ts.SourceFile): readonly { readonly name: string; readonly scope: ts.Node }[] {
  const scopes: { name: string; scope: ts.Node }[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isParameter(node) && ts.isObjectBindingPattern(node.name) && isOfFacts(node))
      for (const { name, propertyName } of node.name.elements)
        if ((propertyName ?? name).getText() === "text") scopes.push({ name: name.getText(), scope: node.parent });
    if (ts.isVariableDeclaration(node) && returnsText(node.initializer))
      scopes.push({ name: node.name.getText(), scope: node.parent.parent.parent });
    ts.forEachChild(node, look);
  };
  look(tree);
  return scopes;
}

function searchesIn(name: string, source: string): readonly string[] {
  const tree = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const scopes = scopesOfText(tree);
  const isWhole = (node: ts.Node): boolean =>
    returnsText(node) ||
    /\bfacts\.text$/.test(node.getText()) ||
    scopes.some((one) => one.name === node.getText() && ts.findAncestor(node, (around) => around === one.scope) !== undefined);
  const searches: string[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && SEARCHES.has(node.expression.name.text))
      if ([node.expression.expression, ...node.arguments].some(isWhole)) searches.push(`${name}: ${node.getText()}`);
    ts.forEachChild(node, look);
  };
  look(tree);
  return searches;
}

describe("Rules read syntax", () => {
  it("a rule searches no whole source", () => {
    const searches = readdirSync(FOLDER).flatMap((name) => searchesIn(name, readFileSync(join(FOLDER, name), "utf8")));
    assert.deepEqual(searches, []);
  });

  it("a search of a whole source is found, whatever names the text", () => {
    const searches = searchesIn(
      "a.ts",
      `const one = (pack) => pack.facts.some(({ text }) => /global/.test(text));
function two({ text: all }: FileFacts) { return all.includes("global"); }
const three = (pack, file) => { const source = pack.text(file); return source.match(/global/); };
const four = (pack, file) => pack.text(file).includes("global") || pack.text(file).slice(1, 2).includes("g");`,
    );
    assert.equal(searches.length, 4);
  });
});
