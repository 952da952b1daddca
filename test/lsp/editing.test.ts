// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources in quotes have templates in them
// Everything that the language server offers besides diagnostics, over real stdio: one server for a whole client, one for a plain one.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type CodeAction,
  type CompletionItem,
  type DocumentHighlight,
  type DocumentLink,
  type DocumentSymbol,
  type InlayHint,
  type Location,
  LSPErrorCodes,
  type Range,
  type SemanticTokens,
  type SymbolInformation,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver/node";
import { type LspClient, startServer } from "../support/lsp-client.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
`;
const REQUESTS = "export const url = (context) => `https://example.com/{{key-${context.invocationToken}}}`;\n";
const PACK = `import { url } from "./requests";
${HEAD}url;
pack.setUserAuthentication({
  type: coda.AuthenticationType.Custom,
  params: [{ name: "key", description: "Key" }],
  instructionsUrl: "https://example.com/help",
});
pack.addFormula({ name: "Hello", execute: async () => 1 });
`;

const WHOLE = {
  general: { positionEncodings: ["utf-16"] },
  workspace: { workspaceEdit: { documentChanges: true }, configuration: true, inlayHint: { refreshSupport: true } },
  textDocument: {
    diagnostic: {},
    completion: { completionItem: { snippetSupport: true, insertTextModeSupport: { valueSet: [1, 2] } } },
    rename: { prepareSupport: true },
    codeAction: { dataSupport: true, resolveSupport: { properties: ["edit"] } },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    semanticTokens: { requests: { full: true }, tokenTypes: [], tokenModifiers: [], formats: ["relative"] },
  },
};

