// A raw OAuth provider: it responds to token requests as the test defines, and redirects the browser from the authorization page at once.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface TokenServerResponse {
  readonly status?: number;
  readonly type?: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TokenServer {
  readonly base: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly port: number;
  /** The responses in order; the last one repeats. */
  responses: TokenServerResponse[];
  /** Replaces `responses`: receives the form of the token request. A promise that never settles means no response. */
  reply: ((form: URLSearchParams) => TokenServerResponse | Promise<TokenServerResponse>) | undefined;
  /** Returns the server's metadata at a well-known path; undefined means 404. */
  metadata: ((path: string) => unknown) | undefined;
  /** The requests to the token endpoint. */
  readonly received: { readonly path: string; readonly headers: NodeJS.Dict<string | string[]>; readonly body: string }[];
  /** Returns the parameters that the authorization page adds to the redirect address. */
  callback: (parameters: URLSearchParams) => Readonly<Record<string, string | readonly string[]>>;
  reset(): void;
  close(): void;
}

const approve: TokenServer["callback"] = (parameters) => ({ code: "the-code-of-this-attempt", state: parameters.get("state") ?? "" });

export async function openTokenServer(): Promise<TokenServer> {
  const listener = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    if (url.pathname.endsWith("/authorize")) {
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      for (const [name, value] of Object.entries(server.callback(url.searchParams)))
        for (const each of [value].flat()) back.searchParams.append(name, each);
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    if (url.pathname.includes("/.well-known/")) {
      const metadata = server.metadata?.(url.pathname);
      response.writeHead(metadata === undefined ? 404 : 200, { "content-type": "application/json" }).end(JSON.stringify(metadata ?? {}));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    server.received.push({ path: url.pathname, headers: request.headers, body });
    const nextResponse = server.reply
      ? await server.reply(new URLSearchParams(body))
      : server.responses.length > 1
        ? server.responses.shift()
        : server.responses[0];
    response.writeHead(nextResponse?.status ?? 200, { "content-type": nextResponse?.type ?? "application/json", ...nextResponse?.headers });
    response.end(nextResponse?.body);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  const server: TokenServer = {
    base: `http://127.0.0.1:${port}`,
    authorizationUrl: `http://127.0.0.1:${port}/authorize`,
    tokenUrl: `http://127.0.0.1:${port}/token`,
    port,
    responses: [],
    reply: undefined,
    metadata: undefined,
    received: [],
    callback: approve,
    reset() {
      server.responses = [];
      server.reply = undefined;
      server.metadata = undefined;
      server.received.length = 0;
      server.callback = approve;
    },
    close() {
      listener.close();
      listener.closeAllConnections();
    },
  };
  return server;
}
