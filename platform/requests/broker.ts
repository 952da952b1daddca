// Sends every request of pack code: it checks the URL, injects the credential, follows redirects hop by hop, and masks the response.
// Invariants: only requests that the policy allows are sent; every response is masked; a credential stays on the origin it is meant for.
import { defined } from "../../base/defined.ts";
import { isLoopback } from "../../base/is-loopback.ts";
import type { AuthenticationDefinition, ConnectionRequirement, PackDefinition } from "../../protocol/definition.ts";
import type { FetchFailure, FetchRequest, FetchResponse } from "../../protocol/pack-process.ts";
import type { RequestTrace } from "../../protocol/run.ts";
import { flowKindOf } from "../../spec/auth-types.ts";
import { chosenDomains } from "../accounts/credential-domains.ts";
import type { Refresh } from "../accounts/run-account.ts";
import { signingKeys } from "../aws/assume-role.ts";
import { signRequest } from "../aws/sign-request.ts";
import { encodeForm } from "../bodies/long-text.ts";
import { maskedBody } from "../bodies/masked-body.ts";
import { SMALL } from "../bodies/masked-json.ts";
import { explain } from "../diagnosis/explain.ts";
import { NO_AUTHENTICATION } from "../diagnosis/failure.ts";
import { networkProblem } from "../diagnosis/network-words.ts";
import { explanationText } from "../diagnosis/words.ts";
import { PackAuthError } from "../errors.ts";
import { abortable } from "../network/abortable.ts";
import type { OutgoingRequest } from "../network/outgoing-request.ts";
import { refusal } from "../network/refusal.ts";
import { TimeLimit } from "../network/time-limit.ts";
import { checkRedirect, checkUrl, type UrlPolicy } from "../network/url-policy.ts";
import { isExpired } from "../oauth/refresh.ts";
import type { Credential } from "../secrets/credential.ts";
import type { Redactor } from "../secrets/redact.ts";
import { startSlices } from "../slices.ts";
import { readFetchRequest } from "./fetch-request.ts";
import { customValues, injectCredential, outgoing } from "./inject.ts";
import { type Permit, permitRequestOf } from "./permit.ts";
import { hasPlaceholder, replacePlaceholders } from "./placeholders.ts";
import { crossOrigin, type Hop, redirected } from "./redirect.ts";
import { refreshMayHelp } from "./refresh-may-help.ts";
import { createTracer, type OnTrace } from "./request-trace.ts";
import { type Carried, type Received, type SendOptions, sendOnce } from "./send-once.ts";
import { getsCredentialsAsWritten, reasonWithoutValues, type WrittenUrl } from "./written-url.ts";

export interface BrokerOptions extends Omit<SendOptions, "tracer"> {
  readonly definition: PackDefinition;
  /** The authentication of this run, with the account's credential and endpoint. */
  readonly authentication: AuthenticationDefinition | undefined;
  readonly credential: Credential | undefined;
  readonly endpoint: string | undefined;
  readonly connectionRequirement: ConnectionRequirement;
  readonly invocationToken: string;
  readonly redactor: Redactor;
  /** The setting for local testing; see {@link UrlPolicy}. */
  readonly allowLoopback: boolean;
  readonly onTrace: OnTrace;
  /** Receives a note about something that would fail or differ after the upload. */
  onPlatformDifference(message: string): void;
  readonly refresh: Refresh | undefined;
  /** Receives the error of a failed refresh; pack code gets only its message, as the failure of its request. */
  onRefreshFailed(error: unknown): void;
  /** Milliseconds for one request with its redirects; 60,000 by default. */
  readonly timeout?: number;
  /** Permits each hop that leaves this machine; see {@link Permit}. Undefined if a person started the run. */
  readonly permit: Permit | undefined;
  /** Explains an error of a request that pack code did not make. Returns undefined to use the message for pack code. */
  readonly explainError?: (error: PackAuthError) => string | undefined;
}

export interface Broker {
  /** Sends the request. Never rejects: if there is no response, it returns a FetchFailure with the reason. */
  fetch(request: FetchRequest, signal: AbortSignal): Promise<FetchResponse | FetchFailure>;
}

