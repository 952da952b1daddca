// Pure: (request, credential) → request that carries it. The only place that knows where each type of authentication puts what.
import type { AuthenticationDefinition } from "../protocol/definition.ts";
import type { FetchRequest } from "../protocol/pack-process.ts";
import type { AppliedCredential } from "../protocol/run.ts";
import type { Credential } from "./credential.ts";
import { PackAuthError } from "./errors.ts";
import { type PlaceholderPlace, replacePlaceholders } from "./placeholders.ts";

/** A request on its way out: headers by lower-case name. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Injected {
  readonly request: OutgoingRequest;
  readonly applied: readonly AppliedCredential[];
  /** What the pack did that the platform refuses or replaces. */
  readonly warnings: readonly string[];
}

/** What the pack asked for, before any credential: its form encoded, its headers by lower-case name. */
export function outgoing(request: FetchRequest, url: string): OutgoingRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value;
  if (request.form !== undefined) {
    headers["content-type"] ??= "application/x-www-form-urlencoded";
    return { method: request.method, url, headers, body: new URLSearchParams(request.form).toString() };
  }
  if (request.body === undefined) return { method: request.method, url, headers };
  return {
    method: request.method,
    url,
    headers,
    body: "text" in request.body ? request.body.text : Buffer.from(request.body.base64, "base64"),
  };
}

/** Puts the credential where the configuration says. Throws type-unavailable for types that cannot be tried here. */
export function injectCredential(request: OutgoingRequest, credential: Credential, auth: AuthenticationDefinition): Injected {
  const carriers = carriersOf(credential, auth);
  const headers: Record<string, string> = { ...request.headers };
  const url = new URL(request.url);
  const applied: AppliedCredential[] = [];
  const warnings: string[] = [];
  for (const carrier of carriers) {
    if (carrier.kind === "header") {
      const name = carrier.name.toLowerCase();
      if (headers[name] !== undefined)
        warnings.push(
          `The pack set the header ${carrier.name} itself; it was replaced by the account's. The platform refuses such a request.`,
        );
      headers[name] = carrier.value;
      applied.push({ carrier: carrier.name, host: url.host });
    } else {
      if (url.searchParams.has(carrier.name)) {
        warnings.push(
          `The pack set the query parameter ${carrier.name} itself; it was replaced by the account's. The platform refuses such a request.`,
        );
      }
      url.searchParams.delete(carrier.name);
      // Appended as text: URLSearchParams would encode the pack's own parameters anew.
      url.search = `${url.search === "" ? "?" : `${url.search}&`}${encodeURIComponent(carrier.name)}=${encodeURIComponent(carrier.value.toWellFormed())}`;
      applied.push({ carrier: `?${carrier.name}`, host: url.host });
    }
  }
  return { request: { ...request, url: url.href, headers }, applied, warnings };
}

type Carrier = { readonly kind: "header" | "query"; readonly name: string; readonly value: string };

const prefixed = (prefix: string | undefined, token: string): string =>
  prefix === undefined || prefix === "" ? token : `${prefix} ${token}`;

function carriersOf(credential: Credential, auth: AuthenticationDefinition): readonly Carrier[] {
  switch (auth.type) {
    case "HeaderBearerToken":
    case "CodaApiHeaderBearerToken":
      return [{ kind: "header", name: "Authorization", value: `Bearer ${tokenOf(credential, auth)}` }];
    case "CustomHeaderToken":
      return [
        { kind: "header", name: required(auth.headerName, "headerName"), value: prefixed(auth.tokenPrefix, tokenOf(credential, auth)) },
      ];
    case "QueryParamToken":
      return [{ kind: "query", name: required(auth.paramName, "paramName"), value: tokenOf(credential, auth) }];
    case "MultiHeaderToken": {
      const values = valuesOf(credential, auth);
      return (auth.headers ?? []).map((header) => ({
        kind: "header",
        name: header.name,
        value: prefixed(header.tokenPrefix, values[header.name] ?? ""),
      }));
    }
    case "MultiQueryParamToken": {
      const values = valuesOf(credential, auth);
      return (auth.params ?? []).map((param) => ({ kind: "query", name: param.name, value: values[param.name] ?? "" }));
    }
    case "WebBasic": {
      if (credential.kind !== "basic") throw mismatch(auth);
      // RFC 7617, section 2.1: the pair is encoded as UTF-8.
      const pair = Buffer.from(`${credential.username}:${credential.password}`, "utf8").toString("base64");
      return [{ kind: "header", name: "Authorization", value: `Basic ${pair}` }];
    }
    case "OAuth2":
    case "OAuth2ClientCredentials": {
      if (credential.kind !== "oauth2") throw mismatch(auth);
      if (auth.tokenQueryParam) return [{ kind: "query", name: auth.tokenQueryParam, value: credential.accessToken }];
      return [{ kind: "header", name: "Authorization", value: prefixed(auth.tokenPrefix ?? "Bearer", credential.accessToken) }];
    }
    case "Custom":
      return [];
    default:
      throw new PackAuthError("type-unavailable", `${auth.type} cannot be tried outside the platform.`);
  }
}

function tokenOf(credential: Credential, auth: AuthenticationDefinition): string {
  if (credential.kind !== "token") throw mismatch(auth);
  return credential.token;
}

function valuesOf(credential: Credential, auth: AuthenticationDefinition): Readonly<Record<string, string>> {
  if (credential.kind !== "values") throw mismatch(auth);
  return credential.values;
}

function required(value: string | undefined, field: string): string {
  if (value === undefined || value.trim() === "") {
    throw new PackAuthError("configuration-invalid", `The authentication's ${field} is empty.`, {
      configPath: `userAuthentication.${field}`,
    });
  }
  return value;
}

function mismatch(auth: AuthenticationDefinition): PackAuthError {
  return new PackAuthError("sign-in-again", `The account was connected for another type of authentication than ${auth.type}.`, {
    hint: "Sign in again.",
  });
}

/**
 * Puts a Custom account's values where the pack wrote placeholders (auth-spec 5.4). The URL is done before the policy judges it:
 * call {@link injectCustomUrl} first and give its result here.
 */
export function injectCustom(request: OutgoingRequest, values: Readonly<Record<string, string>>, invocationToken: string): Injected {
  const applied: AppliedCredential[] = [];
  const host = new URL(request.url).host;
  const replace = (text: string, place: PlaceholderPlace, where: string): string => {
    const replaced = replacePlaceholders(text, place, { invocationToken, values });
    for (const name of replaced.used) applied.push({ carrier: `${where} {{${name}}}`, host });
    return replaced.text;
  };
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, replace(value, "header", name)]));
  const body = typeof request.body === "string" ? replace(request.body, bodyPlace(request), "body") : request.body;
  return { request: { ...request, headers, ...(body === undefined ? {} : { body }) }, applied, warnings: [] };
}

/** The URL part of {@link injectCustom}; `raw` is the URL as the pack wrote it. */
export function injectCustomUrl(
  raw: string,
  values: Readonly<Record<string, string>>,
  invocationToken: string,
): { url: string; used: readonly string[] } {
  const replaced = replacePlaceholders(raw, "url", { invocationToken, values });
  return { url: replaced.text, used: replaced.used };
}

function bodyPlace(request: OutgoingRequest): PlaceholderPlace {
  const type = request.headers["content-type"] ?? "";
  if (/\bx-www-form-urlencoded\b/i.test(type)) return "form-body";
  if (/[/+]json\b/i.test(type)) return "json";
  // A body without a type that reads as JSON is JSON: packs often leave the header out.
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
