// Completions, as a whole client and a plain one get them over real stdio.
import assert from "node:assert/strict";
import type { CompletionItem, TextEdit } from "vscode-languageserver/node";
import { editingSuite, HEAD } from "../support/lsp-editing.ts";

describe("completions over stdio", () => {
  const suite = editingSuite();
  const { at, ask, uri } = suite;
  const SOURCE = `${HEAD.replaceAll("\n", "\r\n")}pack.setUserAuthentication({\r\n\t\ttype: coda.AuthenticationType.WebBasic,\r\n\t\tgetC\r\n});\r\n`;
  const place = () => at("typing.ts", SOURCE, "getC", 4);
  before(() => {
    for (const each of [suite.client, suite.plain]) each.open(uri("typing.ts"), SOURCE);
  });

  it("items are snippets with resolved notes, in the file's indentation and line ends", async () => {
    const items = await ask<CompletionItem[]>("textDocument/completion", place());
    const item = items.find(({ label }) => label === "getConnectionName");
    assert.ok(item);
    assert.equal(item.documentation, undefined);
    assert.equal(item.insertTextFormat, 2);
    assert.equal(item.insertTextMode, 2);
    const { newText, range } = item.textEdit as TextEdit;
    assert.match(newText, /^getConnectionName: async function \(context\) \{\r\n\tconst response/);
    assert.deepEqual(range, { start: { line: 5, character: 2 }, end: { line: 5, character: 6 } });
    const resolved = await ask<CompletionItem>("completionItem/resolve", item);
    assert.match((resolved.documentation as { value: string }).value, /account's label/);
    const old = await ask<CompletionItem>("completionItem/resolve", { ...item, data: { list: 0, index: 0 } });
    assert.equal(old.documentation, undefined);
    assert.deepEqual(await ask("completionItem/resolve", { label: "x" }), { label: "x" });
  });

  it("a client without snippets gets indented plain text", async () => {
    const items = await ask<CompletionItem[]>("textDocument/completion", place(), suite.plain);
    const item = items.find(({ label }) => label === "getConnectionName");
    assert.ok(item);
    const { newText } = item.textEdit as TextEdit;
    assert.doesNotMatch(newText, /\$\{?\d/);
    assert.match(newText, /\{\r\n\t\t\tconst response[\s\S]*\r\n\t\t\},$/);
    assert.equal(item.insertTextFormat, 1);
  });

  it("completions open at a value or placeholder, and never where Enter starts a line", async () => {
    const custom = 'params: [{ name: "key", description: "" }]';
    const CASES: readonly (readonly [typed: string, springsUp: boolean])[] = [
      ["pack.setUserAuthentication({", false],
      ["pack.setUserAuthentication({ ", false],
      ["pack.setUserAuthentication({ type:", true],
      ["pack.setUserAuthentication({ type: ", true],
      ["pack.setUserAuthentication({ type: coda.", true],
      ['pack.setUserAuthentication({ type: coda.AuthenticationType["', true],
      ['pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, networkDomain: "', true],
      ["pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, ", false],
      [`pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, ${custom} });\nconst url = "{`, false],
      [`pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, ${custom} });\nconst url = "{{`, true],
    ];
    for (const [index, [typed, springsUp]] of CASES.entries()) {
      const name = `trigger-${index}.ts`;
      const text = HEAD + typed;
      suite.client.open(uri(name), text);
      const context = { triggerKind: 2, triggerCharacter: typed.at(-1) };
      const items = await ask<CompletionItem[]>("textDocument/completion", { ...at(name, text, typed, typed.length), context });
      assert.equal(items.length > 0, springsUp, typed);
    }
  });

  it("a missing comma is inserted", async () => {
    const missing = SOURCE.replace("WebBasic,", "WebBasic");
    suite.client.change(uri("typing.ts"), 2, [{ text: missing }]);
    const items = await ask<CompletionItem[]>("textDocument/completion", at("typing.ts", missing, "getC", 4));
    const [edit] = items.find(({ label }) => label === "uxConfig")?.additionalTextEdits ?? [];
    assert.deepEqual(edit, { range: { start: { line: 4, character: 40 }, end: { line: 4, character: 40 } }, newText: "," });
  });
});
