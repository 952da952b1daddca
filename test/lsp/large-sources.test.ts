// Ten megabytes on one line, as minifiers write them, opened in an editor: the answer is there, says what is not checked, and the
// server goes on. So it does when everything in a large source is replaced at once.
import assert from "node:assert/strict";
import { type LspClient, startServer } from "../support/lsp-client.ts";

const HEAD = 'import*as coda from"@codahq/packs-sdk";export const pack=coda.newPack();pack.addNetworkDomain("acme.example");';
const BAD = `${HEAD}pack.setUserAuthentication({type:coda.AuthenticationType.Nope});`;

/** Functions as a minifier leaves them, ten million characters of them. */
export function minified(): string {
  const parts: string[] = [];
  for (let length = 0, index = 0; length < 10_000_000; index++) {
    const part = `function f${index}(a,b){var c=a+b*${index};if(c>${index}){return{k:[c,"s",/x/g],n:(x=>x*2)(c)}}for(var d=0;d<c;d++){a+=d%3?b:\`t\${d}\`}return c};`;
    parts.push(part);
    length += part.length;
  }
  return parts.join("");
}

describe("ten megabytes on one line, over LSP", function () {
  // A hang guard.
  this.timeout(120_000);
  let server: LspClient;
  const filler = minified();
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  const codes = async (uri: string): Promise<readonly unknown[]> => (await server.pull(uri)).map(({ code }) => code);
  const small = "file:///pack/small.ts";

  for (const [name, text, expected] of [
    ["with a pack in front of it", BAD + filler, ["source-not-checked"]],
    ["with a pack behind it", filler + BAD, ["source-not-checked"]],
    ["without a pack", filler, []],
  ] as const) {
    it(`a large file is answered and edited, and other files are as before: ${name}`, async () => {
      const uri = `file:///pack/${name.replaceAll(" ", "-")}.ts`;
      server.open(uri, text);
      server.open(small, BAD);
      assert.deepEqual(await codes(small), ["auth-type-unknown"]);
      const findings = await server.pull(uri);
      assert.deepEqual(
        findings.map(({ code }) => code),
        expected,
      );
      for (const { message, range } of findings) {
        assert.match(String(message), /ignore.*not checked: it is larger than 100,000 tokens/);
        assert.ok(range.end.line === 0 && range.end.character <= 80);
      }
      const end = { line: 0, character: text.length };
      server.change(uri, 2, [{ range: { start: end, end }, text: "\npack." }]);
      assert.deepEqual(await codes(uri), expected);
      const at = { textDocument: { uri }, position: { line: 1, character: 5 } };
      for (const method of ["textDocument/completion", "textDocument/hover", "textDocument/definition", "textDocument/documentHighlight"])
        await server.connection.sendRequest(method, at);
      for (const method of ["textDocument/documentSymbol", "textDocument/documentLink"])
        await server.connection.sendRequest(method, { textDocument: { uri } });
      const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 10 } };
      await server.connection.sendRequest("textDocument/codeAction", { textDocument: { uri }, range, context: { diagnostics: findings } });
      await server.connection.sendRequest("textDocument/inlayHint", { textDocument: { uri }, range });
      // Cut down to what can be read, it is.
      server.change(uri, 3, [{ text: BAD }]);
      assert.deepEqual(await codes(uri), ["auth-type-unknown"]);
      server.change(small, 2, [{ text: HEAD }]);
      assert.deepEqual(await codes(small), []);
      for (const closedUri of [uri, small])
        void server.connection.sendNotification("textDocument/didClose", { textDocument: { uri: closedUri } });
    });
  }

  it("a string of ten megabytes in a pack does not silence the files beside it", async () => {
    const uri = "file:///pack/text.ts";
    server.open(uri, `${BAD}export const text="${"x".repeat(10_000_000)}";`);
    server.open(small, BAD);
    assert.deepEqual(await codes(small), ["auth-type-unknown"]);
    assert.deepEqual(await codes(uri), ["source-not-checked"]);
  });
});

describe("forty thousand replacements in one message, over LSP", function () {
  // A hang guard: one by one, each copies the text, and that takes minutes.
  this.timeout(60_000);

  it("the replacements apply together, and other files are answered", async () => {
    const server = await startServer();
    const [uri, small] = ["file:///pack/replaced.ts", "file:///pack/beside.ts"];
    const lines = 40_000;
    server.open(uri, `${BAD}\n${'export const someName = { key: "value", other: [1, 2, 3] };\n'.repeat(lines)}`);
    server.open(small, BAD);
    // As editors send them: from the end to the start.
    const changes = Array.from({ length: lines }, (_, index) => ({
      range: { start: { line: lines - index, character: 13 }, end: { line: lines - index, character: 21 } },
      text: "x",
    }));
    server.change(uri, 2, changes);
    assert.deepEqual(
      (await server.pull(small)).map(({ code }) => code),
      ["auth-type-unknown"],
    );
    // The text is the one that the editor has: cut down to its first and last line it is a small pack again.
    const cut = { start: { line: 0, character: BAD.length }, end: { line: lines, character: 0 } };
    server.change(uri, 3, [{ range: cut, text: "\n" }]);
    const [diagnostic] = await server.pull(uri);
    assert.equal(diagnostic?.code, "auth-type-unknown");
    await server.stop();
  });
});
