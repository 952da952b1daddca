// Messages over streams: however the bytes are cut, whatever stands between them, and in one piece on the way out.
import assert from "node:assert/strict";
import { once } from "node:events";
import { PassThrough, Writable } from "node:stream";
import fc from "fast-check";
import type { Message } from "vscode-languageserver/node";
import { StreamReader } from "../../server/message-reader.ts";
import { StreamWriter } from "../../server/message-writer.ts";

const RUNS = Number(process.env.PACK_AUTH_PROPERTY_RUNS ?? 200);

const frame = (content: string, before = "", end = ""): Buffer =>
  Buffer.from(`${before}Content-Length: ${Buffer.byteLength(content)}${end}\r\n\r\n${content}`);
const message = (text: unknown): string => JSON.stringify({ jsonrpc: "2.0", method: "x", params: text });

/** What is read of the pieces, and which errors are told. */
async function read(pieces: readonly Uint8Array[]): Promise<{ params: unknown[]; errors: string[] }> {
  const stream = new PassThrough();
  const reader = new StreamReader(stream);
  const params: unknown[] = [];
  const errors: string[] = [];
  reader.onError(({ message }) => errors.push(message));
  reader.listen((found) => params.push((found as { params?: unknown }).params));
  const closed = once(stream, "close");
  for (const piece of pieces) stream.write(piece);
  stream.end();
  await closed;
  return { params, errors };
}

describe("messages over streams", () => {
  it("are read however their bytes are cut, letters of several bytes among them", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "grapheme" }), { maxLength: 5 }),
        fc.array(fc.nat({ max: 600 }), { maxLength: 12 }),
        async (texts, cuts) => {
          const bytes = Buffer.concat(texts.map((text) => frame(message(text))));
          const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
          const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
          assert.deepEqual(await read(pieces), { params: texts, errors: [] });
        },
      ),
      { numRuns: RUNS },
    ));

  it("are read byte by byte", async () => {
    const bytes = Buffer.concat([frame(message("ünï 👩‍🚀")), frame(message("second"))]);
    assert.deepEqual((await read([...bytes].map((byte) => Uint8Array.of(byte)))).params, ["ünï 👩‍🚀", "second"]);
  });

  it("may have other headers, and write the length in any case", async () => {
    const typed = frame(message(1), "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n");
    const behind = frame(message(2), "", "\r\nContent-Type: application/vscode-jsonrpc; charset=utf8");
    const lower = Buffer.from(frame(message(3)).toString().replace("Content-Length: ", "content-length:"));
    assert.deepEqual(await read([typed, behind, lower]), { params: [1, 2, 3], errors: [] });
  });

  for (const [what, nonsense, told] of [
    ["a header without a length", Buffer.from("Content-Size: 7\r\n\r\n"), /Content-Length/],
    ["a length that is none", Buffer.from("Content-Length: many\r\n\r\n"), /Content-Length/],
    ["content that is no JSON", frame("{ no: json"), /JSON/],
    ["content that is empty", frame(""), /JSON/],
    ["a flood without a header", Buffer.from(`${"x".repeat(9_000)}\n`), /Content-Length/],
  ] as const)
    it(`${what} is told, and what comes behind it is read`, async () => {
      const { params, errors } = await read([frame(message("before")), nonsense, frame(message("behind"))]);
      assert.deepEqual(params, ["before", "behind"]);
      assert.equal(errors.length, 1);
      assert.match(errors[0] ?? "", told);
    });

  it("that come in ten thousand pieces are read in no time", async function () {
    this.timeout(20_000);
    const text = "x".repeat(10_000_000);
    const bytes = frame(message(text));
    const pieces = Array.from({ length: 10_000 }, (_, index) =>
      bytes.subarray(Math.floor((index * bytes.length) / 10_000), Math.floor(((index + 1) * bytes.length) / 10_000)),
    );
    assert.equal((await read(pieces)).params[0], text);
  });

  it("are written in one piece, with the length in bytes", async () => {
    const pieces: string[] = [];
    const stream = new Writable({
      write(chunk, _encoding, done) {
        pieces.push(String(chunk));
        done();
      },
    });
    const writer = new StreamWriter(stream);
    const sent = { jsonrpc: "2.0", method: "x", params: ["ünï"] } as Message;
    await Promise.all([writer.write(sent), writer.write(sent)]);
    assert.deepEqual(pieces, [frame(JSON.stringify(sent)).toString(), frame(JSON.stringify(sent)).toString()]);
  });

  it("that cannot be written are told: to who writes, and to who listens", async () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error("gone")) });
    const writer = new StreamWriter(stream);
    const told: unknown[] = [];
    writer.onError(([error, , count]) => told.push([error.message, count]));
    await assert.rejects(writer.write({ jsonrpc: "2.0" }), /gone/);
    assert.deepEqual(told[0], ["gone", 1]);
  });
});
