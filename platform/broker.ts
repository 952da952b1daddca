// The only sender of what pack code asks for: judges the URL, puts the credential in, follows redirects hop by hop, reads within
// limits, masks what comes back. Invariants: nothing is sent that the policy did not allow; nothing returns unmasked.
import { lookup } from "node:dns/promises";
import type { AuthenticationDefinition, ConnectionRequirement, PackDefinition } from "../protocol/definition.ts";
import type { FetchFailure, FetchRequest, FetchResponse } from "../protocol/pack-process.ts";
import type { AppliedCredential, RequestTrace } from "../protocol/run.ts";
import type { Credential } from "./credential.ts";
import { PackAuthError } from "./errors.ts";
import type { Fetch } from "./host.ts";
import { injectCredential, injectCustom, injectCustomUrl, type OutgoingRequest, outgoing } from "./inject.ts";
import { networkMessage } from "./network-message.ts";
import { hasPlaceholder } from "./placeholders.ts";
import type { Redactor } from "./redact.ts";
import { decodeText, LARGEST_RESPONSE, parseBody, readBody } from "./response-body.ts";
import { sandboxAddress } from "./sandbox-address.ts";
import { checkRedirect, checkUrl, isPrivateAddress, type UrlPolicy } from "./url-policy.ts";

export interface BrokerOptions {
  readonly definition: PackDefinition;
  /** The authentication in force for this run, with the account's credential and endpoint. */
  readonly authentication?: AuthenticationDefinition;
  readonly credential?: Credential;
  readonly endpoint?: string;
  readonly connectionRequirement: ConnectionRequirement;
  readonly invocationToken: string;
  readonly fetch: Fetch;
  readonly redactor: Redactor;
  /** Where everything goes when the account is the sandbox's. */
  readonly sandboxOrigin?: string;
  readonly allowLoopback?: boolean;
  /** All addresses of a host name; node:dns by default. */
  readonly lookup?: (host: string) => Promise<readonly string[]>;
  onTrace(trace: RequestTrace): void;
  /** Called once on a 401: a fresh credential, or undefined where there is none. */
  readonly refresh?: () => Promise<Credential | undefined>;
  /** Milliseconds for one request, hops included; 60,000 by default. */
  readonly timeout?: number;
  readonly largestResponse?: number;
}

export interface Broker {
  /** Never rejects: a refusal is a FetchFailure that says why. */
  fetch(request: FetchRequest, signal: AbortSignal): Promise<FetchResponse | FetchFailure>;
}

const MOST_REDIRECTS = 5;
const SHOWN_BODY = 64 * 1024;
const FORBIDDEN_HEADER = /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|cookie|proxy-.*)$/;
const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);

