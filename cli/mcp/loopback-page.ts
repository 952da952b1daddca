// One address on this machine that shows the person one page at a time and accepts the answer to its form. Invariants: it binds to loopback
// only. The address has a token that nobody can guess, and the form has another one that is used once. GET changes nothing. The page names no
// address of its own, because the browser may reach it through the port forwarding of an editor, at another host and below another path.
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { printable } from "../../base/printable.ts";
import { readRequestBody } from "../../platform/bodies/request-body.ts";
import { browserPage } from "../../platform/oauth/browser-page.ts";

export interface PageContent {
  /** Plain text. */
  readonly title: string;
  /** HTML above the form. */
  readonly main: string;
  /** `fields` is HTML. `submit` receives the fields, and shows the next page or this one again. */
  readonly form?: { readonly fields: string; submit(answer: URLSearchParams): void };
  /** True if the page shows what follows by itself. The person's choice in a form is lost then. */
  readonly isWaiting?: boolean;
}

export interface LoopbackPage {
  /** Only the person's browser may receive the address. */
  readonly address: string;
  show(content: PageContent): void;
  /** Whether a browser shows the page now and gets the next one. A form does not reload itself, so its page does not count. */
  isWatched(): boolean;
  /** Shows the last page, and closes the listener soon after. */
  close(last: PageContent): void;
}

/** Bytes of a body. */
const LARGEST = 64 * 1024;

/** Milliseconds in which the browser can load the last page. */
const LINGER = 3_000;

/** Milliseconds for which the request of a waiting page is pending: some browsers show an error after 60 seconds without a response. */
const LONGEST_WAIT = 45_000;

/** Milliseconds in which a browser reloads a page that waits. */
const RELOAD = 3_000;

/** Starts listening on a free port of 127.0.0.1. Rejects if this machine does not allow that. */
export async function openLoopbackPage(style: string): Promise<LoopbackPage> {
  const path = `/${createToken()}`;
  let content: PageContent = { title: "Pack Auth", main: "" };
  let formToken = createToken();
  let version = 0;
  const pending = new Set<() => void>();
  /** When a browser last got a page that reloads itself; 0 if its tab was closed since. */
  let reloadsSince = 0;

  const respond = (response: ServerResponse, status: number): void => {
    const { title, main, form, isWaiting } = content;
    reloadsSince = isWaiting ? Date.now() : 0;
    const formHtml =
      form && `<form method="post" autocomplete="off"><input type="hidden" name="token" value="${formToken}">${form.fields}</form>`;
    send(response, status, title, `${main}${formHtml ?? ""}`, `<style>${style}</style>${isWaiting ? refresh(version) : ""}`);
  };
  /** Each page has a form token of its own, which a submission therefore uses up. */
  const show = (next: PageContent): void => {
    content = next;
    formToken = createToken();
    version++;
    for (const respondNow of pending) respondNow();
  };
  /** Responds when there is another page, so that the person keeps the focus while nothing changes. */
  const respondLater = (response: ServerResponse): void => {
    const release = (): void => {
      clearTimeout(timer);
      pending.delete(respondNow);
    };
    const respondNow = (): void => {
      release();
      respond(response, 200);
    };
    const timer = setTimeout(respondNow, LONGEST_WAIT).unref();
    pending.add(respondNow);
    response.once("close", () => {
      if (pending.has(respondNow)) reloadsSince = 0;
      release();
    });
  };
  const accept = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const problem = forgery(request);
    if (problem !== undefined) return reject(response, 403, problem);
    if (!/^application\/x-www-form-urlencoded *(;|$)/i.test(request.headers["content-type"] ?? ""))
      return reject(response, 415, "Only the form of this page is accepted here.");
    const body = await readRequestBody(request, LARGEST);
    if (body === undefined) return reject(response, 413, "The answer is too long.");
    const answer = new URLSearchParams(body);
    const { form } = content;
    // The form was answered before, or its question has ended: the person sees what there is now.
    if (form === undefined || !isSame(answer.get("token") ?? "", formToken)) return respond(response, 403);
    // The browser gets the page that follows.
    reloadsSince = Date.now();
    form.submit(answer);
    response.writeHead(303, { ...HEADERS, location: path.slice(1) }).end();
  };
  const server = createServer((request, response) => {
    const [target = "", query] = (request.url ?? "").split("?", 2);
    // A page whose host name was pointed at this port (DNS rebinding) does not know the token.
    if (!isSame(target, path)) reject(response, 404, "Nothing is here.");
    else if (request.method === "POST") accept(request, response).catch(() => response.destroy());
    else if (request.method !== "GET") reject(response, 405, "Only GET and POST are answered here.");
    else if (query === `after=${version}`) respondLater(response);
    else respond(response, 200);
  });
  await new Promise<void>((resolve, fail) => server.once("error", fail).listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    show,
    isWatched: () => pending.size > 0 || Date.now() - reloadsSince < RELOAD,
    close(last) {
      show(last);
      server.unref();
      setTimeout(() => {
        server.close();
        server.closeAllConnections();
      }, LINGER).unref();
    },
  };
}

const createToken = (): string => randomBytes(32).toString("base64url");

/** Compares in constant time. All tokens have the same length. */
function isSame(text: string, expected: string): boolean {
  const [bytes, expectedBytes] = [Buffer.from(text), Buffer.from(expected)];
  return bytes.length === expectedBytes.length && timingSafeEqual(bytes, expectedBytes);
}

/** Returns why the request does not come from the page itself: the browser names the page's host twice, wherever the page is for it. */
function forgery({ headers }: IncomingMessage): string | undefined {
  const { origin = "", host, "sec-fetch-site": site = "same-origin" } = headers;
  const isFromPage = URL.canParse(origin) && new URL(origin).host === host && site === "same-origin";
  return isFromPage ? undefined : "Another page sent this answer.";
}

/** The next request is pending until there is another page than this version. */
const refresh = (version: number): string => `<meta http-equiv="refresh" content="1; url=?after=${version}">`;

/** With the policy no-referrer, browsers would send the form with the origin null. No other origin receives the address. */
const HEADERS = {
  connection: "close",
  "cache-control": "no-store",
  "referrer-policy": "same-origin",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

function send(response: ServerResponse, status: number, title: string, main: string, head?: string): void {
  response.writeHead(status, { ...HEADERS, "content-type": "text/html; charset=utf-8", ...(status === 405 ? { allow: "GET, POST" } : {}) });
  response.end(browserPage(printable(title), main, head));
}

const reject = (response: ServerResponse, status: number, text: string): void =>
  send(response, status, "Pack Auth", `<h1>Pack Auth</h1><p>${text}</p>`);
