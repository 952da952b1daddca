// Returns the request that follows a redirect. Invariant: nothing that may be a secret crosses to another origin.

import { defined } from "../../base/defined.ts";
import type { OutgoingRequest } from "../network/outgoing-request.ts";
import { refusal } from "../network/refusal.ts";
import type { Redactor } from "../secrets/redact.ts";
import { hasPlaceholder } from "./placeholders.ts";
import { isSecretName } from "./secret-name.ts";

/** A request without its credential; `url` is as the pack or a Location header wrote it. */
export interface Hop extends OutgoingRequest {
  /** The origin of a redirect; undefined for the pack's own request. */
  readonly origin: HopOrigin | undefined;
}

interface HopOrigin {
  readonly url: URL;
  /** The ID of the hop's trace. */
  readonly trace: number;
  readonly mayCarry: boolean;
}

/** Returns the redirected request. A 303, and a 301 or 302 after POST, become GET without a body (RFC 9110, section 15.4). */
export function redirected(hop: OutgoingRequest, location: string, status: number, origin: HopOrigin): Hop {
  const toGet = (status === 303 && hop.method !== "HEAD") || ((status === 301 || status === 302) && hop.method === "POST");
  const headers = toGet ? withoutHeaders(hop.headers, (name) => name.startsWith("content-")) : hop.headers;
  return { method: toGet ? "GET" : hop.method, url: location, headers, ...defined({ body: toGet ? undefined : hop.body }), origin };
}

/** Returns the request without headers that may be secret. Throws request-refused if the body or the address contains a credential. */
export function crossOrigin(hop: Hop, invocationToken: string, redactor: Redactor): Hop {
  const isSecret = (text: string): boolean => hasPlaceholder(text, invocationToken) || redactor.finds(text);
  if (isSecret(hop.url)) throw refusal("a redirect to another host repeats a credential in its address");
  const body = typeof hop.body === "string" ? hop.body : Buffer.from(hop.body ?? "").toString("latin1");
  if (isSecret(body)) throw refusal("a redirect would send a body with a credential to another host");
  return { ...hop, headers: withoutHeaders(hop.headers, (name, value) => isSecretName(name) || isSecret(value)) };
}

function withoutHeaders(
  headers: Readonly<Record<string, string>>,
  isLeftOut: (name: string, value: string) => boolean,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name, value]) => !isLeftOut(name, value)));
}
