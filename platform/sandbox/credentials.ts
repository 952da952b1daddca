// The credentials that a pack has in the sandbox, and whether a request carries them where the configuration says.
import { createHash, randomBytes } from "node:crypto";
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";
import type { ClientCredentials, Credential } from "../credential.ts";

/** Made once per pack and process. */
export interface SandboxSecrets {
  readonly client: Required<ClientCredentials>;
  readonly credential?: Credential;
  readonly endpoint?: string;
}

const secret = (kind: string): string => `sandbox-${kind}-${randomBytes(12).toString("hex")}`;

export function makeSecrets(auth: AuthenticationDefinition, definition: PackDefinition, endpoint: string | undefined): SandboxSecrets {
  const credential = credentialFor(auth);
  const domain = auth.endpointDomain ?? definition.networkDomains[0];
  const needsEndpoint = auth.requiresEndpointUrl === true || auth.endpointKey !== undefined;
  const chosen =
    endpoint ??
    (needsEndpoint && domain !== undefined ? `https://sandbox.${domain}` : needsEndpoint ? "https://sandbox.example" : undefined);
  return {
    client: { clientId: secret("client"), clientSecret: secret("secret") },
    ...(credential === undefined ? {} : { credential }),
    ...(chosen === undefined ? {} : { endpoint: chosen }),
  };
}

function credentialFor(auth: AuthenticationDefinition): Credential | undefined {
  switch (auth.type) {
    case "HeaderBearerToken":
    case "CodaApiHeaderBearerToken":
    case "CustomHeaderToken":
    case "QueryParamToken":
      return { kind: "token", token: secret("token") };
    case "MultiHeaderToken":
      return { kind: "values", values: Object.fromEntries((auth.headers ?? []).map((header) => [header.name, secret("value")])) };
    case "MultiQueryParamToken":
    case "Custom":
      // One label's length and characters, since a Custom value may stand in a host.
      return {
        kind: "values",
        values: Object.fromEntries(
          (auth.params ?? []).map((param) => [
            param.name,
            `sandbox-${createHash("sha256").update(randomBytes(12)).digest("hex").slice(0, 16)}`,
          ]),
        ),
      };
    case "WebBasic":
      return { kind: "basic", username: "sandbox-user", password: auth.uxConfig?.usernameOnly ? "" : secret("password") };
    default:
      return undefined;
  }
}

/** A request as the API sees it. */
export interface ApiRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** Why the request is not authenticated; undefined where it is. */
export async function missingCredential(
  request: ApiRequest,
  auth: AuthenticationDefinition,
  secrets: SandboxSecrets,
  acceptsToken: (token: string) => Promise<boolean>,
): Promise<string | undefined> {
  const header = (name: string): string => String(request.headers[name.toLowerCase()] ?? "");
  const expectHeader = (name: string, prefix: string | undefined, value: string): string | undefined =>
    header(name) === (prefix === undefined || prefix === "" ? value : `${prefix} ${value}`)
      ? undefined
      : `the header ${name} does not hold ${prefix ? `${prefix} and ` : ""}the account's value`;
  const { credential } = secrets;
  switch (auth.type) {
    case "OAuth2":
    case "OAuth2ClientCredentials": {
      const prefix = auth.tokenPrefix ?? "Bearer";
      const sent = auth.tokenQueryParam
        ? request.url.searchParams.get(auth.tokenQueryParam)
        : prefix === ""
          ? header("authorization")
          : header("authorization").startsWith(`${prefix} `)
            ? header("authorization").slice(prefix.length + 1)
            : undefined;
      if (!sent)
        return auth.tokenQueryParam
          ? `the query parameter ${auth.tokenQueryParam} is missing`
          : `the Authorization header does not begin with ${prefix || "the token"}`;
      return (await acceptsToken(sent)) ? undefined : "the access token is unknown or expired";
    }
    case "WebBasic": {
      if (credential?.kind !== "basic") return "no account";
      return expectHeader("authorization", "Basic", Buffer.from(`${credential.username}:${credential.password}`).toString("base64"));
    }
    case "QueryParamToken":
      return credential?.kind === "token" && request.url.searchParams.get(auth.paramName ?? "") === credential.token
        ? undefined
        : `the query parameter ${auth.paramName} does not hold the token`;
    case "CustomHeaderToken":
      return credential?.kind === "token" ? expectHeader(auth.headerName ?? "", auth.tokenPrefix, credential.token) : "no account";
    case "MultiHeaderToken":
      return credential?.kind === "values"
        ? (auth.headers ?? [])
            .map((item) => expectHeader(item.name, item.tokenPrefix, credential.values[item.name] ?? ""))
            .find((problem) => problem !== undefined)
        : "no account";
    case "MultiQueryParamToken":
      return credential?.kind === "values"
        ? (auth.params ?? [])
            .map((item) =>
              request.url.searchParams.get(item.name) === credential.values[item.name]
                ? undefined
                : `the query parameter ${item.name} does not hold its value`,
            )
            .find((problem) => problem !== undefined)
        : "no account";
    case "Custom": {
      const everything = [decode(request.url.href), ...Object.values(request.headers).map(String), request.body, decode(request.body)].join(
        "\n",
      );
      if (/\{\{[^{}]*-[0-9a-f-]{36}\}\}/i.test(everything)) return "a placeholder was sent as it stands";
      return credential?.kind === "values" && Object.values(credential.values).some((value) => everything.includes(value))
        ? undefined
        : "no value of the account stands in the request";
    }
    case "HeaderBearerToken":
    case "CodaApiHeaderBearerToken":
      return credential?.kind === "token" ? expectHeader("Authorization", "Bearer", credential.token) : "no account";
    default:
      return undefined;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
