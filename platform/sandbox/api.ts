// The sandbox's API. It refuses requests without the account's credential, answers from sandbox.json or with a sample, and echoes all
// others.
import type { ServerResponse } from "node:http";
import { isOAuthType } from "../../spec/auth-types.ts";
import { ECHO_HEADER, type Echoed, WITHOUT_ACCOUNT_HEADER } from "../network/sandbox-headers.ts";
import { isPlatformFile } from "../network/url-policy.ts";
import { createRedactor, MASK } from "../secrets/redact.ts";
import type { ApiRequest } from "./api-request.ts";
import { respondToSts } from "./aws.ts";
import { type ApiSide, challengeOf, credentialProblem, sentAccessToken } from "./check-credential.ts";
import type { Stub } from "./stubs.ts";

/** The pack's MCP server at the requested address. */
export interface McpSide {
  /** Address of the server's metadata (RFC 9728); absent if there is none. */
  readonly metadataAddress?: string;
  /** Returns the scopes that the request needs. */
  scopesFor(request: ApiRequest): readonly string[];
  respond(request: ApiRequest, response: ServerResponse): void;
}

/** The answer of sandbox.json to a request, and the sample that is sent if sandbox.json has no answer. */
export interface StubMatch {
  readonly stub: Stub | undefined;
  readonly sample: Stub | undefined;
}

export async function respondToApi(
  request: ApiRequest,
  response: ServerResponse,
  { stub, sample }: StubMatch,
  sides: readonly ApiSide[],
  mcp?: McpSide,
) {
  // A role is always assumed at AWS's own host, even if the pack does not declare it.
  for (const { credential, awsSession } of request.url.hostname === "sts.amazonaws.com" ? sides : [])
    if (credential?.kind === "aws" && awsSession !== undefined) return respondToSts(request, response, credential, awsSession);
  const isOpen = stub?.authenticate === false || isPlatformFile(request.url.href) || request.headers[WITHOUT_ACCOUNT_HEADER] !== undefined;
  const problem = isOpen ? undefined : await authenticationProblem(request, sides);
  if (problem !== undefined) {
    const metadata = mcp?.metadataAddress === undefined ? "" : `, resource_metadata="${mcp.metadataAddress}"`;
    response.setHeader("www-authenticate", `${challengeOf(sides[0]?.auth)}${metadata}`);
    return sendJson(response, 401, { error: "unauthorized", message: `The sandbox did not find the credential: ${problem}.` });
  }
  const scopes = isOpen ? [] : stub === undefined ? (mcp?.scopesFor(request) ?? []) : [stub.scope ?? ""];
  const missing = await missingScopes(request, sides, scopes.join(" ").split(" ").filter(Boolean));
  if (missing.length > 0) {
    const scope = missing.join(" ");
    response.setHeader("www-authenticate", `Bearer realm="sandbox", error="insufficient_scope", scope="${scope}"`);
    return sendJson(response, 403, { error: "insufficient_scope", message: `The access token was not granted: ${scope}.` });
  }
  if (stub !== undefined) return sendStub(response, stub);
  if (mcp !== undefined) return mcp.respond(request, response);
  const echoed: Echoed = sample === undefined ? "request" : "sample";
  response.setHeader(ECHO_HEADER, echoed);
  if (sample !== undefined) return sendStub(response, sample);
  sendJson(response, 200, echo(request, sides));
}

/**
 * Returns undefined if the request carries the credential of either authentication: a pack with user and system authentication may send
 * either.
 */
async function authenticationProblem(request: ApiRequest, sides: readonly ApiSide[]): Promise<string | undefined> {
  let problem: string | undefined;
  for (const side of sides) {
    const one = await credentialProblem(request, side);
    if (one === undefined) return undefined;
    problem ??= one;
  }
  return problem;
}

/** Returns the missing scopes (RFC 6750, section 3.1). A credential that is not an OAuth token has no scopes, so none are missing. */
async function missingScopes(request: ApiRequest, sides: readonly ApiSide[], needed: readonly string[]): Promise<readonly string[]> {
  for (const { auth, scopesOf } of needed.length === 0 ? [] : sides) {
    const token = isOAuthType(auth.type) ? sentAccessToken(request, auth) : undefined;
    const grantedScopes = token === undefined ? undefined : await scopesOf(token);
    if (grantedScopes !== undefined) return needed.filter((scope) => !grantedScopes.includes(scope));
  }
  return [];
}

function sendStub(response: ServerResponse, { status = 200, headers = {}, body }: Stub): void {
  const headerNames = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  if (text !== undefined && !headerNames.has("content-type"))
    response.setHeader("content-type", typeof body === "string" ? "text/plain; charset=utf-8" : "application/json");
  // The server sets the length itself: a wrong length would make the response hang or cut it off.
  for (const [name, content] of Object.entries(headers))
    if (!/^(content-length|transfer-encoding|connection)$/i.test(name)) response.setHeader(name, content);
  response.writeHead(status).end(text);
}

/** Masks the value of an Authorization header, but keeps its scheme. */
const withoutCredential = (authorization: string): string => authorization.slice(0, authorization.lastIndexOf(" ") + 1) + MASK;

/** Returns the request as JSON with its credentials masked. The author sees it if sandbox.json has no answer. */
function echo(request: ApiRequest, sides: readonly ApiSide[]): unknown {
  const redactor = createRedactor();
  for (const { auth, credential, awsSession } of sides) {
    if (credential !== undefined) redactor.addCredential(credential);
    else redactor.add(sentAccessToken(request, auth) ?? "");
    if (awsSession !== undefined) redactor.addCredential({ kind: "aws", ...awsSession });
  }
  const { host: _host, connection: _connection, [WITHOUT_ACCOUNT_HEADER]: _without, ...headers } = request.headers;
  return redactor.redactValue({
    sandbox: "echo",
    method: request.method,
    url: request.url.href.replace(/%7B/gi, "{").replace(/%7D/gi, "}"),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, content]) => [name, name === "authorization" ? withoutCredential(String(content)) : content]),
    ),
    body: request.body,
  });
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
