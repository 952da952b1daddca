// Listens on this machine for the browser's redirect (RFC 8252, section 7.3). Invariants: it binds to loopback only and accepts one valid
// callback. Host, path and state are checked before anything is trusted. It closes after the callback, at the time-out, and on cancel.

import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { printable } from "../../base/printable.ts";
import { quoteError } from "../diagnosis/words.ts";
import { PackAuthError } from "../errors.ts";
import { browserPage, pageMark } from "./browser-page.ts";
import { CALLBACK_PROBLEMS, readCallback, type UnusableCallback } from "./callback.ts";
import { escapeHtml } from "./escape-html.ts";
import { portOwner } from "./port-owner.ts";
import { type Listen, type Receiver, type RedirectSettings, receiverAt, redirectUri } from "./receiver.ts";

/** Milliseconds after which open connections are closed. Browsers keep idle connections open, and need time to load the last page. */
const LINGER = 2_000;

/**
 * Starts listening for the redirect. `external` returns the address under which the browser reaches the listener, if it differs. `home` is
 * the program that the person came from.
 * Throws redirect-port-busy.
 */
export async function listenForRedirect(
  settings: RedirectSettings,
  external: (address: string) => Promise<string> = async (address) => address,
  home: "editor" | "terminal" = "editor",
): Promise<Receiver> {
  let onRequest: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    if (onRequest) onRequest(request, response);
    else reject(response, 404, "Not waiting for a sign-in.");
  };
  const servers = await bindLoopback(handler, settings.port);
  const [first] = servers;
  const port = (first.address() as AddressInfo).port;
  waiting.add(first);
  first.once("close", () => waiting.delete(first));
  let address: string;
  try {
    address = await external(redirectUri(settings, port));
  } catch (error) {
    for (const server of servers) server.close();
    throw error;
  }
  const place: Place = {
    path: settings.path,
    hosts: [...["localhost", "127.0.0.1", "[::1]"].map((host) => `${host}:${port}`), new URL(address).host],
  };
  /** Settles when the response to the valid callback is sent, which reports how the exchange of its code ended. */
  let lastPage: Promise<void> = Promise.resolve();
  const closeServers = (): void => {
    onRequest = undefined;
    for (const server of servers) {
      server.close();
      server.closeIdleConnections();
      void lastPage.then(() => setTimeout(() => server.closeAllConnections(), LINGER).unref());
    }
  };
  const listen: Listen = (state, { outcome, onUnusable }, accept) => {
    onRequest = (request, response) => {
      const callback = callbackOf(request, response, place, state);
      if (callback === undefined) return;
      if ("problem" in callback) return onUnusable?.(callback);
      const { parameters } = callback;
      const end = (kind: "good" | "bad", heading: string, text: string): void =>
        respond(response, 200, ending(kind, heading, `${text} ${NEXT[home][kind]}`.trim()));
      const notSignedIn = (reason: string): void => end("bad", "Not signed in", `${reason}.`);
      if (parameters.has("error")) notSignedIn(reasonIn(parameters));
      else
        lastPage = Promise.resolve(outcome).then((failure) =>
          failure === undefined
            ? end("good", "You are signed in", "")
            : notSignedIn(escapeHtml(printable(failure.message)).replace(/\.$/, "")),
        );
      // The state is used up from here on, even before the page is sent.
      accept(parameters);
    };
    return closeServers;
  };
  return receiverAt(address, listen, closeServers);
}

/** What to do after the browser's part is over. */
const NEXT = {
  editor: { good: "You can close this page and go back to the editor.", bad: "Go back to the editor for what to do." },
  terminal: { good: "You can close this page and go back to the terminal.", bad: "Go back to the terminal for what to do." },
};

/** Returns the provider's own words, escaped: anybody can create the address that they came in. */
function reasonIn(callback: URLSearchParams): string {
  const code = callback.get("error") ?? "";
  const providerError = quoteError(code, callback.get("error_description") ?? undefined);
  const reason = code === "access_denied" ? `The access was denied (${providerError})` : providerError;
  return escapeHtml(printable(reason));
}

