// Returns a request with the credential in it. This module alone knows where each authentication type puts its values; it has no side
// effects.

import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { FetchRequest } from "../../protocol/pack-process.ts";
import type { AppliedCredential } from "../../protocol/run.ts";
import { type FlowKind, flowKindOf, isSigned } from "../../spec/auth-types.ts";
import { credentialPlaces } from "../../spec/credential-placement.ts";
import { SIGNATURE_HEADERS } from "../aws/sign-request.ts";
import { PackAuthError } from "../errors.ts";
import type { OutgoingRequest } from "../network/outgoing-request.ts";
import { refusal } from "../network/refusal.ts";
import type { Credential } from "../secrets/credential.ts";
import { ENTER_FOR_HEADER, isHeaderName, isHeaderValue } from "./fetch-request.ts";
import { type PlaceholderPlace, replacePlaceholders } from "./placeholders.ts";

interface Injected {
  readonly request: OutgoingRequest;
  readonly applied: readonly AppliedCredential[];
  /** Things that the pack did and that the platform refuses. */
  readonly warnings: readonly string[];
}

/**
 * Returns the pack's request without a credential: its form is encoded (`form`, if the caller already did so), its header names are
 * lower-case.
 */
export function outgoing(request: FetchRequest, url: string, form?: string): OutgoingRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value;
  if (request.form !== undefined) {
    headers["content-type"] ??= "application/x-www-form-urlencoded";
    return { method: request.method, url, headers, body: form ?? new URLSearchParams(request.form).toString() };
  }
  if (request.body === undefined) return { method: request.method, url, headers };
  return {
    method: request.method,
    url,
    headers,
    body: "text" in request.body ? request.body.text : Buffer.from(request.body.base64, "base64"),
  };
}

/**
 * Puts the credential where the configuration says.
 * Throws type-unavailable for types that cannot be used here, and sign-in-again if the account no longer fits the configuration.
 */
export function injectCredential(
  request: OutgoingRequest,
  credential: Credential,
  auth: AuthenticationDefinition,
  invocationToken: string,
): Injected {
  const flow = flowKindOf(auth.type);
  if (flow === "custom") return injectValues(request, customValues(credential, auth), invocationToken);
  const headers: Record<string, string> = { ...request.headers };
  const url = new URL(request.url);
  const applied: AppliedCredential[] = [];
  const warnings: string[] = [];
  if (isSigned(auth.type)) return signedLater(request, credential, auth);
  const query: string[] = [];
  for (const carrier of carriersOf(credential, auth)) {
    if (carrier.kind === "header") {
      const name = carrier.name.toLowerCase();
      if (!isHeaderName(carrier.name))
        throw refusal(
          `the configuration's ${JSON.stringify(carrier.name)} is not a valid header name`,
          "Correct it as in the API's documentation.",
        );
      if (!isHeaderValue(carrier.value)) {
        throw refusal(
          `the account's value for ${carrier.name} contains a character that headers cannot carry`,
          credential.kind === "oauth2"
            ? "Sign in again. If this happens again, the provider issues tokens that cannot be sent in a header."
            : ENTER_FOR_HEADER,
        );
      }
      if (headers[name] !== undefined) warnings.push(replacedWarning(`the header ${carrier.name}`));
      headers[name] = carrier.value;
      applied.push({ carrier: carrier.name, host: url.host });
    } else {
      if (removeParameter(url, carrier.name)) warnings.push(replacedWarning(`the query parameter ${carrier.name}`));
      query.push(`${encodeURIComponent(carrier.name.toWellFormed())}=${encodeURIComponent(carrier.value.toWellFormed())}`);
      applied.push({ carrier: `?${carrier.name}`, host: url.host });
    }
  }
  if (query.length > 0) {
    const own = url.search.length > 1 ? [url.search.slice(1)] : [];
    // As on the platform: a single parameter goes before the pack's parameters, which some APIs require; several go after them.
    url.search = (flow === "multi-token" ? [...own, ...query] : [...query, ...own]).join("&");
  }
  const carried = { ...request, url: url.href, headers };
  if (credential.kind !== "basic") return { request: carried, applied, warnings };
  const values = { username: credential.username, password: credential.password };
  const body = replaceInBody(carried, { values, invocationToken }, applied, url.host);
  return { request: body === undefined ? carried : { ...carried, body }, applied, warnings };
}

/** Removes all parameters of that name. The others stay exactly as the pack wrote them, which URLSearchParams would re-encode. */
function removeParameter(url: URL, name: string): boolean {
  if (!url.searchParams.has(name)) return false;
  const remainingParts = url.search
    .slice(1)
    .split("&")
    .filter((part) => !new URLSearchParams(part).has(name));
  url.search = remainingParts.join("&");
  return true;
}

/** The signature covers the whole request, so the broker signs it last. */
function signedLater(request: OutgoingRequest, credential: Credential, auth: AuthenticationDefinition): Injected {
  if (credential.kind !== "aws") throw mismatch(auth);
  required(auth.service, "service");
  const own = SIGNATURE_HEADERS.filter((name) => request.headers[name] !== undefined);
  return {
    request,
    applied: [{ carrier: "Authorization", host: new URL(request.url).host }],
    warnings: own.map((name) => replacedWarning(`the header ${name}`)),
  };
}

