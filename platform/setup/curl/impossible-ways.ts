// What a cURL command shows that no configuration of the platform expresses.
import { hyphened } from "../../../spec/credential-names.ts";
import type { Impossibility } from "../impossible.ts";
import type { SetupOutcome } from "../outcome.ts";
import type { ReaderContext } from "../reader.ts";
import type { CurlCommand, UserScheme } from "./command.ts";
import { shortName } from "./command.ts";
import { isPlain, isSessionCookie, isSignatureName, isTimeName } from "./names.ts";
import { bodyFields, type CurlRequest } from "./request.ts";
import { MARK } from "./words.ts";

const impossible = (reason: Impossibility, place: string): SetupOutcome => ({
  kind: "impossible",
  reason,
  origin: `${place} of the cURL command`,
});

/** Schemes of the Authorization header (IANA's registry, and those of vendors), in lower case. */
const SCHEMES: readonly (readonly [RegExp, Impossibility])[] = [
  [/^digest$/, "digest"],
  [/^(?:negotiate|ntlm|kerberos)$/, "negotiate"],
  [/^dpop$/, "dpop"],
  [/hmac|^(?:hawk|hoba|mutual|signature|sharedkey(?:lite)?|aws|scram-[a-z\d-]{1,20})$/, "signed-request"],
];

/** Returns why the platform cannot send a scheme of the Authorization header, or undefined. */
export const obstacleOfScheme = (scheme: string): Impossibility | undefined =>
  SCHEMES.find(([pattern]) => pattern.test(scheme.toLowerCase()))?.[1];

const USER_SCHEMES: Readonly<Record<UserScheme, Impossibility | undefined>> = {
  basic: undefined,
  any: undefined,
  digest: "digest",
  negotiate: "negotiate",
};

/** Returns the header, parameter or field that has a signature of the request. */
function signatureIn({ headers, query, body }: CurlRequest): string | undefined {
  const values = [
    ...headers.map(({ name, value }) => ({ name, value, place: `the header ${shortName(name)}` })),
    ...query.map(({ name, value }) => ({ name, value, place: `the query parameter ${shortName(name)}` })),
    ...bodyFields(body).map(({ name, value }) => ({ name, value, place: `the field ${shortName(name)} of the body` })),
  ].map((value) => ({ ...value, words: hyphened(value.name.slice(value.name.lastIndexOf(".") + 1)) }));
  const hasTime = values.some(({ words }) => isTimeName(words));
  const isSignature = ({ words, value }: (typeof values)[number]): boolean => {
    const mayBe = (hasTime || /sign$/.test(words)) && (!isPlain(value) || value.includes(MARK));
    return !/^x-amz-/.test(words) && isSignatureName(words, mayBe);
  };
  return values.find(isSignature)?.place;
}

/** Returns the reason why the platform cannot do it, unless the credential says otherwise. */
export function impossibleWay(command: CurlCommand, request: CurlRequest, context: ReaderContext): SetupOutcome | undefined {
  if (command.certificate !== undefined) return impossible("mutual-tls", `the option ${command.certificate}`);
  const fields = bodyFields(request.body);
  if ([...request.query, ...fields].some(({ name }) => name === "oauth_consumer_key" || name === "oauth_signature"))
    return impossible("oauth1", "the parameter oauth_consumer_key");
  for (const { name, value } of request.headers) {
    const lower = name.toLowerCase();
    if (lower === "dpop") return impossible("dpop", "the header DPoP");
    if (lower !== "authorization") continue;
    const scheme = /^[\w-]{1,60}(?= )/.exec(value)?.[0].toLowerCase() ?? "";
    if (scheme === "oauth" && /\boauth_[a-z]+ {0,9}=/.test(value)) return impossible("oauth1", "the header Authorization");
    const reason = scheme === AWS_SCHEME ? undefined : obstacleOfScheme(scheme);
    if (reason !== undefined) return impossible(reason, "the header Authorization");
  }
  const signature = signatureIn(request);
  if (signature !== undefined) return impossible("signed-request", signature);
  const scheme = command.scheme === "any" && request.user !== undefined ? askScheme(context) : command.scheme;
  const reason = USER_SCHEMES[scheme];
  if (reason !== undefined) return impossible(reason, `the option ${command.schemeOption ?? "--anyauth"}`);
  const isTokenRequest = fields.some(({ name }) => name === "grant_type");
  if (
    request.method === "POST" &&
    !isTokenRequest &&
    isLogin(request) &&
    !request.headers.some(({ name }) => /^authorization$/i.test(name))
  ) {
    const password = fields.find(({ name }) => /(?:^|\.)(?:password|passwd|pwd)$/i.test(name));
    if (password !== undefined) return impossible("session-login", `the field ${shortName(password.name)}`);
  }
  return undefined;
}

const AWS_SCHEME = "aws4-hmac-sha256";

const askScheme = (context: ReaderContext): UserScheme =>
  context.choose({
    id: "user-scheme",
    text: "curl chooses the scheme of the sign-in by itself. Which one does the API demand?",
    options: [
      { value: "basic", label: "Basic" },
      { value: "digest", label: "Digest" },
      { value: "negotiate", label: "NTLM or Negotiate" },
    ],
  }) as UserScheme;

const isLogin = ({ segments }: CurlRequest): boolean =>
  /^(?:log-?in|log-?on|sign-?in|authenticate|auth|sessions?|token)(?:\.\w{1,5})?$/i.test(
    segments.findLast((segment) => segment !== "") ?? "",
  );

/** Returns the outcome of a request whose only credential is a cookie that a sign-in set. */
export const sessionLogin = (request: CurlRequest): SetupOutcome | undefined =>
  cookieNames(request).some(isSessionCookie) ? impossible("session-login", "the header Cookie") : undefined;

/** Returns the names of the cookies. A placeholder for all of them is named like a session. */
export const cookieNames = ({ headers }: CurlRequest): readonly string[] =>
  headers
    .filter(({ name }) => name.toLowerCase() === "cookie")
    .flatMap(({ value }) =>
      value.split(";").map((text) => (text.trim().startsWith(MARK) ? "session" : (text.trim().split("=", 1)[0] ?? ""))),
    );