export function createBroker(options: BrokerOptions): Broker {
  let credential = options.credential;
  let nextId = 1;
  const policy: UrlPolicy = {
    domains: options.definition.networkDomains,
    ...(options.authentication?.networkDomain === undefined ? {} : { credentialDomains: [options.authentication.networkDomain].flat() }),
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    allowLoopback: options.allowLoopback === true,
  };

  async function fetch(request: FetchRequest, signal: AbortSignal): Promise<FetchResponse | FetchFailure> {
    const deadline = AbortSignal.timeout(options.timeout ?? 60_000);
    try {
      return await send(request, AbortSignal.any([signal, deadline]), true);
    } catch (error) {
      if (error instanceof PackAuthError && error.code === "request-refused") {
        trace({ request: bare(request), id: nextId++, startedAt: Date.now(), refused: error.message });
      }
      return { name: "Error", message: options.redactor.redact(explainFailure(error, request, deadline, signal)) };
    }
  }

  /** One request with its redirects; a 401 is answered by one refresh and one more try. */
  async function send(request: FetchRequest, signal: AbortSignal, mayRefresh: boolean): Promise<FetchResponse | FetchFailure> {
    const usable = options.connectionRequirement !== "none" && request.disableAuthentication !== true ? credential : undefined;
    checkShape(request);
    const custom = options.authentication?.type === "Custom" && usable?.kind === "values" ? usable.values : undefined;
    const urlPart = custom === undefined ? { url: request.url, used: [] } : injectCustomUrl(request.url, custom, options.invocationToken);
    const verdict = checkUrl(urlPart.url, request.method, policy);
    if (!verdict.allowed) throw refusal(verdict.reason);
    let hop = outgoing(request, verdict.url.href);
    let mayCarry = verdict.credentials;
    if (urlPart.used.length > 0 && !mayCarry)
      throw refusal(`${verdict.url.host} gets no credentials, and the URL holds a placeholder for one`);
    let previous: number | undefined;
    // What the first hop held because of a placeholder; it must not travel on to another origin.
    let secretBody = false;
    for (let hops = 0; ; hops++) {
      const sent = attachCredential(hop, hops === 0 || custom === undefined ? usable : undefined, mayCarry);
      const applied = [
        ...sent.applied,
        ...(hops === 0 ? urlPart.used.map((name) => ({ carrier: `URL {{${name}}}`, host: verdict.url.host })) : []),
      ];
      secretBody ||= sent.applied.some((mark) => mark.carrier.startsWith("body"));
      const id = nextId++;
      const response = await sendOnce(
        sent.request,
        { id, applied, warnings: sent.warnings, ...(previous === undefined ? {} : { redirectedFrom: previous }) },
        request,
        signal,
      );
      const location = response.location;
      if (location === undefined || request.ignoreRedirects === true)
        return finish(request, response, mayRefresh, applied.length > 0, signal);
      if (hops >= MOST_REDIRECTS) throw refusal(`more than ${MOST_REDIRECTS} redirects`);
      if (options.redactor.finds(location)) throw refusal("the redirect's address repeats a credential");
      const next = checkRedirect(location, new URL(hop.url), hop.method, policy);
      if (!next.allowed) throw refusal(`a redirect leads to ${safeHost(location, hop.url)}: ${next.reason}`);
      const sameOrigin = next.url.origin === new URL(hop.url).origin;
      if (!sameOrigin && secretBody && (response.status === 307 || response.status === 308))
        throw refusal("a redirect would send a body that holds a credential to another host");
      hop = redirected(custom !== undefined && sameOrigin ? sent.request : hop, next.url.href, response.status, sameOrigin);
      mayCarry = sameOrigin ? mayCarry : false;
      previous = id;
    }
  }

  function attachCredential(hop: OutgoingRequest, usable: Credential | undefined, mayCarry: boolean): ReturnType<typeof injectCredential> {
    const holds = placeholdersIn(hop);
    if (usable === undefined || options.authentication === undefined || !mayCarry) {
      if (holds) throw refusal(`${new URL(hop.url).host} gets no credentials, and the request holds a placeholder for one`);
      return { request: hop, applied: [], warnings: [] };
    }
    if (options.authentication.type === "Custom" && usable.kind === "values")
      return injectCustom(hop, usable.values, options.invocationToken);
    return injectCredential(hop, usable, options.authentication);
  }

  function placeholdersIn(hop: OutgoingRequest): boolean {
    return [hop.url, ...Object.values(hop.headers), typeof hop.body === "string" ? hop.body : ""].some((text) =>
      hasPlaceholder(text, options.invocationToken),
    );
  }

  interface Received {
    readonly status: number;
    readonly headers: Headers;
    readonly location?: string;
    readonly bytes: Uint8Array;
  }

  async function sendOnce(
    outgoingRequest: OutgoingRequest,
    mark: { id: number; applied: readonly AppliedCredential[]; warnings: readonly string[]; redirectedFrom?: number },
    request: FetchRequest,
    signal: AbortSignal,
  ): Promise<Received> {
    const url = new URL(outgoingRequest.url);
    if (options.sandboxOrigin === undefined) await checkAddresses(url.hostname);
    const startedAt = Date.now();
    const base = { request: outgoingRequest, startedAt, ...mark };
    try {
      const target = options.sandboxOrigin === undefined ? outgoingRequest.url : sandboxAddress(outgoingRequest.url, options.sandboxOrigin);
      const response = await options.fetch(target, {
        method: outgoingRequest.method,
        headers: { "user-agent": "Mozilla/5.0 (compatible; pack-auth)", accept: "*/*", ...outgoingRequest.headers },
        ...(outgoingRequest.body === undefined || outgoingRequest.method === "GET" || outgoingRequest.method === "HEAD"
          ? {}
          : { body: outgoingRequest.body as NonNullable<RequestInit["body"]> }),
        redirect: "manual",
        credentials: "omit",
        signal,
      });
      const bytes = await readBody(response, options.largestResponse ?? LARGEST_RESPONSE);
      const isRedirect = [301, 302, 303, 307, 308].includes(response.status);
      const location = isRedirect ? logicalLocation(response.headers.get("location") ?? undefined) : undefined;
      const contentType = response.headers.get("content-type") ?? "";
      trace({
        ...base,
        status: response.status,
        duration: Date.now() - startedAt,
        size: bytes.byteLength,
        responseHeaders: plainHeaders(response.headers),
        responseBody: shown(bytes, contentType, request.isBinaryResponse === true),
      });
      return { status: response.status, headers: response.headers, bytes, ...(location === undefined ? {} : { location }) };
    } catch (error) {
      trace({ ...base, duration: Date.now() - startedAt, refused: networkMessage(error, url.host) });
      throw error;
    }
  }

  /** A redirect of the sandbox names its own address: back to the logical URL. */
  function logicalLocation(location: string | undefined): string | undefined {
    if (location === undefined || options.sandboxOrigin === undefined || !location.startsWith(`${options.sandboxOrigin}/`)) return location;
    return `https://${location.slice(options.sandboxOrigin.length + 1)}`;
  }

  async function finish(
    request: FetchRequest,
    received: Received,
    mayRefresh: boolean,
    carried: boolean,
    signal: AbortSignal,
  ): Promise<FetchResponse | FetchFailure> {
    if (received.status === 401 && mayRefresh && carried && options.refresh !== undefined) {
      const fresh = await options.refresh();
      if (fresh !== undefined) {
        credential = fresh;
        return send(request, signal, false);
      }
    }
    const contentType = received.headers.get("content-type") ?? "";
    const body = parseBody(received.bytes, contentType, {
      binary: request.isBinaryResponse === true,
      ...(request.encoding === undefined ? {} : { encoding: request.encoding }),
    });
    const response: FetchResponse = options.redactor.redactValue({
      status: received.status,
      headers: plainHeaders(received.headers),
      body: maskBytes(body),
    });
    if (received.status < 400) return response;
    const text =
      "json" in response.body ? JSON.stringify(response.body.json) : "text" in response.body ? JSON.stringify(response.body.text) : '""';
    return {
      name: "StatusCodeError",
      message: `${received.status} - ${text}`,
      response,
      options: options.redactor.redactValue(request),
    };
  }

  /** Binary bodies are opaque to text masking: one that holds a secret verbatim is masked byte by byte, its length kept. */
  function maskBytes(body: FetchResponse["body"]): FetchResponse["body"] {
    if (!("base64" in body)) return body;
    const latin = Buffer.from(body.base64, "base64").toString("latin1");
    return options.redactor.finds(latin) ? { base64: Buffer.from(options.redactor.redact(latin), "utf8").toString("base64") } : body;
  }

  async function checkAddresses(host: string): Promise<void> {
    if (
      options.allowLoopback === true &&
      (host === "localhost" || host.startsWith("127.") || host === "[::1]" || host.endsWith(".localhost"))
    )
      return;
    const find = options.lookup ?? (async (name: string) => (await lookup(name, { all: true })).map((found) => found.address));
    const addresses = await find(host);
    const inside = addresses.find(isPrivateAddress);
    if (inside !== undefined) throw refusal(`${host} resolves to ${inside}, an address of a private network`);
  }

  function trace(
    entry: { request: OutgoingRequest; applied?: readonly AppliedCredential[]; warnings?: readonly string[] } & Pick<
      RequestTrace,
      "id" | "startedAt"
    > &
      Partial<RequestTrace>,
  ): void {
    const { request, applied, warnings, ...rest } = entry;
    options.onTrace(
      options.redactor.redactValue<RequestTrace>({
        ...rest,
        method: request.method,
        url: request.url,
        requestHeaders: request.headers,
        ...(request.body === undefined
          ? {}
          : { requestBody: typeof request.body === "string" ? request.body.slice(0, SHOWN_BODY) : `(${request.body.byteLength} bytes)` }),
        credentials: applied ?? [],
        warnings: warnings ?? [],
        ...(options.sandboxOrigin === undefined ? {} : { sandbox: true }),
      }),
    );
  }

  return { fetch };
}

