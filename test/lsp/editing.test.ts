// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources in quotes have templates in them
// Params and their placeholders, outlines, links and hints, as a whole client and a plain one get them over real stdio.
import assert from "node:assert/strict";
import type {
  DocumentHighlight,
  DocumentLink,
  DocumentSymbol,
  InlayHint,
  Location,
  Range,
  SemanticTokens,
  SymbolInformation,
  TextEdit,
  WorkspaceEdit,
} from "vscode-languageserver/node";
import { startServer } from "../support/lsp-client.ts";
import { editingSuite, PACK, REQUESTS, WHOLE } from "../support/lsp-editing.ts";

describe("editing over stdio", () => {
  let settings: unknown = {};
  const suite = editingSuite(() => settings);
  const { at, ask, uri } = suite;
  const slice = (text: string, { start, end }: Range): string =>
    text.split("\n")[start.line]?.slice(start.character, end.line === start.line ? end.character : undefined) ?? "";

  it("the server's capabilities are limited to those of the client", () => {
    const { capabilities } = suite.client.initialized;
    for (const name of [
      "renameProvider",
      "referencesProvider",
      "definitionProvider",
      "documentHighlightProvider",
      "documentSymbolProvider",
      "documentLinkProvider",
      "inlayHintProvider",
      "semanticTokensProvider",
    ])
      assert.ok(capabilities[name], name);
    assert.deepEqual(capabilities.renameProvider, { prepareProvider: true });
    assert.equal(suite.plain.initialized.capabilities.renameProvider, true);
    assert.equal(suite.plain.initialized.capabilities.semanticTokensProvider, undefined);
  });

  it("semantic tokens are left out when the client has a grammar", async () => {
    const other = await startServer({ capabilities: WHOLE, params: { initializationOptions: { semanticTokens: false } } });
    assert.equal(other.initialized.capabilities.semanticTokensProvider, undefined);
    await other.stop();
  });

  describe("a param and its placeholders", () => {
    it("a rename changes all files, by version where the client supports that", async () => {
      assert.deepEqual(await ask("textDocument/prepareRename", at("pack.ts", PACK, '"key"', 2)), {
        range: { start: { line: 7, character: 20 }, end: { line: 7, character: 23 } },
        placeholder: "key",
      });
      const params = { ...at("pack.ts", PACK, '"key"', 2), newName: "apiKey" };
      const { documentChanges, changes } = await ask<WorkspaceEdit>("textDocument/rename", params);
      assert.equal(changes, undefined);
      assert.deepEqual(
        documentChanges?.map(
          (change) => "textDocument" in change && [change.textDocument, change.edits.map((edit) => (edit as TextEdit).newText)],
        ),
        [
          [{ uri: uri("pack.ts"), version: 1 }, ["apiKey"]],
          [{ uri: uri("requests.ts"), version: null }, ["apiKey"]],
        ],
      );
      const simple = await ask<WorkspaceEdit>("textDocument/rename", params, suite.plain);
      assert.deepEqual(Object.keys(simple.changes ?? {}).sort(), [uri("pack.ts"), uri("requests.ts")]);
    });

    it("a name that would break the code is refused with the reason", async () => {
      for (const [newName, reason] of [
        ["a b", /without spaces/],
        ["a}}", /without braces/],
        ["", /needs a name/],
      ] as const)
        await assert.rejects(ask("textDocument/rename", { ...at("pack.ts", PACK, '"key"', 2), newName }), reason);
    });

    it("a placeholder with a computed name refuses the rename, with its line", async () => {
      const computed = "export const url = (context, name) => `\n{{${name}-${context.invocationToken}}}`;\n";
      suite.client.open(uri("requests.ts"), computed);
      await assert.rejects(ask("textDocument/prepareRename", at("pack.ts", PACK, '"key"', 2)), /requests\.ts, line 2, has a computed name/);
      suite.client.connection.sendNotification("textDocument/didClose", { textDocument: { uri: uri("requests.ts") } });
    });

    it("other code gets null, so that the language's own server is asked", async () => {
      const elsewhere = at("pack.ts", PACK, "newPack", 2);
      for (const [method, more] of [
        ["prepareRename", {}],
        ["rename", { newName: "x" }],
        ["references", { context: { includeDeclaration: true } }],
        ["definition", {}],
        ["documentHighlight", {}],
        ["hover", {}],
      ] as const)
        assert.equal(await ask(`textDocument/${method}`, { ...elsewhere, ...more }), null, method);
    });

    it("a param and its placeholders are found from each other", async () => {
      const from = { textDocument: { uri: uri("requests.ts") }, position: { line: 0, character: REQUESTS.indexOf("{{key") + 3 } };
      const references = await ask<Location[]>("textDocument/references", { ...from, context: { includeDeclaration: true } });
      assert.deepEqual(
        references.map((reference) => [reference.uri, slice(reference.uri === uri("pack.ts") ? PACK : REQUESTS, reference.range)]),
        [
          [uri("pack.ts"), "key"],
          [uri("requests.ts"), "key"],
        ],
      );
      const uses = await ask<Location[]>("textDocument/references", { ...from, context: { includeDeclaration: false } });
      assert.deepEqual(
        uses.map((use) => use.uri),
        [uri("requests.ts")],
      );
      const definition = await ask<Location[]>("textDocument/definition", from);
      assert.deepEqual(
        definition.map((target) => [target.uri, target.range.start.line]),
        [[uri("pack.ts"), 7]],
      );
      const highlights = await ask<DocumentHighlight[]>("textDocument/documentHighlight", from);
      assert.deepEqual(
        highlights.map(({ kind, range }) => [kind, slice(REQUESTS, range)]),
        [[2, "key"]],
      );
    });

    it("placeholders are coloured when the client has no grammar for them", async () => {
      const { data } = await ask<SemanticTokens>("textDocument/semanticTokens/full", { textDocument: { uri: uri("pack.ts") } });
      assert.deepEqual(data, [7, 20, 3, 0, 1]);
      const other = await ask<SemanticTokens>("textDocument/semanticTokens/full", { textDocument: { uri: uri("requests.ts") } });
      assert.deepEqual(other.data, [0, REQUESTS.indexOf("{{key") + 2, 3, 0, 0]);
    });
  });

  describe("the outline", () => {
    it("the outline is a tree where the client supports trees, else a list", async () => {
      const tree = await ask<DocumentSymbol[]>("textDocument/documentSymbol", { textDocument: { uri: uri("pack.ts") } });
      assert.deepEqual(
        tree.map(({ name, detail, children }) => [name, detail, children?.map((child) => child.name)]),
        [
          ["User authentication", "Custom", ["key"]],
          ["Hello", "formula", []],
        ],
      );
      const list = await ask<SymbolInformation[]>("textDocument/documentSymbol", { textDocument: { uri: uri("pack.ts") } }, suite.plain);
      assert.deepEqual(
        list.map(({ name, containerName }) => [name, containerName]),
        [
          ["User authentication", undefined],
          ["key", "User authentication"],
          ["Hello", undefined],
        ],
      );
    });

    it("links worth opening are listed", async () => {
      const links = await ask<DocumentLink[]>("textDocument/documentLink", { textDocument: { uri: uri("pack.ts") } });
      assert.deepEqual(
        links.map(({ target, range }) => [target, slice(PACK, range)]),
        [["https://example.com/help", "https://example.com/help"]],
      );
    });

    it("hints contain defaults when the settings enable them, in the visible range", async () => {
      const hints = (lines: number) =>
        ask<InlayHint[]>("textDocument/inlayHint", {
          textDocument: { uri: uri("pack.ts") },
          range: { start: { line: 0, character: 0 }, end: { line: lines, character: 0 } },
        });
      assert.deepEqual(await hints(99), []);
      settings = { inlayHints: { enabled: true } };
      const requestCount = suite.client.requestMethods.length;
      await suite.client.connection.sendNotification("workspace/didChangeConfiguration", { settings: null });
      while (!suite.client.requestMethods.slice(requestCount).includes("workspace/inlayHint/refresh")) await hints(0);
      assert.deepEqual(
        (await hints(99)).map(({ label }) => label),
        ["defaultConnectionRequirement: ConnectionRequirement.Required", "connectionRequirement: Required"],
      );
      assert.equal((await hints(8)).length, 1);
    });
  });

  it("nonsense requests get empty answers", async () => {
    const nowhere = { textDocument: { uri: "untitled:Untitled-1" }, position: { line: 9999, character: 9999 } };
    const range = { start: nowhere.position, end: nowhere.position };
    for (const method of ["prepareRename", "definition", "documentHighlight", "hover"]) {
      assert.equal(await ask(`textDocument/${method}`, nowhere), null);
      assert.equal(await ask(`textDocument/${method}`, { ...nowhere, textDocument: { uri: uri("pack.ts") } }), null);
    }
    for (const method of ["completion", "documentSymbol", "documentLink"])
      assert.deepEqual(await ask(`textDocument/${method}`, nowhere), []);
    assert.deepEqual(await ask("textDocument/inlayHint", { ...nowhere, range }), []);
    assert.deepEqual(await ask("textDocument/semanticTokens/full", nowhere), { data: [] });
  });
});
