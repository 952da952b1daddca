// Servers that misbehave, against Node's own fetch over real sockets: every fault ends in time, with bounded memory and one message
// that says what happened.
import assert from "node:assert/strict";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { LARGEST_RESPONSE } from "../../../platform/bodies/response-body.ts";
import { leadsInside } from "../../../platform/network/look-up.ts";
import { auth, type BrokerSetup, failure, onWire, success, TOKEN, type WiredBroker } from "../../support/broker.ts";
import { keepPort } from "../../support/reserved-port.ts";
import { openWire, type Wire } from "../../support/wire.ts";

/** Deadlines of the broker under test, and what the test itself waits before it calls something a hang. */
const SHORT = 250;
const HANG = 10_000;

const head = (more: string): string => `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n${more}\r\n\r\n`;

describe("Network faults at the broker", () => {
  let server: Server;
  let port: number;
  let behave: (socket: Socket) => void;
  const sockets = new Set<Socket>();
  let wire: Wire;
  before(async () => {
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.once("data", () => behave(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
    wire = await openWire();
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  });
  after(async () => {
    server.close();
    await wire.close();
  });

  const local = (setup: BrokerSetup = {}): WiredBroker =>
    onWire(wire, {
      domains: ["127.0.0.1"],
      authentication: auth("HeaderBearerToken"),
      allowLoopback: true,
      fetch: (url, init) => fetch(url, init),
      timeout: HANG,
      ...setup,
    });
  const url = () => `http://127.0.0.1:${port}/x`;

  const faults: readonly (readonly [what: string, behaviour: (socket: Socket) => void, message: RegExp, setup?: BrokerSetup])[] = [
    ["a server that never answers", () => {}, /127\.0\.0\.1:\d+ did not answer within 0\.25 s\./, { timeout: SHORT }],
    [
      "a body that stalls",
      (socket) => socket.write(`${head("Content-Length: 100")}half`),
      /did not answer within 0\.25 s\./,
      { timeout: SHORT },
    ],
    [
      "a body that drips",
      (socket) => {
        socket.write(head("Content-Length: 1000000"));
        const drip = setInterval(() => socket.write("x"), 20);
        socket.on("close", () => clearInterval(drip));
      },
      /did not answer within 0\.25 s\./,
      { timeout: SHORT },
    ],
    ["a connection reset before the answer", (socket) => socket.resetAndDestroy(), /closed the connection/],
    ["a connection closed before the answer", (socket) => socket.end(), /closed the connection/],
    [
      "a connection reset in the body",
      (socket) => socket.write(`${head("Content-Length: 100")}half`, () => setTimeout(() => socket.resetAndDestroy(), 20)),
      /closed the connection/,
    ],
    ["a body cut short", (socket) => socket.end(`${head("Content-Length: 100")}half`), /closed the connection|sent less/],
    ["chunks cut short", (socket) => socket.end(`${head("Transfer-Encoding: chunked")}4\r\nhalf\r\n`), /closed the connection/],
    [
      "gzip cut short",
      (socket) =>
        socket.end(
          Buffer.concat([Buffer.from(head("Content-Encoding: gzip\r\nContent-Length: 60")), gzipSync("x".repeat(9_000)).subarray(0, 20)]),
        ),
      /cannot be unpacked|closed the connection/,
    ],
    // Some versions of Node's fetch swallow the fault of the decoder: then the deadline ends it.
    [
      "invalid gzip",
      (socket) => socket.end(`${head("Content-Encoding: gzip")}nonsense`),
      /cannot be unpacked|did not answer within/,
      { timeout: SHORT },
    ],
    [
      "invalid brotli",
      (socket) => socket.end(`${head("Content-Encoding: br")}nonsense`),
      /cannot be unpacked|did not answer within/,
      { timeout: SHORT },
    ],
    ["an answer that is no HTTP", (socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"), /the request to 127\.0\.0\.1:\d+ failed/],
    ["headers without an end", (socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(200_000)}`), /headers that are too large/],
    [
      "ten thousand headers",
      (socket) => socket.write(`HTTP/1.1 200 OK\r\n${"X-Many: y\r\n".repeat(10_000)}\r\n`),
      /headers that are too large/,
    ],
    [
      "a body over the limit",
      (socket) => socket.end(`${head("Connection: close")}${"x".repeat(200_001)}`),
      /larger than/,
      { largestResponse: 200_000 },
    ],
    [
      "a body without an end",
      (socket) => socket.write(head("Connection: close"), () => flood(socket)),
      /larger than/,
      { largestResponse: 1_000_000 },
    ],
    [
      "JSON that nests too deeply",
      (socket) => socket.end(`${head("Connection: close")}${"[".repeat(50_000)}${"]".repeat(50_000)}`),
      /nests more than 1000 levels/,
    ],
  ];
  for (const [what, behaviour, message, setup] of faults) {
    it(`${what} ends in time with one message and a trace`, async () => {
      behave = behaviour;
      const { send, traces } = local(setup);
      const failureText = failure(await withinTime(send({ url: url() })));
      assert.match(failureText, message);
      assert.ok(!failureText.includes("undefined") && !failureText.includes("[object"), failureText);
      assert.equal(traces.length, 1);
      // Nesting is found out after the answer was read, which the trace shows whole.
      assert.equal(traces[0]?.failureReason === undefined, what.startsWith("JSON"));
      assert.ok(!JSON.stringify([failureText, traces]).includes(TOKEN));
    });
  }

  it("a decompression bomb of 2 GB stops at the platform's limit with bounded memory", async () => {
    const member = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    behave = (socket) => {
      socket.write(head("Content-Encoding: gzip\r\nConnection: close"));
      for (let i = 0; i < 32; i++) socket.write(member);
      socket.end();
    };
    const before = process.memoryUsage().rss;
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 5);
    const { send, platformDifferences } = local();
    const failureText = failure(await withinTime(send({ url: url() })));
    clearInterval(watch);
    assert.match(failureText, /larger than 25 MB/);
    assert.match(platformDifferences.join(), /the platform's limit/);
    assert.ok(most - before < 10 * LARGEST_RESPONSE, `${Math.round((most - before) / 1_048_576)} MB more`);
  });
  it("a body of exactly the limit is accepted", async () => {
    const body = brotliCompressSync(Buffer.alloc(LARGEST_RESPONSE, "x"), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
    behave = (socket) => socket.end(Buffer.concat([Buffer.from(head(`Content-Encoding: br\r\nContent-Length: ${body.length}`)), body]));
    const { send, traces } = local();
    success(await withinTime(send({ url: url() })));
    assert.equal(traces[0]?.size, LARGEST_RESPONSE);
  });
  it("a port without a listener is named", async () => {
    const { port: free, release } = await keepPort();
    assert.equal(failure(await local().send({ url: `http://127.0.0.1:${free}/` })), `127.0.0.1:${free} refuses connections.`);
    release();
  });
  it("a name that resolves to a private address while connecting is reported in one sentence", async () => {
    const fetch = async (): Promise<never> => {
      throw new TypeError("fetch failed", { cause: leadsInside("shop.example", "10.0.0.1") });
    };
    const failureText = failure(await local({ fetch }).send({ url: url() }));
    assert.equal(failureText, "Not sent: shop.example resolves to 10.0.0.1, an address of a private network.");
  });
  it("a server without TLS is not blamed on its certificate", async () => {
    behave = (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    assert.match(
      failure(await withinTime(local().send({ url: `https://127.0.0.1:${port}/` }))),
      /no secure connection to 127\.0\.0\.1:\d+ could be made/,
    );
  });
  it("a cancel ends the wait before, during and after the headers", async () => {
    for (const behaviour of [() => {}, (socket: Socket) => void socket.write(`${head("Content-Length: 100")}half`)]) {
      behave = behaviour;
      const { send, traces } = local();
      const abort = new AbortController();
      setTimeout(() => abort.abort(), 50);
      assert.equal(failure(await withinTime(send({ url: url() }, abort.signal))), "The run was stopped.");
      assert.equal(traces[0]?.failureReason, `the request to ${new URL(traces[0]?.url ?? "").host} was stopped`);
    }
    const { send } = local();
    assert.equal(failure(await send({ url: url() }, AbortSignal.abort())), "The run was stopped.");
  });
  it("a lookup, fetch or refresh that ignores the signal ends in time", async () => {
    const never = new Promise<never>(() => {});
    const late = /did not answer within 0\.25 s\./;
    const remote = (setup: BrokerSetup) => onWire(wire, { timeout: SHORT, ...setup });
    assert.match(failure(await withinTime(remote({ lookup: () => never }).send({ url: "https://good.com/" }))), late);
    assert.match(failure(await withinTime(remote({ fetch: () => never }).send({ url: "https://good.com/" }))), late);
    wire.respond = (_request, response) => response.writeHead(401).end();
    assert.match(failure(await withinTime(remote({ refresh: () => never }).send({ url: "https://good.com/" }))), late);
  });
  it("a slow redirect loop ends with the whole request's time limit", async () => {
    await wire.reset();
    wire.respond = (_request, response) => void setTimeout(() => response.writeHead(302, { location: "/again" }).end(), 100);
    assert.match(failure(await withinTime(onWire(wire, { timeout: SHORT }).send({ url: "https://good.com/" }))), /did not answer within/);
    assert.ok(wire.requests.length <= 3);
  });
});

function flood(socket: Socket): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write("x".repeat(65_536)));
    if (!socket.destroyed) socket.once("drain", more);
  };
  more();
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("it hangs")), HANG);
  });
  return Promise.race([work, hang]).finally(() => clearTimeout(timer));
}
