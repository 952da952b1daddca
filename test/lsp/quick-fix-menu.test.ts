// What the quick-fix menu has beside the fixes: a rule's page, and the comment that disables the rule for the whole file.
import assert from "node:assert/strict";
import type { CodeAction } from "vscode-languageserver/node";
import { type LspClient, startServer } from "../support/lsp-client.ts";
import { HEAD } from "../support/lsp-editing.ts";

const FILE = "file:///pack/pack.ts";
const PACK = `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, headerName: "X", paramName: "k" });\n`;

describe("the quick-fix menu", () => {
  let client: LspClient | undefined;
  afterEach(() => client?.stop());
  const start = async (capabilities: object): Promise<LspClient> => {
    client = await startServer({ capabilities: { textDocument: { diagnostic: {} }, ...capabilities } });
    client.open(FILE, PACK);
    return client;
  };
  const menu = async ({ connection }: LspClient): Promise<CodeAction[]> =>
    (await connection.sendRequest("textDocument/codeAction", {
      textDocument: { uri: FILE },
      range: { start: { line: 3, character: 0 }, end: { line: 3, character: 200 } },
      context: { diagnostics: [], only: ["quickfix"] },
    })) as CodeAction[];

  it("the rule's page opens, from the product or from where the client has it", async () => {
    for (const [own, address] of [
      [undefined, /^file:\/\/\/.*\/docs\/rules\/field-not-for-type\.md$/],
      ["pages:/", /^pages:\/field-not-for-type\.md$/],
    ] as const) {
      const pageClient = await start({
        window: { showDocument: { support: true } },
        ...(own === undefined ? {} : { experimental: { packAuth: { rulePages: own } } }),
      });
      const [diagnostic] = await pageClient.pull(FILE);
      assert.match(diagnostic?.codeDescription?.href ?? "", address);
      const documentRequest = new Promise<{ uri: string }>((resolve) =>
        pageClient.connection.onRequest("window/showDocument", (params) => {
          resolve(params as { uri: string });
          return { success: true };
        }),
      );
      const pages = (await menu(pageClient)).filter(({ title }) => title.startsWith("Show documentation"));
      assert.deepEqual(
        pages.map(({ title, diagnostics, edit }) => [title, diagnostics?.length, edit]),
        [["Show documentation for field-not-for-type", 2, undefined]],
      );
      await pageClient.connection.sendRequest("workspace/executeCommand", pages[0]?.command);
      assert.match((await documentRequest).uri, address);
      await pageClient.stop();
    }
    client = undefined;
  });

  it("a client that can open no page is offered none", async () => {
    assert.ok((await menu(await start({}))).every(({ command }) => command === undefined));
  });

  it("a rule is disabled once for the file, and the next joins the same comment", async () => {
    const plain = await start({});
    const disable = async (version: number, text: string, title: string): Promise<string> => {
      const actions = (await menu(plain)).filter((action) => action.title === title);
      assert.equal(actions.length, 1, title);
      const [edit] = actions[0]?.edit?.changes?.[FILE] ?? [];
      assert.ok(edit);
      plain.change(FILE, version, [{ range: edit.range, text: edit.newText }]);
      const lines = text.split("\n");
      const { line, character } = edit.range.start;
      lines[line] = `${lines[line]?.slice(0, character)}${edit.newText}${lines[line]?.slice(character)}`;
      return lines.join("\n");
    };
    const once = await disable(2, PACK, "Disable field-not-for-type for this file");
    assert.equal(once, `// pack-auth-disable-file field-not-for-type -- reason\n${PACK}`);
    assert.deepEqual(await plain.pull(FILE), []);
    const broken = `${once}pack.setSystemAuthentication({ type: coda.AuthenticationType.WebBsic });\n`;
    plain.change(FILE, 3, [{ text: broken }]);
    const actions = (await plain.connection.sendRequest("textDocument/codeAction", {
      textDocument: { uri: FILE },
      range: { start: { line: 5, character: 0 }, end: { line: 5, character: 200 } },
      context: { diagnostics: [], only: ["quickfix"] },
    })) as CodeAction[];
    const [edit] = actions.find(({ title }) => title === "Disable auth-type-unknown for this file")?.edit?.changes?.[FILE] ?? [];
    assert.ok(edit);
    plain.change(FILE, 4, [{ range: edit.range, text: edit.newText }]);
    assert.equal(edit.newText, ", auth-type-unknown");
    assert.deepEqual(await plain.pull(FILE), []);
  });
});
