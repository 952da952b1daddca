// Asks the host before a request with a credential is sent, for a run that no person started.
import type { AppliedCredential } from "../../protocol/run.ts";
import type { Redactor } from "../secrets/redact.ts";
import type { Carried } from "./send-once.ts";

/** A request with a credential, as a person may see it. Masked. */
export interface PermitRequest {
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
  const { method, url, body } = request;
  return {
    method,
    url: redactor.redact(url),
    host: redactor.redact(new URL(url).host),
    credentials: applied,
    ...(body === undefined ? {} : { body: shownBody(body, redactor) }),
  };
}

function shownBody(body: string | Uint8Array, redactor: Redactor): string {
  if (typeof body !== "string") return `${body.length.toLocaleString("en")} bytes`;
  if (body.length > LARGE_BODY) return `${body.length.toLocaleString("en")} characters`;
  const masked = redactor.redact(body);
  return masked.length > SHOWN_BODY ? `${masked.slice(0, SHOWN_BODY)}… (${masked.length.toLocaleString("en")} characters)` : masked;
}