function bare(request: FetchRequest): OutgoingRequest {
  return { method: request.method, url: request.url, headers: request.headers ?? {} };
}

const refusal = (reason: string): PackAuthError => new PackAuthError("request-refused", `Not sent: ${reason}.`);

/** What no request of a pack may have (security.md 2). */
function checkShape(request: FetchRequest): void {
  if (!METHODS.has(request.method)) throw refusal(`the method ${JSON.stringify(request.method)} is not allowed`);
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) throw refusal(`${JSON.stringify(name)} is no header name`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
    if (/[\u0000\r\n]/.test(value)) throw refusal(`the header ${name} holds a line break`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: only Latin-1 can stand in a header.
    if (/[^\u0009\u0020-\u00ff]/.test(value)) throw refusal(`the header ${name} holds a character that no header can carry`);
    if (FORBIDDEN_HEADER.test(name.toLowerCase())) throw refusal(`the header ${name} belongs to the platform`);
  }
}

/** RFC 9110, section 15.4: 303, and 301/302 after POST, become GET without a body. Headers the pack set stay on the same origin only. */
function redirected(hop: OutgoingRequest, url: string, status: number, sameOrigin: boolean): OutgoingRequest {
  const toGet = status === 303 || ((status === 301 || status === 302) && hop.method === "POST");
  const headers = Object.fromEntries(
    Object.entries(hop.headers).filter(
      ([name]) =>
        (sameOrigin || /^(accept|accept-language|content-type|user-agent)$/.test(name)) && !(toGet && name.startsWith("content-")),
    ),
  );
  return { method: toGet ? "GET" : hop.method, url, headers, ...(toGet || hop.body === undefined ? {} : { body: hop.body }) };
}

function plainHeaders(headers: Headers): Record<string, string> {
  const result: Record<string, string> = {};
  headers.forEach((value, name) => {
    if (name !== "set-cookie" && name !== "set-cookie2") result[name] = value;
  });
  return result;
}

function shown(bytes: Uint8Array, contentType: string, binary: boolean): string {
  if (binary || /^(image|audio|video|font)\/|octet-stream|pdf|zip/i.test(contentType))
    return `(${bytes.byteLength} bytes of ${contentType || "unknown type"})`;
  return decodeText(bytes.subarray(0, SHOWN_BODY), contentType);
}

function safeHost(location: string, base: string): string {
  return URL.canParse(location, base) ? new URL(location, base).host : "no URL";
}

function explainFailure(error: unknown, request: FetchRequest, deadline: AbortSignal, signal: AbortSignal): string {
  if (error instanceof PackAuthError) return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
  const host = URL.canParse(request.url) ? new URL(request.url).host : "the endpoint";
  if (signal.aborted) return "The run was stopped.";
  if (deadline.aborted) return `${host} did not answer in time.`;
  return `${networkMessage(error, host)}.`;
}