const MOST_REDIRECTS = 5;

/** The placeholder for the host while a text is masked (U+FFFC, object replacement character). */
const HOST = "\ufffc";

/** Credentials that were refused directly after a refresh, so that another refresh would not help. */
const refusedAnew = new WeakSet<Credential>();

const mayHaveRunOut = (credential: Credential): boolean =>
  !refusedAnew.has(credential) || (credential.kind === "oauth2" && isExpired(credential, Date.now()));

export const createBroker = (options: BrokerOptions): Broker => new RequestBroker(options);

class RequestBroker implements Broker {
  readonly #options: BrokerOptions;
  readonly #policy: UrlPolicy;
  readonly #tracer: ReturnType<typeof createTracer>;
  readonly #sending: SendOptions;
  /** auth-spec 5.4: the pack writes placeholders for the account's values. */
  readonly #hasPlaceholders: boolean;
  #credential: Credential | undefined;

  constructor(options: BrokerOptions) {
    const { redactor, authentication, credential } = options;
    this.#options = options;
    this.#policy = policyOf(options);
    this.#tracer = createTracer(redactor, options.sandboxOrigin !== undefined, (trace, hop) =>
      options.onTrace(withDiagnosis(trace, authentication), hop),
    );
    this.#sending = { ...options, tracer: this.#tracer };
    this.#hasPlaceholders = flowKindOf(authentication?.type ?? "") === "custom";
    this.#credential = credential;
    if (credential !== undefined) redactor.addCredential(credential);
  }

  async fetch(raw: FetchRequest, signal: AbortSignal): Promise<FetchResponse | FetchFailure> {
    const time = this.#options.timeout ?? 60_000;
    const stop = new AbortController();
    const cancel = (): void => stop.abort(new DOMException("stopped", "AbortError"));
    const limit = new TimeLimit(time, () => stop.abort(new DOMException("time-out", "TimeoutError")));
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      return await this.#respond(readFetchRequest(raw), stop.signal, limit);
    } catch (error) {
      return { name: "Error", message: this.#formatPackMessage(stop.signal.aborted ? stop.signal.reason : error, raw, time) };
    } finally {
      limit.clear();
      signal.removeEventListener("abort", cancel);
    }
  }

  /**
   * Returns the failure's message. Text that pack code wrote itself stays unmasked: otherwise masking would reveal which of its guesses is
   * right.
   * A refusal contains only such text, or is masked by its author. All other text is masked except the host.
   */
  #formatPackMessage(reason: unknown, raw: FetchRequest, time: number): string {
    const { redactor, explainError } = this.#options;
    const description = reason instanceof PackAuthError ? explainError?.(reason) : undefined;
    if (description !== undefined) return description;
    if (reason instanceof PackAuthError && reason.code === "request-refused") return describeFailure(reason, "", time);
    const message = this.#withHostAsWritten(describeFailure(reason, HOST, time), raw);
    const host = hostOf(raw, this.#policy);
    // Some system errors repeat the host. Without a secret in it, the host is masked with its text, so that it cannot split a secret.
    return redactor.redact(redactor.finds(host) ? message.replaceAll(host, HOST) : message).replaceAll(HOST, () => host);
  }

  /** Restores the host as the pack wrote it. A value in it may be too short to be masked, and pack code reads this message. */
  #withHostAsWritten(message: string, raw: FetchRequest): string {
    const { invocationToken } = this.#options;
    const credential = this.#credential;
    if (!this.#hasPlaceholders || credential?.kind !== "values" || !hasPlaceholder(String(raw?.url), invocationToken)) return message;
    try {
      const { host, hostname } = new URL(replacePlaceholders(raw.url, "url", { invocationToken, values: credential.values }).text);
      const writtenHost = hostOf(raw, this.#policy);
      return host === writtenHost ? message : message.replaceAll(host, () => writtenHost).replaceAll(hostname, () => writtenHost);
    } catch {
      // The URL contains no value.
      return message;
    }
  }

  /** Sends the request and follows its redirects. After a 401 it tries again with another credential. */
  async #respond(request: FetchRequest, signal: AbortSignal, limit: TimeLimit): Promise<FetchResponse | FetchFailure> {
    const { refresh, redactor } = this.#options;
    let usedCredential = this.#credential;
    let { received, sentRequest } = await this.#exchange(request, signal, limit);
    while (
      usedCredential !== undefined &&
      refresh !== undefined &&
      received.status === 401 &&
      sentRequest.applied.length > 0 &&
      mayHaveRunOut(usedCredential) &&
      refreshMayHelp(received, sentRequest.request, usedCredential, Date.now())
    ) {
      const other = await abortable(refresh(usedCredential), signal).catch((error: unknown) => {
        this.#options.onRefreshFailed(error);
        throw error;
      });
      if (other === undefined) break;
      redactor.addCredential(other.credential);
      usedCredential = this.#credential = other.credential;
      ({ received, sentRequest } = await this.#exchange(request, signal, limit));
      // A credential that another request obtained may have expired too. A 401 to one that was refreshed for this request has another
      // cause.
      if (!other.isNew) continue;
      if (received.status === 401) refusedAnew.add(usedCredential);
      break;
    }
    return this.#responseOf(request, received);
  }

  async #exchange(request: FetchRequest, signal: AbortSignal, limit: TimeLimit): Promise<{ received: Received; sentRequest: Carried }> {
    // Each pass over a large body takes milliseconds, so other work runs in between.
    const slices = isLarge(request) ? startSlices() : undefined;
    if (slices !== undefined) await slices.next();
    const form = slices === undefined || request.form === undefined ? undefined : await encodeForm(request.form);
    let hop: Hop = { ...outgoing(request, request.url, form), origin: undefined };
    for (let hops = 0; ; hops++) {
      if (slices !== undefined) await slices.next();
      const { mayCarry, ...prepared } = this.#prepare(hop, request);
      if (slices !== undefined) await slices.next();
      await limit.suspendedFor(this.#permitted(prepared, signal, hop));
      const carried = await this.#signed(prepared, signal);
      const received = await sendOnce(carried, this.#sending, signal).catch((error: unknown) => {
        if (error instanceof PackAuthError && error.code === "response-too-large") this.#options.onPlatformDifference(error.message);
        throw error;
      });
      if (received.location === undefined || request.ignoreRedirects === true) return { received, sentRequest: carried };
      const from = { url: new URL(carried.request.url), trace: received.id, mayCarry };
      hop = redirected(hop, received.location, received.status, from);
      if (hops >= MOST_REDIRECTS) throw this.#traced(refusal(`more than ${MOST_REDIRECTS} redirects`), hop);
    }
  }

  /** Waits until the host permits the hop, with or without a credential. Throws and traces the reason if it may not be sent. */
  async #permitted(carried: Carried, signal: AbortSignal, hop: Hop): Promise<void> {
    const { permit, redactor, sandboxOrigin } = this.#options;
    if (permit === undefined || sandboxOrigin !== undefined) return;
    try {
      await permit(permitRequestOf(carried, redactor), signal);
    } catch (error) {
      throw error instanceof PackAuthError ? this.#traced(error, hop) : error;
    }
  }

  /** Signs the request if the authentication type requires it. A valid signature is as sensitive as a secret. */
  async #signed(carried: Carried, signal: AbortSignal): Promise<Carried> {
    const { authentication, redactor } = this.#options;
    const credential = this.#credential;
    if (authentication === undefined || credential?.kind !== "aws" || carried.applied.length === 0) return carried;
    const keys = await signingKeys(credential, { ...this.#sending, signal });
    redactor.addCredential({ kind: "aws", ...keys });
    const request = await signRequest(carried.request, keys, { service: authentication.service ?? "" });
    const signature = /Signature=([0-9a-f]{64})/.exec(request.headers.authorization ?? "")?.[1];
    if (signature !== undefined) redactor.addSignature(signature);
    return { ...carried, request };
  }

  /** Returns the request of a hop with its credentials. Throws and traces the reason if it must not be sent. */
  #prepare(hop: Hop, request: FetchRequest): Carried & { readonly mayCarry: boolean } {
    try {
      return this.#prepared(hop, request);
    } catch (error) {
      throw error instanceof PackAuthError ? this.#traced(error, hop) : error;
    }
  }

  #prepared(hop: Hop, request: FetchRequest): Carried & { readonly mayCarry: boolean } {
    const { authentication, invocationToken, redactor, connectionRequirement, onPlatformDifference } = this.#options;
    const policy = this.#policy;
    const { origin } = hop;
    const usable = connectionRequirement === "none" || request.disableAuthentication === true ? undefined : this.#credential;
    const filledUrl =
      origin === undefined && usable !== undefined && authentication !== undefined && this.#hasPlaceholders
        ? replacePlaceholders(hop.url, "url", { invocationToken, values: customValues(usable, authentication) })
        : { text: hop.url, usedNames: [] };
    const asWritten: WrittenUrl = { url: hop.url, method: hop.method, names: filledUrl.usedNames, policy, invocationToken };
    const verdict =
      origin === undefined
        ? checkUrl(filledUrl.text, hop.method, policy, usable === undefined)
        : checkRedirect(filledUrl.text, origin.url, hop.method, policy);
    if (!verdict.allowed) {
      if (origin === undefined) onPlatformDifference(redactor.redact(`Not sent: ${verdict.reason}. The platform refuses it too.`));
      if (origin !== undefined) throw refusal(redactor.redact(`a redirect leads to ${withoutQuery(hop.url)}: ${verdict.reason}`));
      throw refusal(filledUrl.usedNames.length === 0 ? verdict.reason : reasonWithoutValues(asWritten), undefined, verdict.nextStep);
    }
    const { url } = verdict;
    const sameOrigin = origin === undefined || url.origin === origin.url.origin;
    const mayCarry =
      origin === undefined ? getsCredentialsAsWritten(asWritten, url.host) && verdict.credentials : sameOrigin && origin.mayCarry;
    const shownHost = origin === undefined ? hostOf(request, policy) : redactor.redact(url.host);
    if (filledUrl.usedNames.length > 0 && !mayCarry) throw noCredentials(shownHost);
    if (origin === undefined && isLoopback(url.hostname))
      onPlatformDifference(
        `${shownHost} is this machine, which the platform cannot reach. Use the API's public address before you upload.`,
      );
    const plain: OutgoingRequest = { ...(sameOrigin ? hop : crossOrigin(hop, invocationToken, redactor)), url: url.href };
    const injected =
      usable === undefined || authentication === undefined || !mayCarry
        ? { request: plain, applied: [], warnings: [] }
        : injectCredential(plain, usable, authentication, invocationToken);
    if (containsPlaceholder(injected.request, invocationToken)) {
      if (!mayCarry || usable === undefined) throw noCredentials(shownHost);
      throw refusal(
        this.#hasPlaceholders
          ? "a placeholder cannot be replaced in a body of bytes"
          : `placeholders belong to Custom authentication, and the account is of type ${String(authentication?.type)}`,
      );
    }
    // The API may have put a value of the account into the address to which it redirects.
    const isEchoed = origin !== undefined && injected.applied.length === 0 && redactor.finds(url.href);
    // Warnings about the pack's own headers and parameters belong to its first request, not to a redirect.
    const warnings = origin === undefined ? injected.warnings : [];
    for (const warning of warnings) onPlatformDifference(warning);
    return {
      request: injected.request,
      applied: [
        ...injected.applied,
        ...filledUrl.usedNames.map((name) => ({ carrier: `URL {{${name}}}`, host: url.host })),
        ...(isEchoed ? [{ carrier: "URL", host: url.host }] : []),
      ],
      warnings,
      binary: request.isBinaryResponse === true,
      withoutAccount: usable === undefined,
      isDisabled: request.disableAuthentication === true && this.#credential !== undefined,
      shownHost,
      mayCarry,
      ...defined({ redirectedFrom: origin?.trace }),
    };
  }

  #traced(error: PackAuthError, { origin, ...request }: Hop): PackAuthError {
    this.#tracer.record({
      request: origin === undefined ? request : { ...request, url: withoutQuery(request.url) },
      startedAt: Date.now(),
      failureReason: error.message,
      failure: "blocked",
      ...defined({ nextStep: error.nextStep, redirectedFrom: origin?.trace }),
    });
    return error;
  }

  async #responseOf(request: FetchRequest, received: Received): Promise<FetchResponse | FetchFailure> {
    const { redactor } = this.#options;
    const { status, headers, bytes } = received;
    const isFailure = status >= 400;
    const bodyOptions = { binary: request.isBinaryResponse === true, parsed: isFailure, ...defined({ encoding: request.encoding }) };
    const body = await maskedBody(bytes, headers["content-type"] ?? "", bodyOptions, redactor);
    const response: FetchResponse = { status, headers: redactor.redactValue(headers), body };
    if (!isFailure) return response;
    return {
      name: "StatusCodeError",
      message: `${status} - ${shownOf(body)}`,
      response,
      options: request,
    };
  }
}

