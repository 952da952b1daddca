// The boundary to the pack process, against everything that could come over it: frames in any pieces, messages of any shape, stacks
// of any length.
import assert from "node:assert/strict";
import fc from "fast-check";
import { BUNDLE_FILENAME, type PackBundle } from "../../../platform/bundle/bundle.ts";
import { mapStack } from "../../../platform/bundle/source-map.ts";
import { readMessage } from "../../../platform/process/boundary.ts";
import { createFrameReader, FRAME_HEADER, FrameTooLarge } from "../../../protocol/frames.ts";
import type { FromPackProcess } from "../../../protocol/pack-process.ts";
import { RUNS } from "../../support/runs.ts";

/** The header of a frame. */
function frameHeader(json: number, attachment: number): Uint8Array {
  const header = new Uint8Array(FRAME_HEADER);
  const view = new DataView(header.buffer);
  view.setUint32(0, json);
  view.setUint32(4, attachment);
  return header;
}

const bundle: PackBundle = {
  entry: "/pack/pack.ts",
  code: "",
  toolkit: "",
  toolkitVersion: undefined,
  sourceMap: JSON.stringify({ version: 3, sources: ["pack.ts"], names: [], mappings: "AAAA;AACA;AACA" }),
  fileOf: (source) => `/pack/${source}`,
  inputs: [],
};

const NO_LIMITS = { json: 1e9, attachment: 1e9, structure: 1e9 };
const frame = (json: string, attachment?: string): Buffer => {
  const body = Buffer.from(attachment ?? "");
  return Buffer.concat([frameHeader(Buffer.byteLength(json), body.length), Buffer.from(json), body]);
};

describe("Frames", () => {
  it("frames arrive whole however the pipe splits them", () => {
    const message = fc.tuple(fc.string(), fc.option(fc.string({ minLength: 1 }), { nil: undefined }));
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (messages, cuts) => {
        const bytes = Buffer.concat(messages.map(([json, attachment]) => frame(json, attachment)));
        const read = createFrameReader<Buffer>(NO_LIMITS, Buffer.alloc);
        const receivedParts: [string, string | undefined][] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const end = at + (cuts[turn % cuts.length] ?? 1);
          for (const receivedFrame of read(bytes.subarray(at, end)))
            receivedParts.push([
              receivedFrame.bytes.toString("utf8", receivedFrame.start, receivedFrame.jsonEnd),
              receivedFrame.end > receivedFrame.jsonEnd
                ? receivedFrame.bytes.toString("utf8", receivedFrame.jsonEnd, receivedFrame.end)
                : undefined,
            ]);
          at = end;
        }
        assert.deepEqual(
          receivedParts,
          messages.map(([json, attachment]) => [Buffer.from(json).toString(), attachment && Buffer.from(attachment).toString()]),
        );
      }),
      // The second piece begins behind a header.
      {
        numRuns: RUNS,
        examples: [
          [
            [
              [" ", "     "],
              ["      ", undefined],
              ["  ", "       "],
            ],
            [22],
          ],
        ],
      },
    );
  });

  it("oversized frames are refused by their header", () => {
    const limits = { json: 100, attachment: 100, structure: 10 };
    const read = () => createFrameReader<Buffer>(limits, Buffer.alloc);
    assert.throws(() => read()(Buffer.from(frameHeader(101, 0))), FrameTooLarge);
    assert.throws(() => read()(Buffer.from(frameHeader(1, 2 ** 32 - 1))), FrameTooLarge);
    assert.throws(() => read()(frame("[".repeat(11))), FrameTooLarge);
    assert.equal(read()(frame("[".repeat(10), "[".repeat(90))).length, 1);
  });
});

