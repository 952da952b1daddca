// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources in quotes have templates in them
// Fixes and refactorings, as a whole client and a plain one get them over real stdio.
import assert from "node:assert/strict";
import { type CodeAction, CodeActionTriggerKind, LSPErrorCodes, MessageType } from "vscode-languageserver/node";
import type { ChangeTypeParams } from "../../protocol/editor.ts";
import { startServer } from "../support/lsp-client.ts";
import { edited, editingSuite, editsOf, HEAD, PACK, WHOLE } from "../support/lsp-editing.ts";

describe("code actions over stdio", () => {
  const suite = editingSuite();
  const { ask, uri } = suite;
  const BROKEN = `${HEAD}pack.setUserAuthentication({\n  type: "HeaderBearerTokn",\n  headerNam: "X",\n  uxOptions: {},\n});\n`;
  const everything = (name: string, only?: string[]) => ({
    textDocument: { uri: uri(name) },
    range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } },
    context: { diagnostics: [], ...(only === undefined ? {} : { only }) },
  });
  const actions = (params: unknown, from = suite.client) => ask<CodeAction[]>("textDocument/codeAction", params, from);
  const resolve = (action: CodeAction | undefined, from = suite.client) => ask<CodeAction>("codeAction/resolve", action, from);
  before(() => {
    suite.plain.open(uri("broken.ts"), BROKEN);
  });

  it("fix all on save fixes to the end, by an edit for the resolved version", async () => {
    suite.client.open(uri("saved.ts"), BROKEN);
    const [all, ...otherActions] = await actions(everything("saved.ts", ["source.fixAll"]));
    assert.deepEqual([all?.kind, otherActions.length, all?.edit], ["source.fixAll.packAuth", 0, undefined]);
    const { edit } = await resolve(all);
    assert.deepEqual(
      edit?.documentChanges?.map((change) => "textDocument" in change && change.textDocument),
      [{ uri: uri("saved.ts"), version: 1 }],
    );
    const fixed = edited(BROKEN, editsOf(edit));
    suite.client.change(uri("saved.ts"), 2, [{ text: fixed }]);
    assert.deepEqual(await actions(everything("saved.ts", ["source.fixAll.packAuth"])), []);
    assert.notEqual(fixed, BROKEN);
  });

  it("fix all reports its result when invoked, and not on save", async () => {
    const able = await startServer({
      capabilities: { ...WHOLE, textDocument: { codeAction: { dataSupport: true, resolveSupport: { properties: ["edit", "command"] } } } },
    });
    const { connection } = able;
    able.open(uri("asked.ts"), BROKEN);
    const chosen = async (triggerKind: CodeActionTriggerKind): Promise<CodeAction> => {
      const request = everything("asked.ts", ["source.fixAll"]);
      const [all] = (await connection.sendRequest("textDocument/codeAction", {
        ...request,
        context: { ...request.context, triggerKind },
      })) as CodeAction[];
      return (await connection.sendRequest("codeAction/resolve", all)) as CodeAction;
    };
    assert.equal((await chosen(CodeActionTriggerKind.Automatic)).command, undefined);
    const { command } = await chosen(CodeActionTriggerKind.Invoked);
    const message = new Promise((resolve) => connection.onNotification("window/showMessage", resolve));
    await connection.sendRequest("workspace/executeCommand", { command: command?.command, arguments: command?.arguments });
    assert.deepEqual(await message, { type: MessageType.Info, message: "3 fixed, 2 need you" });
    await able.stop();
  });

  it("actions contain their edits for a client that cannot resolve them", async () => {
    const [all] = await actions(everything("broken.ts", ["source.fixAll.packAuth"]), suite.plain);
    assert.ok(all?.edit?.changes);
    const quick = await actions(everything("broken.ts", ["quickfix"]), suite.plain);
    assert.ok(quick.length > 3 && quick.every((action) => action.edit));
  });

  it("an action for a text that has changed is rejected", async () => {
    suite.client.open(uri("changing.ts"), BROKEN);
    const [fix] = await actions(everything("changing.ts", ["quickfix"]));
    assert.ok((await resolve(fix)).edit);
    suite.client.change(uri("changing.ts"), 2, [{ text: `\n${BROKEN}` }]);
    await assert.rejects(resolve(fix), { code: LSPErrorCodes.ContentModified });
  });

  it("a fix is preferred when it is the only lossless one, or corrects a name", async () => {
    const undeclared = PACK.replace(
      'import { url } from "./requests";',
      "const url = (context) => `{{kez-${context.invocationToken}}}`;",
    ).replace("instructionsUrl", "headerName");
    suite.client.open(uri("ways.ts"), undeclared);
    const quick = await actions(everything("ways.ts", ["quickfix"]));
    const fixes = quick.filter(({ title }) => !title.startsWith("Disable") && !title.startsWith("Fix all"));
    const same = (action: CodeAction) =>
      fixes.filter(({ diagnostics }) => JSON.stringify(diagnostics) === JSON.stringify(action.diagnostics));
    assert.ok(fixes.some(({ isPreferred }) => isPreferred) && fixes.some(({ isPreferred }) => !isPreferred));
    for (const action of fixes)
      assert.equal(
        action.isPreferred,
        action.title.startsWith("Change to") || (same(action).length === 1 && !action.title.startsWith("Remove")),
        action.title,
      );
  });

  it("all findings of a kind in the file are fixed together", async () => {
    const twice = `${HEAD}pack.setUserAuthentication({\n  type: coda.AuthenticationType.WebBasic,\n  headerName: "X",\n  paramName: "k",\n});\n`;
    suite.client.open(uri("twice.ts"), twice);
    const kind = (await actions(everything("twice.ts", ["quickfix"]))).find(({ title }) => title.startsWith("Fix all"));
    assert.equal(kind?.title, "Fix all field-not-for-type problems in this file");
    assert.doesNotMatch(edited(twice, editsOf((await resolve(kind)).edit)), /headerName|paramName/);
  });

  it("refactorings are offered without a finding when their kind is requested", async () => {
    const on = { ...everything("pack.ts", ["refactor"]), range: { start: { line: 6, character: 5 }, end: { line: 6, character: 5 } } };
    const offered = await actions(on);
    const change = offered.find(({ title }) => title === "Change the type to HeaderBearerToken");
    assert.equal(change?.kind, "refactor.rewrite");
    const changedText = edited(PACK, editsOf((await resolve(change)).edit));
    assert.match(changedText, /AuthenticationType\.HeaderBearerToken,\n {2}instructionsUrl/);
    assert.deepEqual(await actions({ ...on, context: { diagnostics: [], only: ["refactor.extract"] } }), []);
    assert.deepEqual(await actions({ ...on, context: { diagnostics: [], only: ["source.organizeImports"] } }), []);
  });

  it("three types close to the present one are offered, or the client asks for one", async () => {
    const onType = (name: string) => ({
      ...everything(name, ["refactor"]),
      range: { start: { line: 6, character: 5 }, end: { line: 6, character: 5 } },
    });
    const listed = (await actions(onType("pack.ts"), suite.plain)).filter(({ title }) => title.startsWith("Change the type"));
    assert.equal(listed.length, 3);
    const asking = await startServer({ capabilities: { ...WHOLE, experimental: { packAuth: { changeType: true } } } });
    asking.open(uri("pack.ts"), PACK);
    const offered = await actions(onType("pack.ts"), asking);
    const [change, ...otherTypes] = offered.filter(({ title }) => title.startsWith("Change the type"));
    assert.deepEqual([change?.title, change?.command?.command, otherTypes], ["Change the type…", "packAuth.changeType", []]);
    const choices = (change?.command?.arguments?.[0] as ChangeTypeParams | undefined)?.choices ?? [];
    assert.ok(choices.length > 8, choices.map(({ name }) => name).join());
    const basic = choices.find(({ name }) => name === "WebBasic")?.action as CodeAction;
    assert.match(edited(PACK, editsOf((await resolve(basic, asking)).edit)), /AuthenticationType\.WebBasic,\n {2}instructionsUrl/);
    await asking.stop();
  });
});
