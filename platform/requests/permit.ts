// Asks the host before a request with a credential is sent, for a run that no person started.
import type { AppliedCredential } from "../../protocol/run.ts";
import type { OutgoingRequest } from "../network/outgoing-request.ts";
import type { Redactor } from "../secrets/redact.ts";
import type { Carried } from "./send-once.ts";

/** A request with a credential, as a person may see it. Masked. */
export interface PermitRequest {
  /** With the header or parameter that asks the API for another method, if there is one. */
  readonly method: string;
  readonly url: string;
  /** The host with its port, if it has one. */
  readonly host: string;
  /** Absent if the request has no body. */
  readonly body?: string;
  /** Where the request carries credentials. */
  readonly credentials: readonly AppliedCredential[];
}

/** Resolves if the request may be sent. Throws PackAuthError otherwise. */
export type Permit = (request: PermitRequest, signal: AbortSignal) => Promise<void>;

/** Characters of a body that a person is shown. */
const SHOWN_BODY = 4_000;
/** Characters beyond which a body is described only: it is masked whole, so that no secret is cut in two. */
const LARGE_BODY = 200_000;

/** Returns the masked form of a request that is about to be sent. */
export function permitRequestOf({ request, applied }: Carried, redactor: Redactor): PermitRequest {
  const { url, body } = request;
  return {
    method: redactor.redact(methodOf(request)),
    url: redactor.redact(url),
    host: redactor.redact(new URL(url).host),
    credentials: applied,
    ...(body === undefined ? {} : { body: shownBody(body, redactor) }),
  };
}

/**
 * Headers and query parameters by which APIs take a request for one of another method. Some, such as WordPress, do so for GET too, so that
 * such a request is no read.
 */
const OVERRIDE = /^(?:x-(?:http-)?method(?:-override)?|_method)$/i;

/** Returns the method, with the header or parameter that asks the API for another one, if there is one. */
export function methodOf({ method, url, headers }: OutgoingRequest): string {
  const override = [...Object.entries(headers), ...new URL(url).searchParams].find(([name]) => OVERRIDE.test(name));
  return override === undefined ? method : `${method} (${override.join(": ")})`;
}

function shownBody(body: string | Uint8Array, redactor: Redactor): string {
  if (typeof body !== "string") return `${body.length.toLocaleString("en")} bytes`;
  if (body.length > LARGE_BODY) return `${body.length.toLocaleString("en")} characters`;
  const masked = redactor.redact(body);
  return masked.length > SHOWN_BODY ? `${masked.slice(0, SHOWN_BODY)}… (${masked.length.toLocaleString("en")} characters)` : masked;
}
