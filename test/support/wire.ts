// A wire that every host name leads to: one real server on this machine, reached over real sockets by a real HTTP client. It counts every
// connection, so that a test can show that none was opened.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Agent, fetch as undiciFetch } from "undici";
import type { Fetch } from "../../platform/host.ts";

export interface WireRequest {
  readonly host: string;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type Responder = (request: WireRequest, response: ServerResponse, raw: IncomingMessage) => void;

export interface Wire {
  /** The host's fetch for a broker. */
  readonly fetch: Fetch;
  /** Resolves every name to a public address. */
  readonly lookup: (host: string) => Promise<readonly string[]>;
  /** `https://host:port` of every connection that was opened. */
  readonly connections: string[];
  readonly requests: WireRequest[];
  respond: Responder;
  /** Resets the counts and closes the connections, so that the next request needs a new one. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const asJson: Responder = (_request, response) => void response.setHeader("content-type", "application/json").end('{"ok":true}');

export async function openWire(): Promise<Wire> {
  const server = createServer(async (raw, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of raw) chunks.push(chunk as Buffer);
    const request: WireRequest = {
      host: raw.headers.host ?? "",
      method: raw.method ?? "",
      path: raw.url ?? "",
      headers: raw.headers,
      body: Buffer.concat(chunks).toString(),
    };
    wire.requests.push(request);
    wire.respond(request, response, raw);
  });
  server.on("clientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const makeAgent = (): Agent =>
    new Agent({
      connect: (options, callback) => {
        wire.connections.push(`${options.protocol}//${options.hostname}:${options.port}`);
        const socket = connect(port, "127.0.0.1");
        socket.once("error", (error) => callback(error, null));
        socket.once("connect", () => callback(null, socket));
      },
    });
  let agent = makeAgent();
  const wire: Wire = {
    connections: [],
    requests: [],
    respond: asJson,
    fetch: (url, init) =>
      undiciFetch(url, { ...init, dispatcher: agent } as Parameters<typeof undiciFetch>[1]) as unknown as Promise<Response>,
    lookup: async () => ["93.184.216.34"],
    async reset() {
      await agent.destroy();
      server.closeAllConnections();
      agent = makeAgent();
      wire.connections.length = 0;
      wire.requests.length = 0;
      wire.respond = asJson;
    },
    async close() {
      await agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return wire;
}

export type SuiteWire = Omit<Wire, "reset" | "close">;

/** Returns the wire of the calling suite. It opens before the tests, is reset before each, and closes after them. */
export function wireOfSuite(): SuiteWire {
  let wire: Wire | undefined;
  before(async () => {
    wire = await openWire();
  });
  beforeEach(() => wire?.reset());
  after(() => wire?.close());
  const now = (): Wire => {
    if (wire === undefined) throw new Error("no test is running");
    return wire;
  };
  return {
    get fetch() {
      return now().fetch;
    },
    get lookup() {
      return now().lookup;
    },
    get connections() {
      return now().connections;
    },
    get requests() {
      return now().requests;
    },
    get respond() {
      return now().respond;
    },
    set respond(responder) {
      now().respond = responder;
    },
  };
}
