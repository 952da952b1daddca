// Waits on this machine for the browser to come back (RFC 8252, section 7.3). Invariants: bound to loopback only; one valid callback;
// Host, path and state are checked before anything is believed; closed at once, at the time-out, and on cancel.
import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
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
  /** The callback's parameters; undefined when the signal was aborted. Throws authorization-timed-out. */
  wait(state: string, options: { readonly signal?: AbortSignal; readonly timeout?: number }): Promise<URLSearchParams | undefined>;
  close(): void;
}

const FIVE_MINUTES = 300_000;

/** Starts listening. Throws redirect-port-busy. */
export async function listenForRedirect(settings: RedirectSettings): Promise<Listener> {
  let onRequest: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    if (onRequest) onRequest(request, response);
    else answer(response, 404, "Not waiting for a sign-in.");
  };
  const first = await bind(createServer(handler), "127.0.0.1", settings.port);
  const port = (first.address() as AddressInfo).port;
  // A browser may take localhost for ::1; where the machine has no IPv6 the first listener is enough.
  const second = await bind(createServer(handler), "::1", port).catch(() => undefined);
  const close = (): void => {
    for (const server of [first, second]) {
      server?.close();
      server?.closeIdleConnections();
    }
  };
  return {
    redirectUri: redirectUri(settings, port),
    close,
    wait: (state, { signal, timeout = FIVE_MINUTES }) =>
      new Promise((resolve, reject) => {
        const settle = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", abort);
          onRequest = undefined;
          close();
        };
        const abort = (): void => {
          settle();
          resolve(undefined);
        };
        const timer = setTimeout(() => {
          settle();
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
          const denied = callback.get("error");
          answer(
            response,
            200,
            denied === null
              ? "You are signed in. You can close this page and go back to the editor."
              : "Not signed in. Go back to the editor to see why.",
            settle,
          );
          resolve(callback);
        };
      }),
  };
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
  const url = new URL(request.url ?? "/", `http://${settings.host}:${port}`);
  if (url.pathname !== settings.path) return reject(response, 404, "Nothing is here.");
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