describe("editing over stdio", () => {
  let client: LspClient;
  let plain: LspClient;
  let folder: string;
  let settings: unknown = {};
  const uri = (name: string): string => pathToFileURL(join(folder, name)).href;
  const at = (name: string, text: string, part: string, within = 1) => {
    const before = text.slice(0, text.indexOf(part) + within);
    return {
      textDocument: { uri: uri(name) },
      position: { line: before.split("\n").length - 1, character: before.length - before.lastIndexOf("\n") - 1 },
    };
  };
  const ask = <T>(method: string, params: unknown, from = client): Promise<T> => from.connection.sendRequest(method, params) as Promise<T>;
  const slice = (text: string, { start, end }: Range): string =>
    text.split("\n")[start.line]?.slice(start.character, end.line === start.line ? end.character : undefined) ?? "";

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-editing-"));
    writeFileSync(join(folder, "requests.ts"), REQUESTS);
    const root = pathToFileURL(folder).href;
    client = await startServer({ folder: root, capabilities: WHOLE, configuration: () => settings });
    plain = await startServer({ folder: root, capabilities: {} });
    for (const each of [client, plain]) each.open(uri("pack.ts"), PACK);
  });
  after(async () => {
    await client.stop();
    await plain.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("says what it can do, and no more than the client can take", () => {
    const { capabilities } = client.initialized;
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
    assert.equal(plain.initialized.capabilities.renameProvider, true);
    assert.equal(plain.initialized.capabilities.semanticTokensProvider, undefined);
  });

  it("leaves semantic tokens to others where the client says that it has a grammar", async () => {
    const other = await startServer({ capabilities: WHOLE, params: { initializationOptions: { semanticTokens: false } } });
    assert.equal(other.initialized.capabilities.semanticTokensProvider, undefined);
    await other.stop();
  });

  describe("a param and its placeholders", () => {
    it("are renamed in all files, by version where the client takes that", async () => {
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
      const simple = await ask<WorkspaceEdit>("textDocument/rename", params, plain);
      assert.deepEqual(Object.keys(simple.changes ?? {}).sort(), [uri("pack.ts"), uri("requests.ts")]);
    });

    it("are not renamed to a name that would break them, and the reason is told", async () => {
      for (const [newName, reason] of [
        ["a b", /no blanks/],
        ["a}}", /no braces/],
        ["", /needs a name/],
      ] as const)
        await assert.rejects(ask("textDocument/rename", { ...at("pack.ts", PACK, '"key"', 2), newName }), reason);
    });

    it("are not renamed where a placeholder's name is computed: prepareRename says where", async () => {
      const computed = "export const url = (context, name) => `\n{{${name}-${context.invocationToken}}}`;\n";
      client.open(uri("requests.ts"), computed);
      await assert.rejects(ask("textDocument/prepareRename", at("pack.ts", PACK, '"key"', 2)), /requests\.ts, line 2, has a computed name/);
      client.connection.sendNotification("textDocument/didClose", { textDocument: { uri: uri("requests.ts") } });
    });

    it("answer null elsewhere, so that the language's own server is asked", async () => {
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

    it("are found from each other", async () => {
      const from = { textDocument: { uri: uri("requests.ts") }, position: { line: 0, character: REQUESTS.indexOf("{{key") + 3 } };
      const references = await ask<Location[]>("textDocument/references", { ...from, context: { includeDeclaration: true } });
      assert.deepEqual(
        references.map((found) => [found.uri, slice(found.uri === uri("pack.ts") ? PACK : REQUESTS, found.range)]),
        [
          [uri("pack.ts"), "key"],
          [uri("requests.ts"), "key"],
        ],
      );
      const uses = await ask<Location[]>("textDocument/references", { ...from, context: { includeDeclaration: false } });
      assert.deepEqual(
        uses.map((found) => found.uri),
        [uri("requests.ts")],
      );
      const definition = await ask<Location[]>("textDocument/definition", from);
      assert.deepEqual(
        definition.map((found) => [found.uri, found.range.start.line]),
        [[uri("pack.ts"), 7]],
      );
      const highlights = await ask<DocumentHighlight[]>("textDocument/documentHighlight", from);
      assert.deepEqual(
        highlights.map(({ kind, range }) => [kind, slice(REQUESTS, range)]),
        [[2, "key"]],
      );
    });

    it("are coloured where the client has no grammar for them", async () => {
      const { data } = await ask<SemanticTokens>("textDocument/semanticTokens/full", { textDocument: { uri: uri("pack.ts") } });
      assert.deepEqual(data, [7, 20, 3, 0, 1]);
      const other = await ask<SemanticTokens>("textDocument/semanticTokens/full", { textDocument: { uri: uri("requests.ts") } });
      assert.deepEqual(other.data, [0, REQUESTS.indexOf("{{key") + 2, 3, 0, 0]);
    });
  });

  describe("the outline", () => {
    it("is a tree where the client has trees, else a list", async () => {
      const tree = await ask<DocumentSymbol[]>("textDocument/documentSymbol", { textDocument: { uri: uri("pack.ts") } });
      assert.deepEqual(
        tree.map(({ name, detail, children }) => [name, detail, children?.map((child) => child.name)]),
        [
          ["User authentication", "Custom", ["key"]],
          ["Hello", "formula", []],
        ],
      );
      const list = await ask<SymbolInformation[]>("textDocument/documentSymbol", { textDocument: { uri: uri("pack.ts") } }, plain);
      assert.deepEqual(
        list.map(({ name, containerName }) => [name, containerName]),
        [
          ["User authentication", undefined],
          ["key", "User authentication"],
          ["Hello", undefined],
        ],
      );
    });

    it("has the links that are worth opening", async () => {
      const links = await ask<DocumentLink[]>("textDocument/documentLink", { textDocument: { uri: uri("pack.ts") } });
      assert.deepEqual(
        links.map(({ target, range }) => [target, slice(PACK, range)]),
        [["https://example.com/help", "https://example.com/help"]],
      );
    });

    it("hints at defaults when that is asked for, in the range that is seen", async () => {
      const hints = (lines: number) =>
        ask<InlayHint[]>("textDocument/inlayHint", {
          textDocument: { uri: uri("pack.ts") },
          range: { start: { line: 0, character: 0 }, end: { line: lines, character: 0 } },
        });
      assert.deepEqual(await hints(99), []);
      settings = { inlayHints: { enabled: true } };
      const asked = client.asked.length;
      await client.connection.sendNotification("workspace/didChangeConfiguration", { settings: null });
      while (!client.asked.slice(asked).includes("workspace/inlayHint/refresh")) await hints(0);
      assert.deepEqual(
        (await hints(99)).map(({ label }) => label),
        ["defaultConnectionRequirement: ConnectionRequirement.Required", "connectionRequirement: Required"],
      );
      assert.equal((await hints(8)).length, 1);
    });
  });

  describe("completions", () => {
    const SOURCE = `${HEAD.replaceAll("\n", "\r\n")}pack.setUserAuthentication({\r\n\t\ttype: coda.AuthenticationType.WebBasic,\r\n\t\tgetC\r\n});\r\n`;
    const place = () => at("typing.ts", SOURCE, "getC", 4);
    before(() => {
      for (const each of [client, plain]) each.open(uri("typing.ts"), SOURCE);
    });

    it("come as snippets with their notes when they are looked at; lines by the file's own indentation and line ends", async () => {
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

    it("come as plain text to a client without snippets, set in as the line is", async () => {
      const items = await ask<CompletionItem[]>("textDocument/completion", place(), plain);
      const item = items.find(({ label }) => label === "getConnectionName");
      assert.ok(item);
      const { newText } = item.textEdit as TextEdit;
      assert.doesNotMatch(newText, /\$\{?\d/);
      assert.match(newText, /\{\r\n\t\t\tconst response[\s\S]*\r\n\t\t\},$/);
      assert.equal(item.insertTextFormat, 1);
    });

    it("spring up where a value is wanted or a placeholder begins, and never where Enter is meant for a new line", async () => {
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
        client.open(uri(name), text);
        const context = { triggerKind: 2, triggerCharacter: typed.at(-1) };
        const items = await ask<CompletionItem[]>("textDocument/completion", { ...at(name, text, typed, typed.length), context });
        assert.equal(items.length > 0, springsUp, typed);
      }
    });

    it("put the comma that is missing", async () => {
      const missing = SOURCE.replace("WebBasic,", "WebBasic");
      client.change(uri("typing.ts"), 2, [{ text: missing }]);
      const items = await ask<CompletionItem[]>("textDocument/completion", at("typing.ts", missing, "getC", 4));
      const [edit] = items.find(({ label }) => label === "uxConfig")?.additionalTextEdits ?? [];
      assert.deepEqual(edit, { range: { start: { line: 4, character: 40 }, end: { line: 4, character: 40 } }, newText: "," });
    });
  });

  describe("code actions", () => {
    const BROKEN = `${HEAD}pack.setUserAuthentication({\n  type: "HeaderBearerTokn",\n  headerNam: "X",\n  uxOptions: {},\n});\n`;
    const everything = (name: string, only?: string[]) => ({
      textDocument: { uri: uri(name) },
      range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } },
      context: { diagnostics: [], ...(only === undefined ? {} : { only }) },
    });
    const actions = (params: unknown, from = client) => ask<CodeAction[]>("textDocument/codeAction", params, from);
    const resolve = (action: CodeAction | undefined) => ask<CodeAction>("codeAction/resolve", action);
    /** The text of the file with the edit made. */
    const edited = (text: string, edit: WorkspaceEdit | undefined): string => {
      const [change] = edit?.documentChanges ?? [];
      const edits = change && "textDocument" in change ? (change.edits as TextEdit[]) : (Object.values(edit?.changes ?? {})[0] ?? []);
      const lines = text.split("\n");
      const offset = ({ line, character }: Range["start"]): number =>
        lines.slice(0, line).reduce((sum, before) => sum + before.length + 1, 0) + character;
      return [...edits]
        .sort((a, b) => offset(b.range.start) - offset(a.range.start))
        .reduce((made, { range, newText }) => made.slice(0, offset(range.start)) + newText + made.slice(offset(range.end)), text);
    };
    before(() => {
      plain.open(uri("broken.ts"), BROKEN);
    });

    it("fix all on save, to the end; the edit is made when it is asked for, for the version that was seen", async () => {
      client.open(uri("saved.ts"), BROKEN);
      const [all, ...others] = await actions(everything("saved.ts", ["source.fixAll"]));
      assert.deepEqual([all?.kind, others.length, all?.edit], ["source.fixAll.packAuth", 0, undefined]);
      const { edit } = await resolve(all);
      assert.deepEqual(
        edit?.documentChanges?.map((change) => "textDocument" in change && change.textDocument),
        [{ uri: uri("saved.ts"), version: 1 }],
      );
      const fixed = edited(BROKEN, edit);
      client.change(uri("saved.ts"), 2, [{ text: fixed }]);
      assert.deepEqual(await actions(everything("saved.ts", ["source.fixAll.packAuth"])), []);
      assert.notEqual(fixed, BROKEN);
    });

    it("come with their edits to a client that cannot ask for them", async () => {
      const [all] = await actions(everything("broken.ts", ["source.fixAll.packAuth"]), plain);
      assert.ok(all?.edit?.changes);
      const quick = await actions(everything("broken.ts", ["quickfix"]), plain);
      assert.ok(quick.length > 3 && quick.every((action) => action.edit));
    });

    it("are not made of a text that has changed since", async () => {
      client.open(uri("changing.ts"), BROKEN);
      const [fix] = await actions(everything("changing.ts", ["quickfix"]));
      assert.ok((await resolve(fix)).edit);
      client.change(uri("changing.ts"), 2, [{ text: `\n${BROKEN}` }]);
      await assert.rejects(resolve(fix), { code: LSPErrorCodes.ContentModified });
    });

    it("are preferred where there is one way to fix it", async () => {
      const undeclared = PACK.replace(
        'import { url } from "./requests";',
        "const url = (context) => `{{kez-${context.invocationToken}}}`;",
      ).replace("instructionsUrl", "headerName");
      client.open(uri("ways.ts"), undeclared);
      const quick = await actions(everything("ways.ts", ["quickfix"]));
      const fixes = quick.filter(({ title }) => !title.startsWith("Disable") && !title.startsWith("Fix all"));
      const same = (action: CodeAction) =>
        fixes.filter(({ diagnostics }) => JSON.stringify(diagnostics) === JSON.stringify(action.diagnostics));
      assert.ok(fixes.some(({ isPreferred }) => isPreferred) && fixes.some(({ isPreferred }) => !isPreferred));
      for (const action of fixes) assert.equal(action.isPreferred, same(action).length === 1, action.title);
    });

    it("fix all of a kind in the file", async () => {
      const twice = `${HEAD}pack.setUserAuthentication({\n  type: coda.AuthenticationType.WebBasic,\n  headerName: "X",\n  paramName: "k",\n});\n`;
      client.open(uri("twice.ts"), twice);
      const kind = (await actions(everything("twice.ts", ["quickfix"]))).find(({ title }) => title.startsWith("Fix all"));
      assert.equal(kind?.title, "Fix all field-not-for-type problems in this file");
      assert.doesNotMatch(edited(twice, (await resolve(kind)).edit), /headerName|paramName/);
    });

    it("refactor, where nothing is wrong and the kind is asked for", async () => {
      const on = { ...everything("pack.ts", ["refactor"]), range: { start: { line: 6, character: 5 }, end: { line: 6, character: 5 } } };
      const offered = await actions(on);
      const change = offered.find(({ title }) => title === "Change the type to WebBasic");
      assert.equal(change?.kind, "refactor.rewrite");
      const made = edited(PACK, (await resolve(change)).edit);
      assert.match(made, /AuthenticationType\.WebBasic,\n {2}instructionsUrl/);
      assert.deepEqual(await actions({ ...on, context: { diagnostics: [], only: ["refactor.extract"] } }), []);
      assert.deepEqual(await actions({ ...on, context: { diagnostics: [], only: ["source.organizeImports"] } }), []);
    });
  });

  it("answers nonsense with nothing", async () => {
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