const replacedWarning = (what: string): string =>
  `The pack set ${what} itself; it was replaced by the account's. The platform refuses such a request.`;

type Carrier = { readonly kind: "header" | "query"; readonly name: string; readonly value: string };

function carriersOf(credential: Credential, auth: AuthenticationDefinition): readonly Carrier[] {
  const secretFor = SECRETS[flowKindOf(auth.type) ?? "unavailable"];
  if (secretFor === undefined) throw new PackAuthError("type-unavailable", `Not sent: ${auth.type} cannot be tried outside the platform.`);
  return credentialPlaces(auth.type, auth).map(({ in: kind, name, prefix, field = "" }) => {
    const own = required(name, field);
    const secret = secretFor(credential, auth, own);
    return { kind, name: own, value: prefix === undefined || prefix === "" ? secret : `${prefix} ${secret}` };
  });
}

/** Returns the value to send, by the kind of sign-in; undefined for kinds that send nothing, or send it in another way. */
const SECRETS: Readonly<Record<FlowKind, ((credential: Credential, auth: AuthenticationDefinition, name: string) => string) | undefined>> =
  {
    none: undefined,
    token: tokenOf,
    "multi-token": namedValue,
    custom: undefined,
    "web-basic": basicPair,
    aws: undefined,
    "aws-role": undefined,
    "client-credentials": accessTokenOf,
    "authorization-code": accessTokenOf,
    unavailable: undefined,
  };

/** RFC 7617, section 2.1: the pair is encoded as UTF-8. */
function basicPair(credential: Credential, auth: AuthenticationDefinition): string {
  if (credential.kind !== "basic") throw mismatch(auth);
  return Buffer.from(`${credential.username}:${credential.password}`, "utf8").toString("base64");
}

function accessTokenOf(credential: Credential, auth: AuthenticationDefinition): string {
  if (credential.kind !== "oauth2") throw mismatch(auth);
  return credential.accessToken;
}

function tokenOf(credential: Credential, auth: AuthenticationDefinition): string {
  if (credential.kind !== "token") throw mismatch(auth);
  return credential.token;
}

function namedValue(credential: Credential, auth: AuthenticationDefinition, name: string): string {
  const value = credential.kind === "values" && Object.hasOwn(credential.values, name) ? credential.values[name] : undefined;
  if (value === undefined) throw mismatch(auth);
  return value;
}

function required(value: string | undefined, field: string): string {
  if (value === undefined || value.trim() === "") {
    throw new PackAuthError("configuration-invalid", `Not sent: the authentication's ${field} is empty.`);
  }
  return value;
}

function mismatch(auth: AuthenticationDefinition): PackAuthError {
  return new PackAuthError("sign-in-again", `Not sent: the account was connected for another configuration than today's ${auth.type}.`, {
    hint: "Sign in again.",
  });
}

/** Returns a Custom account's values by name. Throws sign-in-again if the account is of another type. */
export function customValues(credential: Credential, auth: AuthenticationDefinition): Readonly<Record<string, string>> {
  if (credential.kind !== "values") throw mismatch(auth);
  return credential.values;
}

/**
 * Replaces placeholders with a Custom account's values in headers and body (auth-spec 5.4). The URL already contains its values, because
 * the policy checks the final URL.
 */
function injectValues(request: OutgoingRequest, values: Readonly<Record<string, string>>, invocationToken: string): Injected {
  const applied: AppliedCredential[] = [];
  const { host } = new URL(request.url);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => {
      const replaced = replacePlaceholders(value, "header", { invocationToken, values });
      for (const placeholder of replaced.usedNames) applied.push({ carrier: `${name} {{${placeholder}}}`, host });
      return [name, replaced.text];
    }),
  );
  const body = replaceInBody(request, { values, invocationToken }, applied, host);
  return { request: { ...request, headers, ...defined({ body }) }, applied, warnings: [] };
}

function replaceInBody(
  request: OutgoingRequest,
  values: Parameters<typeof replacePlaceholders>[2],
  applied: AppliedCredential[],
  host: string,
): string | Uint8Array | undefined {
  if (typeof request.body !== "string") return request.body;
  const replaced = replacePlaceholders(request.body, bodyPlace(request), values);
  for (const name of replaced.usedNames) applied.push({ carrier: `body {{${name}}}`, host });
  return replaced.text;
}

function bodyPlace(request: OutgoingRequest): PlaceholderPlace {
  const type = request.headers["content-type"] ?? "";
  if (/\bx-www-form-urlencoded\b/i.test(type)) return "form-body";
  if (/[/+]json\b/i.test(type)) return "json";
  // A body without a content type that parses as JSON is JSON: packs often omit the header.
  return typeof request.body === "string" && /^\s*[[{"]/.test(request.body) && isJson(request.body) ? "json" : "text";
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
