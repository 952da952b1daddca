// Adapts oidc-provider to the variations of real token endpoints. They vary in the place of client ID and secret, the scope parameter's
// name and delimiter, and the shape of the response.
import type { IncomingMessage, ServerResponse } from "node:http";
import { isRecord } from "../../base/is-record.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { SandboxSwitches } from "./switches.ts";

/** A token request, independent of how its client authenticated. */
export interface TokenRequest {
  /** The parameters, including client ID and secret. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly clientMethod: "form" | "basic" | "json";
}

interface TokenRefusal {
  readonly status: 400 | 401;
  readonly error: "invalid_request" | "invalid_client" | "invalid_target" | "invalid_client_metadata";
  readonly error_description: string;
}

/** Reads the client's credentials from HTTP Basic, a form or a JSON body (RFC 6749, section 2.3.1; auth-spec 5.5.5). */
export function readTokenRequest(request: IncomingMessage, text: string): TokenRequest | TokenRefusal {
  const isJson = /[/+]json\b/i.test(request.headers["content-type"] ?? "");
  const body = isJson ? parseFlat(text) : parseForm(text);
  if (typeof body === "string") return { status: 400, error: "invalid_request", error_description: body };
  const { authorization } = request.headers;
  if (authorization === undefined) return { parameters: body, clientMethod: isJson ? "json" : "form" };
  const pair = basicPair(authorization);
  if (pair === undefined) return { status: 401, error: "invalid_client", error_description: "the Authorization header is not HTTP Basic" };
  if (body.client_secret !== undefined)
    return { status: 400, error: "invalid_request", error_description: "the client authenticates both by header and by body" };
  return { parameters: { ...body, client_id: pair[0], client_secret: pair[1] }, clientMethod: "basic" };
}

/** Returns an error if the configuration's credentialsLocation, or the switch, does not allow the client's authentication method. */
export function locationProblem(
  request: TokenRequest,
  auth: AuthenticationDefinition,
  only: SandboxSwitches["clientAuthentication"],
): TokenRefusal | undefined {
  if (only !== "any" && request.clientMethod !== only)
    return { status: 401, error: "invalid_client", error_description: `the client must authenticate by ${METHOD_NAMES[only]}` };
  const inHeader = request.clientMethod === "basic";
  if (auth.credentialsLocation === "AuthorizationHeader" && !inHeader)
    return { status: 401, error: "invalid_client", error_description: "the client must authenticate by the Authorization header" };
  if (auth.credentialsLocation === "Body" && inHeader)
    return { status: 401, error: "invalid_client", error_description: "the client must authenticate in the body" };
  return undefined;
}

const METHOD_NAMES = { form: "a form", basic: "HTTP Basic", json: "a JSON body" } as const;

/** Converts the request to what oidc-provider reads: a form with the standard's parameter names. */
export function adaptTokenRequest(request: IncomingMessage, tokenRequest: TokenRequest, auth: AuthenticationDefinition): void {
  const body: Record<string, string> = { ...tokenRequest.parameters };
  const scopeName = auth.scopeParamName ?? "scope";
  const scope = body[scopeName];
  delete body[scopeName];
  delete body.resource;
  if (scope !== undefined) body.scope = splitScopes([scope], auth).join(" ");
  delete request.headers.authorization;
  request.headers["content-type"] = "application/x-www-form-urlencoded";
  Object.assign(request, { body });
}

/** Granted if no scope is requested (RFC 6749, section 3.3), since oidc-provider grants nothing then. It is never shown to the client. */
export const DEFAULT_SCOPE = "sandbox:default";

/** Changes the response to the shape that the configuration expects: nested (nestedResponseKey), and with the endpoint (endpointKey). */
export function adaptTokenResponse(
  response: ServerResponse,
  auth: AuthenticationDefinition,
  endpoint: string | undefined,
  form: SandboxSwitches["tokenResponse"],
): void {
  const { endpointKey } = auth;
  const nestedResponseKey = auth.nestedResponseKey ?? (form === "nested" ? "data" : undefined);
  const end = response.end.bind(response) as (chunk: unknown) => ServerResponse;
  response.end = ((chunk: unknown) => {
    if (response.statusCode !== 200 || chunk === undefined) return end(chunk);
    const { scope, ...rest } = JSON.parse(String(chunk)) as Record<string, unknown>;
    const tokenResponse = scope === undefined || scope === DEFAULT_SCOPE ? rest : { ...rest, scope };
    const shaped = {
      ...(nestedResponseKey === undefined ? tokenResponse : { [nestedResponseKey]: tokenResponse }),
      ...(endpointKey === undefined ? {} : { [endpointKey]: endpoint }),
    };
    const isText = form === "text" && nestedResponseKey === undefined;
    const text = isText
      ? new URLSearchParams(Object.fromEntries(Object.entries(shaped).map(([name, value]) => [name, String(value)]))).toString()
      : JSON.stringify(shaped);
    if (isText) response.setHeader("content-type", "text/plain; charset=utf-8");
    response.setHeader("content-length", Buffer.byteLength(text));
    return end(text);
  }) as typeof response.end;
}

export function sendTokenRefusal(response: ServerResponse, refusal: TokenRefusal): void {
  const { status, ...body } = refusal;
  if (status === 401) response.setHeader("www-authenticate", 'Basic realm="sandbox"');
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" }).end(JSON.stringify(body));
}

/**
 * Returns single scopes. Authors also write several scopes in one string, so strings are split at the configuration's delimiter and at
 * spaces.
 */
export function splitScopes(scopes: readonly string[], auth: AuthenticationDefinition): readonly string[] {
  const delimiter = auth.scopeDelimiter ?? " ";
  return [...new Set(scopes.flatMap((scope) => scope.split(delimiter)).flatMap((scope) => scope.split(/\s+/)))].filter(Boolean);
}

function parseForm(text: string): Record<string, string> | string {
  const form = new URLSearchParams(text);
  const names = [...form.keys()];
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  // RFC 6749, section 3.2: parameters must not be included more than once.
  return repeated === undefined ? Object.fromEntries(form) : `the parameter ${repeated} was sent more than once`;
}

function parseFlat(text: string): Record<string, string> | string {
  const parsed = parseObject(text);
  if (parsed === undefined) return "the body is not a JSON object";
  return Object.fromEntries(Object.entries(parsed).map(([key, value]) => [key, String(value)]));
}

/** Returns undefined if the text is not a JSON object. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Decodes HTTP Basic. Both parts are form-encoded before they are joined (RFC 6749, section 2.3.1). */
function basicPair(authorization: string): readonly [string, string] | undefined {
  const encoded = /^Basic +(\S+)$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  try {
    return [formDecode(id), formDecode(secret)];
  } catch {
    return undefined;
  }
}

const formDecode = (text: string): string => decodeURIComponent(text.replaceAll("+", "%20"));
