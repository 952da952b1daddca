// Messages that are answered in the turn in which they come, beside a real connection that has all others: whatever comes in whichever
// pieces, each is handled once, in its order, and each question has one answer.
import assert from "node:assert/strict";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { createConnection, ErrorCodes, LSPErrorCodes, type Message, ProposedFeatures, ResponseError } from "vscode-languageserver/node";
import { createAtOnce } from "../../server/at-once.ts";
import { StreamReader } from "../../server/message-reader.ts";
import { StreamWriter } from "../../server/message-writer.ts";

const RUNS = Number(process.env.PACK_AUTH_PROPERTY_RUNS ?? 200);

type Sent = { readonly id?: number; readonly method: string; readonly params?: unknown };
type Answer = { readonly id: number; readonly result?: unknown; readonly error?: { readonly code: number; readonly message: string } };

const CHANGE = "test/change";
const PULL = "test/pull";

/** A server that notes what it handles. `change` and `pull` may be answered at once; `other` and `ask` are the library's. */
function serve() {
  const input = new PassThrough();
  const output = new PassThrough();
  const handled: unknown[] = [];
  const failed: string[] = [];
  /** Those that were handled in the turn in which they came. */
  const atOnceHandled: unknown[] = [];
  let turn = true;
  const writer = new StreamWriter(output);
  const atOnce = createAtOnce(writer, (method, error) => failed.push(`${method}: ${String(error)}`));
  const options = { messageStrategy: atOnce.strategy };
  const connection = createConnection(ProposedFeatures.all, new StreamReader(input, atOnce.take), writer, options);
  const change = ({ n, fault }: { n: number; fault?: string }): void => {
    handled.push(n);
    if (turn) atOnceHandled.push(n);
    if (fault !== undefined) throw new Error(fault);
  };
  const pull = ({ n, fault, refuse }: { n: number; fault?: string; refuse?: boolean }): unknown => {
    handled.push(n);
    if (turn) atOnceHandled.push(n);
    if (fault !== undefined) throw new Error(fault);
    return refuse === true ? new ResponseError(LSPErrorCodes.RequestFailed, "refused") : { n };
  };
  connection.onNotification(CHANGE, change);
  connection.onRequest(PULL, pull);
  atOnce.notification(CHANGE, change);
  atOnce.request(PULL, pull);
  connection.onNotification("test/other", ({ n }: { n: number }) => void handled.push(n));
  connection.onRequest("test/ask", ({ n }: { n: number }) => {
    handled.push(n);
    return { n };
  });
  connection.listen();
  const answers: Answer[] = [];
  new StreamReader(output).listen((message) => {
    if ("id" in message) answers.push(message as Message & Answer);
  });
  return {
    handled,
    atOnceHandled,
    answers,
    failed,
    /** In one piece. What the server does in this very turn it does at once. */
    send(...sent: readonly Sent[]): void {
      const texts = sent.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));
      turn = true;
      input.write(texts.map((text) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`).join(""));
      turn = false;
    },
    async settle(questions: number): Promise<void> {
      while (answers.length < questions) await once(output, "data");
      await setImmediate();
    },
  };
}

describe("messages answered at once", () => {
  it("keep their order among those of the library, and each question has one answer, however the input is cut", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.constantFrom("change", "pull", "other", "ask", "cancel"), { minLength: 1, maxLength: 5 }), { maxLength: 8 }),
        fc.array(fc.nat({ max: 3 })),
        async (pieces, pauses) => {
          const server = serve();
          let n = 0;
          const sent: number[] = [];
          const questions: number[] = [];
          for (const [index, piece] of pieces.entries()) {
            const messages = piece.map((kind): Sent => {
              n++;
              // Takes nothing back: what it names was never asked.
              if (kind === "cancel") return { method: "$/cancelRequest", params: { id: -n } };
              sent.push(n);
              if (kind === "pull" || kind === "ask") questions.push(n);
              return { method: `test/${kind}`, params: { n }, ...(kind === "pull" || kind === "ask" ? { id: n } : {}) };
            });
            server.send(...messages);
            for (let turns = pauses[index] ?? 0; turns > 0; turns--) await setImmediate();
          }
          server.send({ id: 1_000_000, method: "test/ask", params: { n: 0 } });
          await server.settle(questions.length + 1);
          assert.deepEqual(server.handled, [...sent, 0]);
          assert.deepEqual(
            server.answers.map(({ id, result }) => [id, result]),
            [...questions.map((id) => [id, { n: id }]), [1_000_000, { n: 0 }]],
          );
        },
      ),
      { numRuns: RUNS },
    ));

  it("are a change and the question behind it; not what stands behind others, nor several questions", async () => {
    const { send, settle, atOnceHandled } = serve();
    send({ method: CHANGE, params: { n: 1 } }, { id: 2, method: PULL, params: { n: 2 } });
    assert.deepEqual(atOnceHandled, [1, 2]);
    send({ method: "test/other", params: { n: 3 } });
    send({ id: 4, method: PULL, params: { n: 4 } });
    await settle(2);
    send({ id: 5, method: PULL, params: { n: 5 } }, { id: 6, method: PULL, params: { n: 6 } });
    await settle(4);
    assert.deepEqual(atOnceHandled, [1, 2]);
    send({ id: 7, method: PULL, params: { n: 7 } });
    assert.deepEqual(atOnceHandled, [1, 2, 7]);
  });

  it("are answered at once again after a cancellation, of whatever", async () => {
    const { send, settle, atOnceHandled } = serve();
    send({ id: 1, method: "test/ask", params: { n: 1 } }, { method: "$/cancelRequest", params: { id: 1 } });
    send({ method: "$/cancelRequest", params: { id: 77 } });
    await settle(1);
    send({ id: 2, method: PULL, params: { n: 2 } });
    assert.deepEqual(atOnceHandled, [2]);
  });

  it("fail as the library's do: a question is told why, and what comes behind is handled", async () => {
    const { send, settle, answers, failed, handled } = serve();
    send({ method: CHANGE, params: { n: 1, fault: "no such line" } }, { id: 2, method: PULL, params: { n: 2, fault: "no such file" } });
    send({ id: 3, method: PULL, params: { n: 3, refuse: true } });
    send({ id: 4, method: PULL, params: { n: 4 } });
    await settle(3);
    assert.deepEqual(failed, [`${CHANGE}: Error: no such line`]);
    assert.deepEqual(handled, [1, 2, 3, 4]);
    const [faulty, refused, fine] = answers;
    assert.deepEqual(faulty, {
      jsonrpc: "2.0",
      id: 2,
      error: { code: ErrorCodes.InternalError, message: `Request ${PULL} failed with message: no such file` },
    });
    assert.deepEqual(refused?.error, { code: LSPErrorCodes.RequestFailed, message: "refused" });
    assert.deepEqual(fine?.result, { n: 4 });
  });

  it("are not those without params, nor a question without an id: these are the library's to judge", async () => {
    const { send, settle, answers, atOnceHandled } = serve();
    send({ id: 1, method: PULL });
    await settle(1);
    send({ id: 2, method: CHANGE, params: { n: 2 } });
    await settle(2);
    send({ method: PULL, params: { n: 3 } });
    await settle(2);
    assert.deepEqual(atOnceHandled, []);
    assert.equal(answers.find(({ id }) => id === 2)?.error?.code, ErrorCodes.MethodNotFound);
  });
});