const containsPlaceholder = ({ url, headers, body = "" }: OutgoingRequest, invocationToken: string): boolean =>
  [url, ...Object.values(headers), typeof body === "string" ? body : Buffer.from(body).toString("latin1")].some((text) =>
    hasPlaceholder(text, invocationToken),
  );

/** Adds to a trace why the API refused the request, if that says more than the response does. */
function withDiagnosis(trace: RequestTrace, authentication: AuthenticationDefinition | undefined): RequestTrace {
  if ((trace.status ?? 0) < 400) return trace;
  const explanation = explain({ phase: "resource", auth: authentication ?? NO_AUTHENTICATION, exchange: trace });
  if (explanation === undefined || explanation.isGeneral) return trace;
  const { id, field, nextStep } = explanation;
  const diagnosis = { id, ...defined({ field }) };
  return { ...trace, warnings: [...trace.warnings, explanationText(explanation)], diagnosis, ...defined({ nextStep }) };
}

/**
 * Removes the query from the target of a redirect that is not followed. The query of a presigned address contains a signature that any
 * reader could use.
 */
const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, "");

/** Characters of a large body in an error's message; pack code receives the whole body separately. */
const SHOWN_IN_MESSAGE = 2_000;

function shownOf(body: FetchResponse["body"]): string {
  if ("json" in body) return JSON.stringify(body.json);
  const text = "unparsed" in body ? body.unparsed : "text" in body ? body.text : "";
  return JSON.stringify(text.length > SMALL ? `${text.slice(0, SHOWN_IN_MESSAGE)}…` : text);
}

