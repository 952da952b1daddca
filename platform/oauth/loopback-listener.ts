// Waits on this machine for the browser to come back (RFC 8252, section 7.3). Invariants: bound to loopback only; one valid callback;
// Host, path and state are checked before anything is believed; closed at once, at the time-out, and on cancel.
import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PackAuthError } from "../errors.ts";

/** The redirect address that is registered at the provider. */
export interface RedirectSettings {
  readonly host: "localhost" | "127.0.0.1";
  /** 0 takes a free port. */
  readonly port: number;
  readonly path: string;
}

/** The one that the toolkit's documentation tells authors to register. */
export const DEFAULT_REDIRECT: RedirectSettings = { host: "localhost", port: 3000, path: "/oauth" };

export function redirectUri(settings: RedirectSettings, port = settings.port): string {
  return `http://${settings.host}:${port}${settings.path}`;
}

export interface Listener {
  readonly redirectUri: string;
  /** The callback's parameters; undefined when it was closed or the signal aborted. Throws authorization-timed-out. */
  wait(state: string, options: { readonly signal?: AbortSignal; readonly timeout?: number }): Promise<URLSearchParams | undefined>;
  close(): void;
}

const FIVE_MINUTES = 300_000;

/** Browsers hold connections open that nobody speaks on; they are given this long to take the last page. */
const LINGER = 2_000;

/** Starts listening. Throws redirect-port-busy. */
export async function listenForRedirect(settings: RedirectSettings): Promise<Listener> {
  let onRequest: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    if (onRequest) onRequest(request, response);
    else answer(response, 404, "Not waiting for a sign-in.");
  };
  const servers = await bindLoopback(handler, settings.port);
  const port = (servers[0].address() as AddressInfo).port;
  /** Ends the waiting that is under way. */
  let stopWaiting: (() => void) | undefined;
  const closeServers = (): void => {
    onRequest = undefined;
    for (const server of servers) {
      server.close();
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), LINGER).unref();
    }
  };
  return {
    redirectUri: redirectUri(settings, port),
    close() {
      stopWaiting?.();
      closeServers();
    },
    wait: (state, { signal, timeout = FIVE_MINUTES }) =>
      new Promise((resolve, reject) => {
        const settle = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", abort);
          onRequest = undefined;
          stopWaiting = undefined;
        };
        const abort = (): void => {
          settle();
          closeServers();
          resolve(undefined);
        };
        stopWaiting = abort;
        const timer = setTimeout(() => {
          settle();
          closeServers();
          reject(
            new PackAuthError("authorization-timed-out", `The browser did not come back within ${Math.round(timeout / 1000)} s.`, {
              hint: `Sign in again. If the provider showed an error, register the redirect address ${redirectUri(settings, port)} there exactly.`,
            }),
          );
        }, timeout);
        if (signal?.aborted) return abort();
        signal?.addEventListener("abort", abort, { once: true });
        onRequest = (request, response) => {
          const callback = readCallback(request, response, settings, port, state);
          if (callback === undefined) return;
          // From here on the state is used up, even while this page is still on its way.
          settle();
          answer(
            response,
            200,
            callback.has("error")
              ? "Not signed in. Go back to the editor to see why."
              : "You are signed in. You can close this page and go back to the editor.",
            closeServers,
          );
          resolve(callback);
        };
      }),
  };
}

const FREE_PORT_TRIES = 5;

/**
 * The same port of 127.0.0.1 and ::1, as a browser may take localhost for either. Where another program holds one of the two, the
 * port counts as busy: that program could be given the code. A machine without IPv6 has the first alone.
 */
async function bindLoopback(handler: RequestListener, port: number): Promise<readonly [Server, ...Server[]]> {
  for (let tries = 1; ; tries++) {
    const first = await bind(createServer(handler), "127.0.0.1", port);
    try {
      return [first, await bind(createServer(handler), "::1", (first.address() as AddressInfo).port)];
    } catch (error) {
      if (error instanceof PackAuthError) {
        first.close();
        if (port === 0 && tries < FREE_PORT_TRIES) continue;
        throw error;
      }
      return [first];
    }
  }
}

function bind(server: Server, host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) =>
      reject(
        cause.code === "EADDRINUSE" || cause.code === "EACCES"
          ? new PackAuthError(
              "redirect-port-busy",
              `Port ${port}, where the browser comes back to, is ${cause.code === "EACCES" ? "not allowed" : "in use by another program"}.`,
              {
                hint: "Stop that program, or choose another port in the setting packAuth.redirect.port and register the new address at the provider.",
                cause,
              },
            )
          : cause,
      ),
    );
    server.listen(port, host, () => resolve(server));
  });
}

/** The parameters of a valid callback; anything else is answered and ignored. */
function readCallback(
  request: IncomingMessage,
  response: ServerResponse,
  settings: RedirectSettings,
  port: number,
  state: string,
): URLSearchParams | undefined {
  const hosts = [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`];
  if (!hosts.includes((request.headers.host ?? "").toLowerCase())) return reject(response, 421, "This address is not served here.");
  const target = request.url ?? "";
  // `//` and full URLs are no path of ours, and some are no URL at all.
  if (!/^\/(?!\/)/.test(target) || !URL.canParse(target, `http://${settings.host}:${port}`))
    return reject(response, 404, "Nothing is here.");
  const url = new URL(target, `http://${settings.host}:${port}`);
  if (url.pathname !== new URL(settings.path, url).pathname) return reject(response, 404, "Nothing is here.");
  if (request.method !== "GET") return reject(response, 405, "Only GET is answered here.");
  const given = Buffer.from(url.searchParams.get("state") ?? "");
  const wanted = Buffer.from(state);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    return reject(response, 400, "This answer belongs to no sign-in that is under way.");
  if (!url.searchParams.has("code") && !url.searchParams.has("error"))
    return reject(response, 400, "This answer holds neither a code nor an error.");
  return url.searchParams;
}

function reject(response: ServerResponse, status: number, text: string): undefined {
  answer(response, status, text);
  return undefined;
}

function answer(response: ServerResponse, status: number, text: string, sent?: () => void): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    connection: "close",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  });
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pack Auth</title><style>body{font:16px system-ui;margin:20vh auto;max-width:32em;padding:0 1em;color-scheme:light dark}</style><main><h1>Pack Auth</h1><p>${text}</p></main></html>`,
    sent,
  );
}
