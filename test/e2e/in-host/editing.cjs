// What the editor's own API gives an author while editing a pack: beside TypeScript's server, and never in its way.
const assert = require("node:assert/strict");
const { mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const vscode = require("vscode");

const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n`;
const CUSTOM = `import { url } from "./requests";\n${HEAD}url;\npack.setUserAuthentication({\n  type: coda.AuthenticationType.Custom,\n  params: [{ name: "key", description: "Key" }],\n  instructionsUrl: "https://example.com/help",\n});\n`;
const REQUESTS = `export const url = (context) => "https://example.com/{{key-" + context.invocationToken + "}}";\n`;

describe("Editing inside the extension host", () => {
  let folder;
  const run = (command, ...args) => vscode.commands.executeCommand(command, ...args);
  /** The file, shown, with the position of the first character behind the part. */
  const show = async (name, text, part) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
    const editor = await vscode.window.showTextDocument(document);
    const at = document.positionAt(document.getText().indexOf(part) + part.length);
    editor.selection = new vscode.Selection(at, at);
    return { uri: document.uri, document, editor, at };
  };
  /** Asked again until the answer is right: servers start when they start. */
  const until = async (ask, isRight) => {
    let answer;
    for (let attempt = 0; attempt < 150; attempt++) {
      answer = await Promise.resolve(ask()).catch((error) => error);
      if (!(answer instanceof Error) && isRight(answer)) return answer;
      await new Promise((done) => setTimeout(done, 200));
    }
    throw new Error(`never right: ${answer instanceof Error ? answer.stack : JSON.stringify(answer)?.slice(0, 2000)}`);
  };

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-in-host-"));
    writeFileSync(join(folder, "requests.ts"), REQUESTS);
  });
  after(async () => {
    for (const name of ["editor.codeActionsOnSave", "packAuth.inlayHints.enabled"])
      await vscode.workspace.getConfiguration().update(name, undefined, vscode.ConfigurationTarget.Global);
    await run("workbench.action.closeAllEditors");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it("an empty call completes to whole configurations, and the chosen one is written", async () => {
    const { uri, document, at, editor } = await show("empty.ts", `${HEAD}pack.setUserAuthentication({});\n`, "Authentication({");
    const { items } = await until(
      () => run("vscode.executeCompletionItemProvider", uri, at, undefined, 5),
      (list) => list.items.some(({ label }) => label === "GitHub (OAuth2)"),
    );
    const item = items.find(({ label }) => label === "CustomHeaderToken configuration");
    await editor.insertSnippet(item.insertText, item.range instanceof vscode.Range ? item.range : item.range.replacing);
    assert.equal(
      document.getText(),
      `${HEAD}pack.setUserAuthentication({\n  type: coda.AuthenticationType.CustomHeaderToken,\n  headerName: "",\n});\n`,
    );
  });

  it("a partial field name completes to the required field first", async () => {
    const source = `${HEAD}pack.setUserAuthentication({\n  type: coda.AuthenticationType.CustomHeaderToken,\n  hea\n});\n`;
    const { document, editor, at } = await show("typing.ts", source, "  hea");
    await until(
      async () => {
        // As it was, after an attempt that came too early.
        const whole = new vscode.Range(0, 0, document.lineCount, 0);
        if (document.getText() !== source) await editor.edit((builder) => builder.replace(whole, source));
        editor.selection = new vscode.Selection(at, at);
        await run("editor.action.triggerSuggest");
        await new Promise((done) => setTimeout(done, 500));
        await run("acceptSelectedSuggestion");
        return document.getText();
      },
      (text) => text.includes('headerName: "",'),
    );
  });

  it("a rename of a param changes both files and leaves language names to TypeScript", async () => {
    const { uri, at, document } = await show("pack.ts", CUSTOM, 'name: "k');
    const edit = await until(
      () => run("vscode.executeDocumentRenameProvider", uri, at, "apiKey"),
      (found) => found.entries().length === 2,
    );
    assert.deepEqual(
      edit.entries().flatMap(([, edits]) => edits.map(({ newText }) => newText)),
      ["apiKey", "apiKey"],
    );
    const name = document.positionAt(document.getText().indexOf("pack =") + 1);
    const other = await until(
      () => run("vscode.executeDocumentRenameProvider", uri, name, "extension"),
      (found) => found.entries().length === 1,
    );
    assert.ok(other.entries()[0][1].length >= 3);
    await assert.rejects(() => run("vscode.executeDocumentRenameProvider", uri, at, "a b"), /without spaces/);
  });

  it("hovers, links and the outline appear beside TypeScript's, with colours unchanged", async () => {
    const { uri, document } = await show("pack.ts", CUSTOM, "AuthenticationType.C");
    const at = document.positionAt(document.getText().indexOf("Custom,") + 2);
    const hovers = await until(
      () => run("vscode.executeHoverProvider", uri, at),
      (found) => found.some(({ contents }) => contents.some(({ value }) => value?.includes("{{key-<invocationToken>}} → ••••"))),
    );
    assert.ok(hovers.length > 0);
    const symbols = await until(
      () => run("vscode.executeDocumentSymbolProvider", uri),
      (found) => found?.some(({ name }) => name === "User authentication"),
    );
    assert.ok(symbols.length > 0);
    const links = await run("vscode.executeLinkProvider", uri);
    assert.ok(links.some(({ target }) => String(target) === "https://example.com/help"));
    const legend = await until(
      () => run("vscode.provideDocumentSemanticTokensLegend", uri),
      (found) => found !== undefined,
    );
    assert.ok(legend.tokenTypes.length > 1, legend.tokenTypes.join());
  });

  it("inlay hints show defaults once enabled", async () => {
    const { uri, document } = await show("pack.ts", CUSTOM, "type");
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    await vscode.workspace.getConfiguration().update("packAuth.inlayHints.enabled", true, vscode.ConfigurationTarget.Global);
    const isOurs = ({ label }) => String(label).startsWith("defaultConnectionRequirement");
    await until(
      () => run("vscode.executeInlayHintProvider", uri, whole),
      (hints) => hints.some(isOurs),
    );
    await vscode.workspace.getConfiguration().update("packAuth.inlayHints.enabled", false, vscode.ConfigurationTarget.Global);
    await until(
      () => run("vscode.executeInlayHintProvider", uri, whole),
      (hints) => !hints.some(isOurs),
    );
  });

  it("Change the type works, and safe fixes are made on save", async () => {
    const { uri, document } = await show("pack.ts", CUSTOM, "type");
    const at = document.positionAt(document.getText().indexOf("type:") + 1);
    const actions = await until(
      () => run("vscode.executeCodeActionProvider", uri, new vscode.Range(at, at), "refactor.rewrite", 50),
      (found) => found.some(({ command }) => command?.command === "packAuth.changeType"),
    );
    const [change, ...others] = actions.filter(({ title }) => title.startsWith("Change the type"));
    assert.deepEqual([change.title, others], ["Change the type…", []]);
    const choices = change.command.arguments[0].choices.filter(({ name }) => name === "WebBasic");
    const changed = run("packAuth.changeType", { choices });
    await until(
      async () => {
        await run("workbench.action.acceptSelectedQuickOpenItem");
        return document.getText();
      },
      (text) => text.includes("AuthenticationType.WebBasic"),
    );
    await changed;
    assert.match(document.getText(), /AuthenticationType\.WebBasic,\n {2}instructionsUrl/);
    await vscode.workspace
      .getConfiguration()
      .update("editor.codeActionsOnSave", { "source.fixAll.packAuth": "always" }, vscode.ConfigurationTarget.Global);
    const mistyped = await show("saved.ts", `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasc });\n`, "type");
    await until(
      async () => {
        const end = mistyped.document.lineAt(mistyped.document.lineCount - 1).range.end;
        await mistyped.editor.edit((builder) => builder.insert(end, "\n"));
        await mistyped.document.save();
        return mistyped.document.getText();
      },
      (text) => text.includes("AuthenticationType.WebBasic }"),
    );
    assert.equal(mistyped.document.isDirty, false);
  });
});