function policyOf(options: BrokerOptions): UrlPolicy {
  const { authentication: auth, definition, endpoint } = options;
  const { networkDomains: domains } = definition;
  const credentialDomains = chosenDomains(auth, domains);
  return {
    domains,
    ...defined({ credentialDomains, endpoint }),
    endpointAlone: auth?.requiresEndpointUrl === true && auth.endpointDomain === undefined,
    // In the sandbox no request reaches this machine: the sandbox responds instead.
    allowLoopback: options.allowLoopback || options.sandboxOrigin !== undefined,
  };
}

/** Characters of a body or a form that are processed without a pause. */
const LARGE_BODY = 64 * 1024;

function isLarge({ body, form }: FetchRequest): boolean {
  if (form !== undefined) return Object.entries(form).reduce((sum, [name, value]) => sum + name.length + value.length, 0) > LARGE_BODY;
  return body !== undefined && ("text" in body ? body.text : body.base64).length > LARGE_BODY;
}

const noCredentials = (host: string): PackAuthError =>
  refusal(`${host} gets no credentials, and the request contains a placeholder for one`);

function hostOf(request: FetchRequest, policy: UrlPolicy): string {
  const url: unknown = (request as FetchRequest | null)?.url;
  const base = policy.endpoint;
  return typeof url === "string" && URL.canParse(url, base) ? new URL(url, base).host : "the host";
}

function describeFailure(reason: unknown, host: string, time: number): string {
  if (reason instanceof PackAuthError) return reason.hint === undefined ? reason.message : `${reason.message} ${reason.hint}`;
  if (reason instanceof DOMException && reason.name === "AbortError") return "The run was stopped.";
  if (reason instanceof DOMException && reason.name === "TimeoutError") return `${host} did not answer within ${time / 1000} s.`;
  return networkProblem(reason, host).sentence;
}
