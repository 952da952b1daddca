// Requests to the endpoints of OAuth 2.0: they show how the API signs people in, and no request of the API itself.
import { isReachable } from "../../network/reachable-address.ts";
import type { Impossibility } from "../impossible.ts";
import type { SetupOutcome } from "../outcome.ts";
import { askOAuthUrl, field } from "../proposal-parts.ts";
import type { ReaderContext } from "../reader.ts";
import { unreadable } from "../unreadable.ts";
import { isOpaque, isPlain } from "./names.ts";
import { isPlaceholder } from "./placeholders.ts";
import { bodyFields, type CurlRequest } from "./request.ts";
import { MARK } from "./words.ts";

const IMPOSSIBLE_GRANTS: Readonly<Record<string, Impossibility>> = {
  password: "password-grant",
  "urn:ietf:params:oauth:grant-type:jwt-bearer": "jwt-assertion",
  "urn:ietf:params:oauth:grant-type:saml2-bearer": "jwt-assertion",
  "urn:ietf:params:oauth:grant-type:device_code": "device-grant",
  device_code: "device-grant",
};

/** Parameters of RFC 6749, RFC 7636, RFC 7521 and RFC 8707 that a configuration has a field for, or that the platform sends itself. */
const STANDARD_PARAMETERS = new Set(
  "grant_type client_id client_secret scope resource code redirect_uri refresh_token code_verifier response_type state code_challenge code_challenge_method".split(
    " ",
  ),
);

/** Returns the outcome of a request to a token or authorization endpoint, or undefined for another request. */
export function readTokenRequest(request: CurlRequest, context: ReaderContext): SetupOutcome | undefined {
  const parameters = new Map([...request.query, ...bodyFields(request.body)].map(({ name, value }) => [name, value]));
  const grant = parameters.get("grant_type");
  const responseType = parameters.get("response_type");
  if (grant === undefined && !(responseType !== undefined && parameters.has("client_id") && request.method === "GET")) return undefined;
  const parameter = grant === undefined ? "response_type" : "grant_type";
  const origin = `the parameter ${parameter} of the cURL command`;
  if (grant === undefined && responseType !== "code")
    return /\btoken\b/.test(responseType ?? "") ? { kind: "impossible", reason: "implicit-grant", origin } : undefined;
  if (grant !== undefined && Object.hasOwn(IMPOSSIBLE_GRANTS, grant)) {
    const reason = IMPOSSIBLE_GRANTS[grant];
    if (reason !== undefined) return { kind: "impossible", reason, origin };
  }
  if (parameters.has("client_assertion"))
    return { kind: "impossible", reason: "jwt-assertion", origin: "the parameter client_assertion of the cURL command" };
  const isClient = grant === "client_credentials";
  if (!isClient && grant !== undefined && grant !== "authorization_code" && grant !== "refresh_token")
    throw unreadable(
      "The command requests a token with a grant_type that set-up does not know.",
      "Paste a request to the API itself, with its credential.",
    );
  const url = `${request.origin}${request.segments.join("/")}`;
  if (url.includes(MARK))
    throw unreadable(
      "The address of the OAuth 2.0 endpoint has a placeholder.",
      "Write the whole address, as one of your accounts has it.",
    );
  confirmAddress(request, context);
  const ask = (name: "authorizationUrl" | "tokenUrl") => field(name, askOAuthUrl(name, context), "your answer");
  const endpoint = "the URL of the cURL command";
  const urls =
    grant === undefined
      ? [...field("authorizationUrl", url, endpoint), ...ask("tokenUrl")]
      : [...(isClient ? [] : ask("authorizationUrl")), ...field("tokenUrl", url, endpoint)];
  const scope = parameters.get("scope") ?? "";
  const scopes = isPlaceholder(scope) ? [] : scope.split(/[\s,;]+/).filter(Boolean);
  const delimiter = scopes.length > 1 && !/\s/.test(scope) ? (/[,;]/.exec(scope)?.[0] ?? " ") : " ";
  const api = parameters.get("resource");
  const resource = api === undefined || isPlaceholder(api) || !isReachable(api) ? undefined : api;
  const usesPkce = parameters.has("code_verifier") || parameters.has("code_challenge");
  const usesHeader =
    request.user !== undefined || request.headers.some(({ name, value }) => /^authorization$/i.test(name) && /^basic /i.test(value));
  const location = usesHeader ? "AuthorizationHeader" : parameters.has("client_secret") ? "Body" : undefined;
  const answer = context.ask({
    id: "api-domain",
    text: "On which domain is the API that the tokens are for?",
    example: request.domain ?? "api.example.com",
    problem: (text) =>
      /^[a-z\d-]+(?:\.[a-z\d-]+)+$/i.test(text.trim()) && text.length <= 253 ? undefined : "Enter a domain, such as api.example.com.",
  });
  const unknown = [...parameters.keys()].filter((name) => !STANDARD_PARAMETERS.has(name) && /^[\w-]{1,40}$/.test(name) && !isOpaque(name));
  return {
    kind: "proposal",
    proposal: {
      scope: "user",
      type: isClient ? "OAuth2ClientCredentials" : "OAuth2",
      typeOrigin: origin,
      fields: [
        ...urls,
        ...field("scopes", scopes.length === 0 ? undefined : scopes, "the parameter scope of the cURL command"),
        ...field("scopeDelimiter", delimiter === " " ? undefined : delimiter, "the parameter scope of the cURL command"),
        ...field("resource", resource, "the parameter resource of the cURL command"),
        ...field("credentialsLocation", location, `the ${usesHeader ? "user" : "parameter client_secret"} of the cURL command`),
        ...field("useProofKeyForCodeExchange", usesPkce || undefined, "the code verifier or challenge of the cURL command"),
      ],
      domains: [{ domain: answer.trim().toLowerCase(), origin: "your answer" }],
      remarks: [
        ...request.remarks,
        "The client ID and its secret are entered at the first sign-in. They are in no file.",
        ...(unknown.length === 0
          ? []
          : [
              `The request has further parameters, which are left out: ${unknown.slice(0, 8).join(", ")}. Check whether the provider needs them.`,
            ]),
      ],
    },
  };
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Asks before a part of the address that may be a secret is written. A UUID is the tenant of a provider. */
function confirmAddress({ segments }: CurlRequest, context: ReaderContext): void {
  const at = segments.findIndex((segment) => !isPlain(segment) && !UUID.test(segment));
  if (at < 0) return;
  const answer = context.choose({
    id: "address-part",
    text: `Part ${at} of the address of the OAuth 2.0 endpoint (${segments[at]?.length} characters) may be a secret. What is it?`,
    options: [
      { value: "constant", label: "A part of the address for all users", detail: "It is written into the source." },
      { value: "secret", label: "A secret", detail: "Nothing is written." },
    ],
  });
  if (answer === "secret")
    throw unreadable(
      "The address of the OAuth 2.0 endpoint has a secret.",
      "Ask the provider for an address that is the same for all users.",
    );
}
