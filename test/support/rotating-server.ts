// A provider with single-use refresh tokens: it treats a second use as theft and revokes the whole sign-in (RFC 9700, section 4.14.2).
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

export interface RotatingServer {
  readonly tokenUrl: string;
  readonly apiUrl: string;
  /** Returns the tokens of a new sign-in. */
  issue(): Tokens;
  /** Every refresh token that arrived, in order. */
  readonly receivedTokens: string[];
  /** The refresh tokens that were refused. */
  readonly invalidGrants: string[];
  readonly statistics: { grants: number; refusals: number };
  /** Called before the response to each refresh, which waits for the result. */
  onRefresh: ((token: string) => Promise<void> | void) | undefined;
  close(): void;
}

export async function openRotatingServer(options: { readonly lifetime: number; readonly rotates?: boolean }): Promise<RotatingServer> {
  let count = 0;
  const access = new Map<string, number>();
  /** Refresh token → whether it is still valid. */
  const refresh = new Map<string, boolean>();
  const issue = (): Tokens => {
    count++;
    const tokens = { access: `access-token-${count}`, refresh: `refresh-token-${count}` };
    access.set(tokens.access, Date.now() + options.lifetime * 1000);
    refresh.set(tokens.refresh, true);
    return tokens;
  };
  const listener = createServer(async (request, response) => {
    const json = (status: number, body: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    if (request.url === "/api") {
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
      const good = (access.get(token) ?? 0) > Date.now();
      server.statistics[good ? "grants" : "refusals"]++;
      return json(good ? 200 : 401, {});
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const refreshToken = new URLSearchParams(Buffer.concat(chunks).toString()).get("refresh_token") ?? "";
    server.receivedTokens.push(refreshToken);
    const usable = refresh.get(refreshToken) === true;
    const fresh = usable ? issue() : undefined;
    if (options.rotates !== false && usable) refresh.set(refreshToken, false);
    await server.onRefresh?.(refreshToken);
    if (fresh === undefined) {
      server.invalidGrants.push(refreshToken);
      for (const token of refresh.keys()) refresh.set(token, false);
      return json(400, { error: "invalid_grant" });
    }
    json(200, {
      access_token: fresh.access,
      token_type: "Bearer",
      expires_in: options.lifetime,
      ...(options.rotates === false ? {} : { refresh_token: fresh.refresh }),
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const server: RotatingServer = {
    tokenUrl: `${base}/token`,
    apiUrl: `${base}/api`,
    issue,
    receivedTokens: [],
    invalidGrants: [],
    statistics: { grants: 0, refusals: 0 },
    onRefresh: undefined,
    close() {
      listener.close();
      listener.closeAllConnections();
    },
  };
  return server;
}