describe("The boundary parser", () => {
  const types: readonly FromPackProcess["type"][] = [
    "ready",
    "prepared",
    "loaded",
    "loadFailed",
    "fetch",
    "storeBlob",
    "console",
    "succeeded",
    "failed",
    "pong",
  ];
  const names =
    "selfTest definition error executionId fetchId request stack entry id value unawaited name message method url headers body kind".split(
      " ",
    );
  /** Objects with the names that messages have, and any values in them. */
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.jsonValue({ maxDepth: 1 }),
      fc.string(),
      fc.integer(),
      tie("object"),
      fc.array(tie("object"), { maxLength: 3 }),
    ),
    object: fc.dictionary(fc.constantFrom(...names, "__proto__", "constructor", "toString"), tie("value"), { maxKeys: 6 }),
  }));
  const message = fc
    .tuple(fc.constantFrom(...types, "cancel", "__proto__"), fc.dictionary(fc.constantFrom(...names), value))
    .map(([type, rest]) => ({ ...rest, type }));

  it("a read message has the shape of the protocol or is refused without a throw", () => {
    fc.assert(
      fc.property(fc.oneof(message, fc.jsonValue()), fc.option(fc.string(), { nil: undefined }), (raw, attachment) => {
        const read = readMessage(JSON.stringify(raw), attachment);
        if (read !== undefined) checkShape(read);
      }),
      { numRuns: RUNS },
    );
  }).timeout(120_000);
  it("a text that is no JSON is refused without a throw", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = readMessage(text);
        if (read !== undefined) checkShape(read);
      }),
      { numRuns: RUNS },
    );
    assert.equal(readMessage(`${"[".repeat(100_000)}${"]".repeat(100_000)}`), undefined);
  });
  it("overlong error texts are truncated", () => {
    const long = "x".repeat(1_000_000);
    const read = readMessage(JSON.stringify({ type: "failed", id: 1, error: { name: long, message: long, stack: long } }));
    assert.ok(read?.type === "failed");
    assert.deepEqual([read.error.name.length, read.error.message.length, read.error.stack?.length], [200, 65_536, 32_768]);
  });

  it("messages of the pack process are read without unknown members", () => {
    assert.deepEqual(
      readMessage(
        '{"type":"fetch","executionId":1,"fetchId":2,"request":{"method":"POST","url":"u","body":{"attached":"text"},"extra":1},"more":2}',
        "hello",
      ),
      { type: "fetch", executionId: 1, fetchId: 2, request: { method: "POST", url: "u", body: { text: "hello" } } },
    );
    assert.deepEqual(readMessage('{"type":"failed","id":1,"error":{"name":"E","message":"m","stack":5}}'), {
      type: "failed",
      id: 1,
      error: { name: "E", message: "m" },
    });
  });
  it("definition members of a wrong type are dropped", () => {
    const definition = {
      networkDomains: ["x.com"],
      formulas: [],
      syncTables: [],
      userAuthentication: {
        type: "OAuth2",
        hasGetConnectionName: false,
        postSetup: [],
        scopes: "a b",
        params: [{ name: "a" }],
        tokenUrl: 5,
      },
    };
    const read = readMessage(JSON.stringify({ type: "loaded", definition }));
    assert.ok(read?.type === "loaded");
    assert.deepEqual(read.definition.userAuthentication, {
      type: "OAuth2",
      hasGetConnectionName: false,
      postSetup: [],
      params: [{ name: "a", description: "" }],
    });
  });
});

/** The fields that the host works with are what their types say. */
function checkShape(read: FromPackProcess): void {
  const error = "error" in read ? read.error : undefined;
  if (error !== undefined) {
    assert.deepEqual([typeof error.name, typeof error.message], ["string", "string"]);
    mapStack(error.stack ?? "", bundle);
  }
  if (read.type === "fetch") {
    assert.deepEqual([typeof read.request.method, typeof read.request.url], ["string", "string"]);
    for (const header of Object.values(read.request.headers ?? {})) assert.equal(typeof header, "string");
  }
  if (read.type === "console") assert.equal(typeof read.entry.message, "string");
  if (read.type === "ready") for (const layer of read.selfTest.layers) assert.equal(typeof layer.isEnforced, "boolean");
  if (read.type === "loaded") for (const formula of read.definition.formulas) assert.ok(Array.isArray(formula.parameters));
}

describe("Stack mapping", () => {
  it("any text is mapped without a throw", () => {
    const line = fc.tuple(fc.string(), fc.constantFrom(BUNDLE_FILENAME, "x.js"), fc.integer(), fc.integer());
    const frame = line.map(([name, file, row, column]) => `    at ${name} (${file}:${row}:${column})`);
    fc.assert(
      fc.property(fc.array(fc.oneof(frame, fc.string()), { maxLength: 20 }), (lines) => {
        for (const { location } of mapStack(lines.join("\n"), bundle))
          assert.ok(location !== undefined && location.line >= 0 && location.character >= 0);
      }),
      { numRuns: RUNS },
    );
  });
  it("long stacks are mapped in linear time", () => {
    const startUsage = process.cpuUsage();
    mapStack(`    at ${"a(".repeat(50_000)}:1:1`, bundle);
    mapStack(`    at ${" ".repeat(200_000)}x`, bundle);
    mapStack("    at x (pack-bundle.js:1:1)\n".repeat(100_000), bundle);
    // A guard against hanging; a machine that is held up does not count.
    assert.ok(process.cpuUsage(startUsage).user < 2_000_000);
  });
  it("frames are named, also async ones and constructors", () => {
    const stack = [
      "Error: at (pack-bundle.js:1:1)",
      "    at first (pack-bundle.js:1:1)",
      "    at async second (pack-bundle.js:2:1)",
      "    at new Third (pack-bundle.js:3:1)",
      "    at pack-bundle.js:1:1",
      "    at async pack-bundle.js:1:1",
      "    at Object.f [as g] (pack-bundle.js:1:1)",
      "    at elsewhere (pack-auth:realm:1:1)",
    ].join("\n");
    assert.deepEqual(
      mapStack(stack, bundle).map((stackFrame) => [stackFrame.function, stackFrame.location?.line]),
      [
        ["first", 0],
        ["second", 1],
        ["Third", 2],
        [undefined, 0],
        [undefined, 0],
        ["Object.f [as g]", 0],
      ],
    );
  });
});
