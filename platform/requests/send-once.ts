// Sends one hop of a request: checks the address, sends the request, reads the response within its limits, and traces all of it.
// Invariant: with a sandbox, requests go only to the sandbox's own origin, under the logical URL's path.

import { defined } from "../../base/defined.ts";
import { isLoopback } from "../../base/is-loopback.ts";
import type { AppliedCredential } from "../../protocol/run.ts";
import { LARGEST_RESPONSE, readBody } from "../bodies/response-body.ts";
import { explainNetwork } from "../diagnosis/network-words.ts";
import { adviceOf } from "../diagnosis/words.ts";
import { PackAuthError } from "../errors.ts";
import type { Fetch } from "../host.ts";
import { abortable } from "../network/abortable.ts";
import { type LookUp, refusePrivate } from "../network/look-up.ts";
import { wasNeverSent } from "../network/network-failure.ts";
import type { OutgoingRequest } from "../network/outgoing-request.ts";
import { logicalText, sandboxAddress } from "../network/sandbox-address.ts";
import { ECHO_HEADER, readEchoed, WITHOUT_ACCOUNT_HEADER } from "../network/sandbox-headers.ts";
import type { Tracer } from "./request-trace.ts";

export interface SendOptions {
  readonly fetch: Fetch;
  readonly tracer: Tracer;
  readonly sandboxOrigin?: string;
  /** Returns all addresses of a host name. */
  readonly lookup: LookUp;
  /** True if a proxy resolves the names. Their addresses cannot be checked here, and the trace says so. */
  readonly behindProxy?: boolean;
  /** Bytes of a response after decompression; 25 MiB by default. */
  readonly largestResponse?: number;
  /** Returns a function for responses of a content type, called with each part of the body. It returns true to stop reading. */
  readonly endOfBody?: (contentType: string) => ((part: Uint8Array) => boolean) | undefined;
  /** Called for each hop in place of the network. */
  readonly intercept?: Intercept;
}

/** Returns the response to a hop, with or without calling `send`. */
export type Intercept = (carried: Carried, send: () => Promise<Response>) => Promise<Response>;

export interface Carried {
  readonly request: OutgoingRequest;
  readonly applied: readonly AppliedCredential[];
  readonly warnings: readonly string[];
  readonly redirectedFrom?: number;
  readonly binary: boolean;
  /** Whether the hop needs no account, because of the formula, the request or the run. */
  readonly withoutAccount: boolean;
  /** Whether the request itself disables the account's credential. */
  readonly isDisabled: boolean;
  /** The hop's host in the form that pack code may see. */
  readonly shownHost: string;
}

export interface Received {
  /** The ID of the hop's trace. */
  readonly id: number;
  readonly status: number;
  /** Headers by lower-case name, without Set-Cookie. */
  readonly headers: Readonly<Record<string, string>>;
  /** The target of a redirect, as a logical address. */
  readonly location?: string;
  readonly bytes: Uint8Array;
}

/** Sends one hop. Throws request-refused for a private address, response-too-large, or the network's error. */
export async function sendOnce(carried: Carried, options: SendOptions, signal: AbortSignal): Promise<Received> {
  const { request, binary } = carried;
  const { host, hostname } = new URL(request.url);
  const isUnchecked = options.sandboxOrigin === undefined && options.behindProxy === true && !isLoopback(hostname);
  const startedAt = Date.now();
  const base = {
    request,
    startedAt,
    credentials: carried.applied,
    warnings: carried.warnings,
    ...defined({ redirectedFrom: carried.redirectedFrom, disablesAuthentication: carried.isDisabled || undefined }),
  };
  const way = isUnchecked ? { throughProxy: true } : {};
  let isUnderWay = false;
  let head: { status: number; headers: Record<string, string>; binary: boolean } | undefined;
  try {
    // The policy already refused loopback names that the pack does not declare.
    if (options.sandboxOrigin === undefined && !isUnchecked) await refusePrivate(hostname, options.lookup, signal, carried.shownHost);
    isUnderWay = true;
    const send = (): Promise<Response> => options.fetch(...wireRequest(carried, options.sandboxOrigin, signal));
    const response = await abortable(options.intercept === undefined ? send() : options.intercept(carried, send), signal);
    head = { status: response.status, headers: plainHeaders(response.headers), binary };
    const bytes = await abortable(
      readBody(response, options.largestResponse ?? LARGEST_RESPONSE, undefined, options.endOfBody?.(head.headers["content-type"] ?? "")),
      signal,
    );
    const id = options.tracer.record({
      ...base,
      ...way,
      duration: Date.now() - startedAt,
      response: { ...head, body: bytes },
      ...defined({ echoed: options.sandboxOrigin === undefined ? undefined : readEchoed(response.headers.get(ECHO_HEADER)) }),
    });
    const isRedirect = [301, 302, 303, 307, 308].includes(response.status);
    const locationHeader = isRedirect ? response.headers.get("location") : null;
    const location = locationHeader === null ? undefined : logicalText(locationHeader, options.sandboxOrigin);
    return { id, status: head.status, headers: head.headers, bytes, ...defined({ location }) };
  } catch (error) {
    const isBlocked = error instanceof PackAuthError && error.code === "request-refused";
    const wentOut = isUnderWay && !isBlocked && !wasNeverSent(error);
    const { id, reason, ...explanation } = explainNetwork(signal.aborted ? signal.reason : error, host);
    options.tracer.record({
      ...base,
      ...(wentOut ? way : { credentials: [] }),
      ...(isBlocked ? {} : { duration: Date.now() - startedAt }),
      failure: isBlocked ? "blocked" : wentOut ? "failed" : "notSent",
      ...defined({ response: head }),
      failureReason: reason,
      diagnosis: { id },
      ...(signal.aborted || isOwnRefusal(error) ? {} : defined(adviceOf(explanation))),
    });
    throw error;
  }
}

/** Returns whether a limit or the policy caused the error; its message already says what to do. */
const isOwnRefusal = (error: unknown): boolean => error instanceof PackAuthError || (error as Error).cause instanceof PackAuthError;

function wireRequest({ request, withoutAccount }: Carried, sandboxOrigin: string | undefined, signal: AbortSignal): Parameters<Fetch> {
  const isOpen = sandboxOrigin !== undefined && withoutAccount;
  return [
    sandboxOrigin === undefined ? request.url : sandboxAddress(request.url, sandboxOrigin),
    {
      method: request.method,
      headers: {
        "user-agent": "Mozilla/5.0 (compatible; pack-auth)",
        accept: "*/*",
        ...request.headers,
        ...(isOpen ? { [WITHOUT_ACCOUNT_HEADER]: "1" } : {}),
      },
      ...defined({ body: request.body as RequestInit["body"] }),
      redirect: "manual",
      credentials: "omit",
      signal,
    },
  ];
}

function plainHeaders(headers: Headers): Record<string, string> {
  const result: Record<string, string> = {};
  headers.forEach((value, name) => {
    if (name !== "set-cookie" && name !== "set-cookie2" && name !== ECHO_HEADER) result[name] = value;
  });
  return result;
}
