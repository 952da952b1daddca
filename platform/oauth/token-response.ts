// Reads the many forms of token responses and returns one form (RFC 6749, sections 5.1 and 5.2) for the strict library. Members that the
// specification does not name are kept, because endpointKey looks for one.

import { defined } from "../../base/defined.ts";
import { isRecord } from "../../base/is-record.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { readBeginning } from "../bodies/response-body.ts";
import { errorCodeIn } from "../diagnosis/oauth-codes.ts";

/** Bytes of a token response that are read. */
const LARGEST = 1024 * 1024;
/** Bytes of a larger response that are kept for messages. */
const LONGEST_SHOWN = 500;
/** Characters of a token: the most that generous servers accept for all headers of a request. */
const LONGEST_TOKEN = 16_384;
/**
 * Characters of a token that have several encodings. Masking searches for each encoding, which takes time; tokens have few such characters.
 */
const MOST_SPELLED = 2_048;
/** Seconds in a hundred years: a longer lifetime counts as unlimited. */
const LONGEST_LIFE = 3_155_760_000;

export interface NormalisedResponse {
  /** The response for the strict library: JSON, status 200 or 400. */
  readonly response: Response;
  /** All members of the response unchanged, for endpointKey. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** The names of the response's members; `tokenIn` names the member whose object contains an access_token. */
  readonly members: readonly string[];
  readonly tokenIn?: string;
  /** Whether the response has an access_token at its top level. */
  readonly hasTopLevelToken: boolean;
  /** The provider's status and text, for messages. */
  readonly status: number;
  readonly text: string;
  /** The value of Retry-After (RFC 9110, section 10.2.3). */
  readonly retryAfter?: string;
  /** Whether the response or a token is too long, so that the response is not used. */
  readonly tooLarge: boolean;
}

/**
 * Reads and normalises a token response. Never throws for unexpected content, only if the stream breaks.
 * The platform reads the tokens of a sign-in only from the object that nestedResponseKey names. For a refresh the top level counts too,
 * because the Packs SDK reads the tokens there.
 */
export async function normaliseTokenResponse(
  response: Response,
  { nestedResponseKey }: Pick<AuthenticationDefinition, "nestedResponseKey">,
  isRefresh: boolean,
): Promise<NormalisedResponse> {
  const { bytes, isWhole } = await readBeginning(response, LARGEST);
  const text = bytes.toString("utf8", 0, isWhole ? bytes.length : LONGEST_SHOWN).replace(/^\uFEFF/, "");
  const raw = isWhole ? parseMembers(text) : {};
  const named = nestedResponseKey ? raw[nestedResponseKey] : raw;
  const nested = isRecord(named) ? named : {};
  const allMembers: Record<string, unknown> = { ...raw, ...nested };
  const isTokenTooLong = [allMembers.access_token, allMembers.refresh_token].some(
    (token) => typeof token === "string" && isSecretTooLong(token),
  );
  const members = isTokenTooLong ? {} : allMembers;
  const tokenIn = Object.entries(raw).find(([, value]) => isRecord(value) && textOf(value.access_token) !== undefined)?.[0];
  const error = errorOf(members, text, response);
  // JSON.stringify leaves out undefined members.
  const body = error ?? successOf(isTokenTooLong ? {} : isRefresh ? members : nested);
  return {
    response: new Response(JSON.stringify(body), {
      status: error === undefined ? 200 : 400,
      headers: { "content-type": "application/json" },
    }),
    raw: members,
    members: Object.keys(raw),
    ...defined({ tokenIn, retryAfter: response.headers.get("retry-after") ?? undefined }),
    hasTopLevelToken: textOf(raw.access_token) !== undefined,
    status: response.status,
    text: isTokenTooLong ? "" : text,
    tooLarge: !isWhole || isTokenTooLong,
  };
}

/** Returns whether a secret is longer than requests and masking support. */
export const isSecretTooLong = (secret: string): boolean =>
  secret.length > LONGEST_TOKEN || secret.replace(/[\w.-]/g, "").length > MOST_SPELLED;

/** Returns the member names that cannot themselves be secret values, so that messages may show them. */
export const selectPrintableNames = (names: readonly string[]): readonly string[] =>
  names.filter((name) => /^[\w.-]{1,40}$/.test(name)).slice(0, 12);

/** Parses JSON, or a form, which GitHub and older providers return. */
function parseMembers(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : {};
  } catch {
    return /^[^<\s{]+=/.test(text) ? Object.fromEntries(new URLSearchParams(text.trim())) : {};
  }
}

/**
 * Returns the error (RFC 6749, section 5.2). Some providers send it with status 200, as an object, or in a challenge (RFC 6750, section 3).
 */
function errorOf(
  members: Record<string, unknown>,
  text: string,
  { status, headers }: Response,
): Readonly<Record<string, string | undefined>> | undefined {
  const { error } = members;
  if (error === undefined || error === null || error === "" || error === false) {
    if (status < 400) return undefined;
    const challenge = headers.get("www-authenticate") ?? "";
    const named = inChallenge(challenge, "error") ?? errorCodeIn(text);
    const ownCode = [members.code, members.errorCode, members.error_code].find((code) => typeof code === "string" && /[a-z]/i.test(code));
    const message =
      [named === undefined ? textOf(ownCode) : undefined, textOf(members.message), inList(members.errors)].filter(Boolean).join(": ") ||
      (textOf(members.error_description) ?? textOf(members.detail) ?? inChallenge(challenge, "error_description") ?? textOf(challenge));
    return { error: named ?? `http_${status}`, error_description: message };
  }
  const inner = isRecord(error) ? error : members;
  const description =
    textOf(inner.error_description) ??
    textOf(inner.message) ??
    inList(inner.message) ??
    textOf(members.error_description) ??
    textOf(members.message);
  const code = typeof error === "string" ? error : (textOf(inner.code) ?? textOf(inner.type) ?? textOf(inner.error) ?? "error");
  return { error: code, error_description: description, error_uri: textOf(inner.error_uri) };
}

/** Returns the first of several errors, as Fitbit, NestJS and Strava list them. */
function inList(errors: unknown): string | undefined {
  const [first] = Array.isArray(errors) ? errors : [];
  if (!isRecord(first)) return textOf(first);
  return textOf(first.message) ?? ([first.resource, first.field, first.code].flatMap((part) => textOf(part) ?? []).join(" ") || undefined);
}

const inChallenge = (challenge: string, name: string): string | undefined => new RegExp(`\\b${name}="([^"]+)"`).exec(challenge)?.[1];

function successOf(members: Record<string, unknown>): Record<string, unknown> {
  // Other members are dropped: an invalid ID token, or a deeply nested member, must not fail the sign-in.
  const { expires_in, refresh_token, scope, access_token } = members;
  const seconds = typeof expires_in === "number" || typeof expires_in === "string" ? Number(expires_in) : Number.NaN;
  return {
    access_token: textOf(access_token),
    // Only the configuration decides how the token is sent, whatever type the provider names.
    token_type: "bearer",
    expires_in: seconds > 0 && seconds <= LONGEST_LIFE ? Math.floor(seconds) : undefined,
    refresh_token: textOf(refresh_token),
    scope: Array.isArray(scope)
      ? scope.filter((name) => typeof name === "string").join(" ")
      : typeof scope === "string"
        ? scope
        : undefined,
  };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
