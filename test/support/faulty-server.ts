// A server that fails in one of the ways in which servers and networks fail, over plain sockets or untrusted TLS.
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { selfSigned } from "./certificates.ts";
import { keepPort } from "./reserved-port.ts";

export type Fault = "slow" | "stalled" | "reset" | "truncated" | "huge" | "bad TLS" | "429" | "5xx" | "nobody";
export const FAULTS: readonly Fault[] = ["slow", "stalled", "reset", "truncated", "huge", "bad TLS", "429", "5xx", "nobody"];

const head = (status: string, more: string): string => `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`;

const BEHAVIOUR: Readonly<Record<Exclude<Fault, "bad TLS" | "nobody">, (socket: Socket) => void>> = {
  slow: (socket) => {
    socket.write(head("200 OK", "Content-Length: 1000000"));
    const drip = setInterval(() => socket.write("x"), 20);
    socket.on("close", () => clearInterval(drip));
  },
  stalled: () => {},
  reset: (socket) => socket.resetAndDestroy(),
  truncated: (socket) => socket.end(`${head("200 OK", "Content-Length: 100")}{"access_token":"hal`),
  huge: (socket) => socket.end(`${head("200 OK", "Connection: close")}{"access_token":"${"x".repeat(2_000_000)}"}`),
  "429": (socket) => socket.end(head("429 Too Many Requests", "Retry-After: 60\r\nContent-Length: 0")),
  "5xx": (socket) => socket.end(head("503 Service Unavailable", "Content-Length: 0")),
};

export interface FaultyServer {
  readonly origin: string;
  /** The number of requests that arrived, without TLS handshakes. */
  readonly requests: () => number;
  close(): void;
}

export async function openFaultyServer(fault: Fault): Promise<FaultyServer> {
  if (fault === "nobody") {
    const { port, release } = await keepPort();
    return { origin: `http://127.0.0.1:${port}`, requests: () => 0, close: release };
  }
  let requests = 0;
  const sockets = new Set<Socket>();
  const serve = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => {
      requests++;
      if (fault !== "bad TLS") BEHAVIOUR[fault](socket);
    });
  };
  const server: Server = fault === "bad TLS" ? createTlsServer(await selfSigned(), serve) : createServer(serve);
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${fault === "bad TLS" ? "https" : "http"}://127.0.0.1:${port}`,
    requests: () => requests,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