const FREE_PORT_TRIES = 5;

/** One server of each sign-in in this process that waits for the browser. */
const waiting = new Set<Server>();

/**
 * Binds the same port on 127.0.0.1 and ::1, because a browser may resolve localhost to either.
 * If another program has one of the two, the port counts as busy: that program could receive the code. Without IPv6, only the first is
 * bound.
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
    server.once("error", (cause: NodeJS.ErrnoException) => {
      if (cause.code === "EADDRINUSE") void portInUse(port, cause).then(reject);
      else reject(cause.code === "EACCES" ? busy(`Port ${port}, where the browser comes back to, is not allowed here.`, cause) : cause);
    });
    server.listen(port, host, () => resolve(server));
  });
}

async function portInUse(port: number, cause: unknown): Promise<PackAuthError> {
  // The owner of the port is this process, so stopping that program would stop the editor.
  if ([...waiting].some((server) => (server.address() as AddressInfo | null)?.port === port))
    return new PackAuthError("redirect-port-busy", `Another sign-in of yours still waits for the browser on port ${port}.`, {
      nextStep: { do: "finishSignIn" },
      cause,
    });
  const owner = await portOwner(port);
  const by = owner === undefined ? "another program" : `${owner.name} (process ${owner.pid})`;
  return busy(`Port ${port}, where the browser comes back to, is in use by ${by}.`, cause);
}

const busy = (message: string, cause: unknown): PackAuthError =>
  new PackAuthError("redirect-port-busy", message, { nextStep: { do: "choosePort" }, cause });

/** The path and hosts that a request must name to be meant for this listener. */
interface Place {
  readonly path: string;
  /** Accepted values of the Host header; behind a tunnel it may be the tunnel's own. */
  readonly hosts: readonly string[];
}

/** Returns a valid callback, or an unusable one with its problem. Responds to every request here except a valid callback. */
function callbackOf(
  request: IncomingMessage,
  response: ServerResponse,
  { path, hosts }: Place,
  state: string,
): { readonly parameters: URLSearchParams } | UnusableCallback | undefined {
  if (!hosts.includes((request.headers.host ?? "").toLowerCase())) return reject(response, 421, "This address is not served here.");
  const target = request.url ?? "";
  const base = "http://localhost";
  // Targets such as `//`, `/\` and full URLs name another host, and some are not URLs at all.
  const url = URL.canParse(target, base) ? new URL(target, base) : undefined;
  if (url?.origin !== base) return reject(response, 404, "Nothing is here.");
  const { searchParams: parameters } = url;
  const callback = readCallback(parameters, state);
  if (url.pathname !== new URL(path, base).pathname)
    // A browser also requests other files, such as its icon; only the provider's response carries the state.
    return "parameters" in callback ? unusable(response, 404, { problem: "path", parameters }) : reject(response, 404, "Nothing is here.");
  if (request.method === "POST") return unusable(response, 405, { problem: "post", parameters });
  if (request.method !== "GET") return reject(response, 405, "Only GET is answered here.");
  if ("parameters" in callback) return callback;
  const { problem } = callback;
  return problem === "state" ? reject(response, 400, CALLBACK_PROBLEMS.state) : unusable(response, 400, { problem, parameters });
}

function unusable(response: ServerResponse, status: number, callback: UnusableCallback): UnusableCallback {
  const { problem, parameters } = callback;
  const errorSentence = parameters.has("error") ? ` Its answer: ${reasonIn(parameters)}.` : "";
  reject(response, status, `${CALLBACK_PROBLEMS[problem]}${errorSentence}`);
  return callback;
}

function reject(response: ServerResponse, status: number, text: string): undefined {
  respond(response, status, `<h1>Pack Auth</h1><p>${text}</p>`);
  return undefined;
}

const ending = (kind: "good" | "bad", what: string, next: string): string => `${pageMark(kind)}<h1>${what}</h1><p>${next}</p>`;

/** Sends a page; `main` is HTML. */
function respond(response: ServerResponse, status: number, main: string): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    connection: "close",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  });
  response.end(browserPage("Pack Auth", main));
}
