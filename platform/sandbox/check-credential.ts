// Checks whether a request to the sandbox's API carries the account's credential in the place that the configuration defines.

import { decodeText } from "../../base/decode-text.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { flowKindOf, isSigned } from "../../spec/auth-types.ts";
import { credentialPlaces } from "../../spec/credential-placement.ts";
import type { Credential } from "../secrets/credential.ts";
import type { ApiRequest } from "./api-request.ts";
import { signatureProblem } from "./aws.ts";
import type { SandboxSecrets } from "./credentials.ts";

/** One authentication of a pack, with its credentials in the sandbox. */
export interface ApiSide extends Omit<SandboxSecrets, "client"> {
  readonly auth: AuthenticationDefinition;
  /** Whether the configuration sends the credential to that host. */
  sendsTo(host: string): boolean;
  /** Resolves to the scopes of an OAuth token, or to undefined if the token is unknown, expired or revoked. */
  scopesOf(token: string): Promise<readonly string[] | undefined>;
}

/**
 * Returns why the request is not authenticated. Returns undefined if it is authenticated, or if the configuration sends no credential to
 * its host.
 */
export async function credentialProblem(request: ApiRequest, side: ApiSide): Promise<string | undefined> {
  const { auth, credential } = side;
  if (!side.sendsTo(request.url.hostname)) return undefined;
  switch (flowKindOf(auth.type) ?? "unavailable") {
    case "none":
      return undefined;
    case "authorization-code":
    case "client-credentials": {
      const accessToken = sentAccessToken(request, auth);
      if (accessToken === undefined) {
        if (auth.tokenQueryParam) return `the query parameter ${auth.tokenQueryParam} is missing`;
        return `the Authorization header does not contain ${auth.tokenPrefix === "" ? "the access token" : `${auth.tokenPrefix ?? "Bearer"} and an access token`}`;
      }
      return (await side.scopesOf(accessToken)) === undefined ? "the access token is unknown, expired or revoked" : undefined;
    }
    case "token":
    case "multi-token":
    case "web-basic":
      return placeProblem(request, auth, credential);
    case "custom":
      return customProblem(request, auth, credential);
    case "aws":
    case "aws-role": {
      const keys = side.awsSession ?? (credential?.kind === "aws" ? credential : undefined);
      return keys === undefined ? "the account has no keys" : signatureProblem(request, auth.service ?? "", keys);
    }
    case "unavailable":
      return `${auth.type} cannot be checked in the sandbox`;
  }
}

/** Returns the access token from where the configuration puts it: the query parameter, or the Authorization header after its prefix. */
export function sentAccessToken(request: ApiRequest, auth: AuthenticationDefinition): string | undefined {
  if (auth.tokenQueryParam) return request.url.searchParams.get(auth.tokenQueryParam) || undefined;
  const before = asReceived(`${auth.tokenPrefix ?? "Bearer"} `);
  const authorization = header(request, "authorization");
  return authorization.startsWith(before) ? authorization.slice(before.length) || undefined : undefined;
}

/** Returns the challenge for the 401's WWW-Authenticate header (RFC 9110, section 11.6.1). */
export function challengeOf(auth: AuthenticationDefinition | undefined): string {
  const [place] = auth === undefined ? [] : credentialPlaces(auth.type, auth);
  const flow = auth && flowKindOf(auth.type);
  if (flow === "custom" || (place?.field !== undefined && place.field !== "tokenQueryParam")) return 'ApiKey realm="sandbox"';
  return auth !== undefined && (flow === "web-basic" || isSigned(auth.type))
    ? `${place?.prefix} realm="sandbox"`
    : 'Bearer realm="sandbox", error="invalid_token"';
}

const header = (request: ApiRequest, name: string): string => String(request.headers[name.toLowerCase()] ?? "");

/** Removes leading blanks, which are not part of a header's value (RFC 9110, section 5.5). The sandbox's own values never end in blanks. */
const asReceived = (value: string): string => value.replace(/^[\t ]+/, "");

/** Returns the account's value for a place, before any prefix. */
function expectedValueAt(name: string, credential: Credential | undefined): string | undefined {
  if (credential?.kind === "token") return credential.token;
  if (credential?.kind === "basic") return Buffer.from(`${credential.username}:${credential.password}`).toString("base64");
  return credential?.kind === "values" && Object.hasOwn(credential.values, name) ? credential.values[name] : undefined;
}

function placeProblem(request: ApiRequest, auth: AuthenticationDefinition, credential: Credential | undefined): string | undefined {
  for (const { in: where, name = "", prefix } of credentialPlaces(auth.type, auth)) {
    const [place, sentValue] =
      where === "header"
        ? [`the header ${name}`, header(request, name)]
        : [`the query parameter ${name}`, request.url.searchParams.get(name) ?? ""];
    if (sentValue === "") return `${place} is missing`;
    const expectedValue = expectedValueAt(name, credential);
    if (expectedValue === undefined || sentValue !== (prefix ? asReceived(`${prefix} ${expectedValue}`) : expectedValue))
      return `${place} does not contain ${prefix ? `${prefix} and ` : ""}the account's value`;
  }
  return undefined;
}

/**
 * Checks a Custom authentication (auth-spec 5.4). The values may be anywhere the pack put their placeholders. A placeholder that was not
 * replaced is an error.
 */
function customProblem(request: ApiRequest, auth: AuthenticationDefinition, credential: Credential | undefined): string | undefined {
  const texts = [request.url.href, ...Object.values(request.headers).map(String), request.body].flatMap((text) => [
    text,
    decodeText(text.replaceAll("+", " ")),
  ]);
  const names = (auth.params ?? []).map(({ name }) => name);
  for (const text of texts) {
    for (const [placeholder, between = ""] of text.matchAll(/\{\{([^{}]{1,300})\}\}/g)) {
      const inner = between.trim();
      // Other text may contain {{ }} too. A placeholder ends with an invocation token or begins with a declared name.
      if (/-[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(inner) || names.some((name) => inner === name || inner.startsWith(`${name}-`)))
        return `the placeholder ${placeholder.replace(/-[0-9a-f]{8}-[0-9a-f-]{27}/i, "-…")} was sent unchanged`;
    }
  }
  const values = credential?.kind === "values" ? Object.values(credential.values) : [];
  return values.some((one) => texts.some((text) => text.includes(one))) ? undefined : "the request contains no value of the account";
}
