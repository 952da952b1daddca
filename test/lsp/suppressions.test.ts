// The quick fix that silences one finding, as an editor asks for it.
import assert from "node:assert/strict";
import type { CodeAction } from "vscode-languageserver/node";
import { startServer } from "../support/lsp-client.ts";

describe("disabling a rule for a line", () => {
  it("the action comes before that for the whole file, and silences the finding", async () => {
    const client = await startServer();
    const uri = "file:///pack/pack.ts";
    const text = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
  pack.setUserAuthentication({ type: coda.AuthenticationType.WebBsic });
`;
    client.open(uri, text);
    const [diagnostic] = await client.pull(uri);
    assert.ok(diagnostic);
    const actions = (await client.connection.sendRequest("textDocument/codeAction", {
      textDocument: { uri },
      range: diagnostic.range,
      context: { diagnostics: [diagnostic], only: ["quickfix"] },
    })) as CodeAction[];
    const action = actions.at(-2);
    assert.equal(action?.title, "Disable auth-type-unknown for this line");
    assert.equal(actions.at(-1)?.title, "Disable auth-type-unknown for this file");
    assert.ok(!action.isPreferred);
    const [edit] = action.edit?.changes?.[uri] ?? [];
    assert.ok(edit);
    client.change(uri, 2, [{ range: edit.range, text: edit.newText }]);
    assert.deepEqual(await client.pull(uri), []);
    await client.stop();
  });
});
