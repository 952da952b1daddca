// Messages that come faster than they are answered, in whichever pieces: each is handled once, in its order, and each question has one
// answer, by the text that it stood behind.
import assert from "node:assert/strict";
import fc from "fast-check";
import { LSPErrorCodes, type Message, StreamMessageReader } from "vscode-languageserver/node";
import { type LspClient, startServer } from "../support/lsp-client.ts";
import { RUNS } from "../support/runs.ts";

const URI = "file:///queued/pack.ts";

/** Each line is a place where a letter too many makes a finding. */
const source = (lines: number): string =>
  `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n${`/* ünï 𝒳👩‍🚀 */ pack.setUserAuthentication({ type: coda.AuthenticationType.None });\n`.repeat(lines)}`;
const AT = { line: 2, character: `/* ünï 𝒳👩‍🚀 */ pack.setUserAuthentication({ type: coda.AuthenticationType.None`.length };

interface ServerResponse {
  readonly id: number | string;
  readonly result?: { readonly items: readonly { readonly code: string }[] };
  readonly error?: { readonly code: number };
}

const frame = (message: object): Buffer => {
  const content = JSON.stringify({ jsonrpc: "2.0", ...message });
  return Buffer.from(`Content-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}`);
};

describe("queued messages", function () {
  this.timeout(60_000);
  let client: LspClient;
  let responses: ServerResponse[];
  let version = 1;
  before(async () => {
    client = await startServer();
    client.open(URI, source(1));
    new StreamMessageReader(client.child.stdout).listen((message: Message) => {
      const { id } = message as unknown as ServerResponse;
      if (typeof id === "string") responses.push(message as unknown as ServerResponse);
    });
  });
  beforeEach(() => {
    responses = [];
  });
  after(() => client.stop());

  const change = (letter: string): object => {
    version++;
    const end = letter === "" ? { ...AT, character: AT.character + 1 } : AT;
    return {
      method: "textDocument/didChange",
      params: { textDocument: { uri: URI, version }, contentChanges: [{ range: { start: AT, end }, text: letter }] },
    };
  };
  const pull = (id: string): object => ({ id, method: "textDocument/diagnostic", params: { textDocument: { uri: URI } } });
  const isBroken = ({ result }: ServerResponse): boolean | undefined => result?.items.some(({ code }) => code === "auth-type-unknown");

  it("messages are handled in order, however their bytes are cut", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("change", "pull", "unknown", "cancel"), { maxLength: 20 }),
        fc.array(fc.nat({ max: 4_000 }), { maxLength: 6 }),
        async (kinds, cuts) => {
          responses = [];
          let broken = false;
          const expected: unknown[] = [];
          const messages = kinds.map((kind, index) => {
            const id = `${version} ${index}`;
            if (kind === "change") {
              broken = !broken;
              return change(broken ? "x" : "");
            }
            if (kind === "pull") {
              expected.push([id, broken]);
              return pull(id);
            }
            // Takes nothing back: what it names was never asked.
            if (kind === "cancel") return { method: "$/cancelRequest", params: { id: -index } };
            return { method: "no/such/notification", params: {} };
          });
          if (broken) messages.push(change(""));
          const bytes = Buffer.concat(messages.map(frame));
          const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
          for (const [index, end] of places.slice(1).entries()) {
            client.child.stdin.write(bytes.subarray(places[index], end));
            await new Promise(setImmediate);
          }
          // The last answer comes behind all others.
          assert.equal((await client.pull(URI)).length, 0);
          assert.deepEqual(
            responses.map((response) => [response.id, isBroken(response)]),
            expected,
          );
        },
      ),
      { numRuns: RUNS },
    ));

  it("a request that is cancelled before its turn is answered as cancelled", async () => {
    const methods = ["textDocument/diagnostic", "textDocument/codeLens", "textDocument/hover", "textDocument/documentSymbol"];
    const ids = methods.map((_, index) => `question ${index}`);
    const params = { textDocument: { uri: URI }, position: AT };
    const messages = [
      ...methods.map((method, index) => ({ id: ids[index], method, params })),
      ...ids.map((id) => ({ method: "$/cancelRequest", params: { id } })),
    ];
    // In one piece: of what is sent one by one, each may be answered before its cancellation comes.
    client.child.stdin.write(Buffer.concat(messages.map(frame)));
    await client.pull(URI);
    assert.deepEqual(
      responses.map(({ id, error }) => [id, error?.code]),
      ids.map((id) => [id, LSPErrorCodes.RequestCancelled]),
    );
  });
});
