// Whether a request to the sandbox's API carries the account's credential where the configuration says.

import type { AuthenticationDefinition, NamedCredential } from "../../protocol/definition.ts";
import type { Credential } from "../accounts/credential.ts";
import type { AwsKeys } from "../aws/sign-request.ts";
import type { ApiRequest } from "./api-request.ts";
import { signatureProblem } from "./aws.ts";

/** Why the request is not authenticated; undefined where it is, or where the configuration sends no credential to its host. */
export async function credentialProblem(
  request: ApiRequest,
  auth: AuthenticationDefinition,
  credential: Credential | undefined,
  acceptsToken: (token: string) => Promise<boolean>,
  awsSession?: AwsKeys,
): Promise<string | undefined> {
  if (!getsCredentials(request.url.hostname, auth.networkDomain)) return undefined;
  switch (auth.type) {
    case "None":
      return undefined;
    case "OAuth2":
    case "OAuth2ClientCredentials": {
      const sent = sentAccessToken(request, auth);
      if (sent === undefined) {
        if (auth.tokenQueryParam) return `the query parameter ${auth.tokenQueryParam} is missing`;
        return `the Authorization header does not hold ${auth.tokenPrefix === "" ? "the access token" : `${auth.tokenPrefix ?? "Bearer"} and an access token`}`;
      }
      return (await acceptsToken(sent)) ? undefined : "the access token is unknown, expired or revoked";
    }
    case "HeaderBearerToken":
    case "CodaApiHeaderBearerToken":
      return headerProblem(request, "Authorization", "Bearer", token(credential));
    case "CustomHeaderToken":
      return headerProblem(request, auth.headerName ?? "", auth.tokenPrefix, token(credential));
    case "QueryParamToken":
      return queryProblem(request, auth.paramName ?? "", token(credential));
    case "WebBasic": {
      const pair = credential?.kind === "basic" ? `${credential.username}:${credential.password}` : undefined;
      return headerProblem(request, "Authorization", "Basic", pair === undefined ? undefined : Buffer.from(pair).toString("base64"));
    }
    case "MultiHeaderToken":
      return first(auth.headers, (item) => headerProblem(request, item.name, item.tokenPrefix, value(credential, item)));
    case "MultiQueryParamToken":
      return first(auth.params, (item) => queryProblem(request, item.name, value(credential, item)));
    case "Custom":
      return customProblem(request, auth, credential);
    case "AWSAccessKey":
    case "AWSAssumeRole": {
      const keys = credential?.kind !== "aws" ? undefined : credential.roleArn === undefined ? credential : awsSession;
      return keys === undefined ? "the account has no keys" : signatureProblem(request, auth.service ?? "", keys);
    }
    default:
      return `${auth.type} cannot be checked in the sandbox`;
  }
}

/** The access token as the configuration sends it: query parameter, or Authorization header after its prefix. */
export function sentAccessToken(request: ApiRequest, auth: AuthenticationDefinition): string | undefined {
  if (auth.tokenQueryParam) return request.url.searchParams.get(auth.tokenQueryParam) || undefined;
  const prefix = auth.tokenPrefix ?? "Bearer";
  const sent = header(request, "authorization");
  if (prefix === "") return sent || undefined;
  return sent.startsWith(`${prefix} `) ? sent.slice(prefix.length + 1) || undefined : undefined;
}

/** The scheme for the 401's WWW-Authenticate (RFC 9110, section 11.6.1). */
export function challengeOf(auth: AuthenticationDefinition | undefined): string {
  switch (auth?.type) {
    case "WebBasic":
      return 'Basic realm="sandbox"';
    case "AWSAccessKey":
    case "AWSAssumeRole":
      return 'AWS4-HMAC-SHA256 realm="sandbox"';
    case "CustomHeaderToken":
    case "QueryParamToken":
    case "MultiHeaderToken":
    case "MultiQueryParamToken":
    case "Custom":
      return 'ApiKey realm="sandbox"';
    default:
      return 'Bearer realm="sandbox", error="invalid_token"';
  }
}

function getsCredentials(host: string, chosen: string | readonly string[] | undefined): boolean {
  if (chosen === undefined) return true;
  const domains = typeof chosen === "string" ? [chosen] : chosen;
  return domains.some((domain) => host === domain.toLowerCase() || host.endsWith(`.${domain.toLowerCase()}`));
}

const header = (request: ApiRequest, name: string): string => String(request.headers[name.toLowerCase()] ?? "");

const token = (credential: Credential | undefined): string | undefined => (credential?.kind === "token" ? credential.token : undefined);

const value = (credential: Credential | undefined, { name }: NamedCredential): string | undefined =>
  credential?.kind === "values" && Object.hasOwn(credential.values, name) ? credential.values[name] : undefined;

function headerProblem(request: ApiRequest, name: string, prefix: string | undefined, wanted: string | undefined): string | undefined {
  const expected = wanted === undefined ? undefined : prefix ? `${prefix} ${wanted}` : wanted;
  const sent = header(request, name);
  if (sent === "") return `the header ${name} is missing`;
  return sent === expected ? undefined : `the header ${name} does not hold ${prefix ? `${prefix} and ` : ""}the account's value`;
}

function queryProblem(request: ApiRequest, name: string, wanted: string | undefined): string | undefined {
  const sent = request.url.searchParams.get(name);
  if (sent === null) return `the query parameter ${name} is missing`;
  return sent === wanted ? undefined : `the query parameter ${name} does not hold the account's value`;
}

function first(items: readonly NamedCredential[] = [], problem: (item: NamedCredential) => string | undefined): string | undefined {
  for (const item of items) {
    const found = problem(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** auth-spec 5.4: the values stand wherever the pack put their placeholders; one that was left as it was is a fault. */
function customProblem(request: ApiRequest, auth: AuthenticationDefinition, credential: Credential | undefined): string | undefined {
  const texts = [request.url.href, ...Object.values(request.headers).map(String), request.body].flatMap((text) => [text, decode(text)]);
  const names = (auth.params ?? []).map(({ name }) => name);
  for (const text of texts) {
    for (const [written, between = ""] of text.matchAll(/\{\{([^{}]{1,300})\}\}/g)) {
      const inner = between.trim();
      // Texts may hold {{ }} of their own: a placeholder ends with an invocation token or begins with a declared name.
      if (/-[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(inner) || names.some((name) => inner === name || inner.startsWith(`${name}-`)))
        return `the placeholder ${written.replace(/-[0-9a-f]{8}-[0-9a-f-]{27}/i, "-…")} was sent as it stands`;
    }
  }
  const values = credential?.kind === "values" ? Object.values(credential.values) : [];
  return values.some((one) => texts.some((text) => text.includes(one))) ? undefined : "no value of the account stands in the request";
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
