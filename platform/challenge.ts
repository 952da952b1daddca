// What a 401 or 403 of an API says of the credential that was sent (RFC 9110, section 11.6.1; RFC 6750, section 3): the author is told
// when the API wants another scheme than the configuration sends, or what is wrong with the token.
import type { AuthenticationDefinition } from "../protocol/definition.ts";
import { inItsWords, oauthErrorText, refusalMessage } from "./oauth/error-texts.ts";

export interface Challenge {
  /** In lower case. */
  readonly scheme: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface ChallengeExplained {
  readonly message: string;
  /** The field of the configuration that helps. */
  readonly field: string;
}

/** Characters of a header that are read. */
const LONGEST = 4_096;

/** Every challenge of a WWW-Authenticate header, joined or not; what is no challenge is left out. */
export function challengesIn(header: string): readonly Challenge[] {
  const challenges: { scheme: string; parameters: Record<string, string> }[] = [];
  // A token followed by = is a parameter; a token that is not begins a challenge.
  const part = /([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/g;
  for (const [whole, name = "", quoted, bare] of header.slice(0, LONGEST).matchAll(part)) {
    if (!whole.includes("=")) challenges.push({ scheme: name.toLowerCase(), parameters: {} });
    else {
      const last = challenges.at(-1);
      if (last !== undefined) last.parameters[name.toLowerCase()] = quoted?.replace(/\\(.)/g, "$1") ?? bare ?? "";
    }
  }
  return challenges;
}

/** What the API said of the credential, where that says more than its status. */
export function explainChallenge(
  answer: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
  sent: { readonly headers: Readonly<Record<string, string>> },
  auth: AuthenticationDefinition,
): ChallengeExplained | undefined {
  if (answer.status !== 401 && answer.status !== 403) return undefined;
  const challenges = challengesIn(answer.headers["www-authenticate"] ?? "");
  const authorization = Object.entries(sent.headers).find(([name]) => name.toLowerCase() === "authorization")?.[1];
  const used = authorization === undefined ? undefined : schemeOf(authorization);
  const refused = challenges.find(({ parameters }) => parameters.error !== undefined);
  if (refused?.parameters.error !== undefined) {
    const { error: code, error_description: description, scope } = refused.parameters;
    const text = oauthErrorText({ phase: "resource", code, auth, ...(description === undefined ? {} : { description }) });
    if (text !== undefined) {
      const needs = code === "insufficient_scope" && scope !== undefined ? ` It names: ${scope}.` : "";
      return {
        message: `${refusalMessage("Refused", text, inItsWords(code, description))} ${text.hint}${needs}`,
        field: text.field ?? "type",
      };
    }
  }
  const [asked] = challenges;
  if (answer.status === 401 && asked !== undefined && used !== undefined && !challenges.some(({ scheme }) => scheme === used.toLowerCase()))
    return otherScheme(asked.scheme, used, auth);
  return undefined;
}

/** The first word of the header's value; a bare token has none. */
const schemeOf = (authorization: string): string => (/\s/.test(authorization.trim()) ? (authorization.trim().split(/\s/)[0] ?? "") : "");

function otherScheme(asked: string, used: string, auth: AuthenticationDefinition): ChallengeExplained {
  const sent = used === "" ? "without a prefix" : `with the prefix ${used}`;
  const takesPrefix = ["OAuth2", "OAuth2ClientCredentials", "CustomHeaderToken"].includes(auth.type);
  const basic = asked === "basic";
  return {
    message: `The API asks for the scheme ${asked}, and the credential was sent ${sent}. ${
      basic && auth.type !== "WebBasic"
        ? "An API that asks for Basic takes a user name and password: AuthenticationType.WebBasic."
        : takesPrefix
          ? `Try tokenPrefix: ${JSON.stringify(asked)}, in the spelling of the API's documentation.`
          : `A prefix of its own is sent by CustomHeaderToken with headerName: "Authorization" and tokenPrefix: ${JSON.stringify(asked)}.`
    }`,
    field: takesPrefix && !basic ? "tokenPrefix" : "type",
  };
}
