// A raw OAuth provider: answers the token request as a test says, and sends the browser straight back from the authorization page.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Answer {
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
  /** One after the other, and the last for ever. */
  answers: Answer[];
  /** In place of the answers: given the form of the token request. Never settled: no answer. */
  reply: ((form: URLSearchParams) => Answer | Promise<Answer>) | undefined;
  /** What the server tells of itself at a well-known path; undefined: 404. */
  metadata: ((path: string) => unknown) | undefined;
  /** Of the token endpoint. */
  readonly received: { readonly path: string; readonly headers: NodeJS.Dict<string | string[]>; readonly body: string }[];
  /** What the authorization page adds to the redirect address. */
  callback: (asked: URLSearchParams) => Readonly<Record<string, string | readonly string[]>>;
  reset(): void;
  close(): void;
}

const approve: TokenServer["callback"] = (asked) => ({ code: "the-code-of-this-attempt", state: asked.get("state") ?? "" });

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
    const answer = server.reply
      ? await server.reply(new URLSearchParams(body))
      : server.answers.length > 1
        ? server.answers.shift()
        : server.answers[0];
    response.writeHead(answer?.status ?? 200, { "content-type": answer?.type ?? "application/json", ...answer?.headers });
    response.end(answer?.body);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  const server: TokenServer = {
    base: `http://127.0.0.1:${port}`,
    authorizationUrl: `http://127.0.0.1:${port}/authorize`,
    tokenUrl: `http://127.0.0.1:${port}/token`,
    port,
    answers: [],
    reply: undefined,
    metadata: undefined,
    received: [],
    callback: approve,
    reset() {
      server.answers = [];
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
