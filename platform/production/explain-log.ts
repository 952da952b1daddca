// Explains an entry of the production logs by the diagnoses of sign-ins and runs. An entry has few facts: a message, or a status. If no
// diagnosis fits them, the platform's own words remain.

import { defined } from "../../base/defined.ts";
import { quote } from "../../base/quote.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { configRoot, flowKindOf, isOAuthType } from "../../spec/auth-types.ts";
import { explain } from "../diagnosis/explain.ts";
import { type Exchange, type Failure, NO_AUTHENTICATION, type ProviderError } from "../diagnosis/failure.ts";
import { errorCodeIn, type OAuthPhase } from "../diagnosis/oauth-codes.ts";
import type { DiagnosisId } from "../diagnosis/order.ts";
import { configPathOf, excerpt, explanationText } from "../diagnosis/words.ts";
import type { LogEntry } from "../public-api/public-api.ts";
import { errorOf } from "./logs.ts";

export interface LogExplanation {
  /** Whole sentences. Masked and bounded; text from outside, which the caller makes printable. */
  readonly text: string;
  /** Absent if the platform's words are quoted. */
  readonly diagnosis?: DiagnosisId;
  /** The field of the configuration to look at. */
  readonly field?: string;
  /** Such as `userAuthentication.scopes`. */
  readonly configPath?: string;
}

/** Returns why the entry says that something failed; undefined if it says nothing. */
export function explainLog(entry: LogEntry, definition: PackDefinition): LogExplanation | undefined {
  const scope = scopeOfLogs(definition);
  const auth = (scope && definition[`${scope}Authentication`]) ?? NO_AUTHENTICATION;
  const words = wordsOf(entry);
  const failure = failureOf(entry, words, auth);
  const explanation = failure && explain(failure);
  if (explanation === undefined || explanation.id === "unexplained")
    return words === undefined
      ? undefined
      : { text: `The platform says: ${quote(excerpt({ text: words, status: 400 }, LONGEST_QUOTATION))}.` };
  const { id, field } = explanation;
  return {
    text: explanationText(explanation),
    diagnosis: id,
    ...(field === undefined || scope === undefined ? {} : { field, configPath: configPathOf(configRoot(scope), { field }) }),
  };
}

/**
 * Returns the setter whose connections the logs are about: the only one, or the only one with OAuth. An entry does not say which, so that it
 * is unknown otherwise.
 */
export function scopeOfLogs(definition: PackDefinition): AuthScope | undefined {
  const present = (["user", "system"] as const).filter((scope) => definition[`${scope}Authentication`] !== undefined);
  const withOAuth = present.filter((scope) => isOAuthType(definition[`${scope}Authentication`]?.type ?? ""));
  return present.length === 1 ? present[0] : withOAuth.length === 1 ? withOAuth[0] : undefined;
}

/** Characters of a message that are read, and that are quoted. */
const LONGEST_WORDS = 4_000;
const LONGEST_QUOTATION = 300;
const LONGEST_CODE = 100;

function wordsOf(entry: LogEntry): string | undefined {
  const words = errorOf(entry)?.message ?? "";
  return words.trim() === "" ? undefined : words.slice(0, LONGEST_WORDS);
}

function failureOf(entry: LogEntry, words: string | undefined, auth: AuthenticationDefinition): Failure | undefined {
  const hasCredential = entry.connectionId !== "" && auth !== NO_AUTHENTICATION;
  if (entry.type === "fetcher") {
    const { method = "GET", baseUrl: url = "", responseCode: status = 0 } = entry;
    return status < 400 ? undefined : { phase: "resource", auth, exchange: exchangeOf({ method, url, status }, hasCredential) };
  }
  if (words === undefined) return undefined;
  if (entry.type === "mcp") {
    const [, code, message = ""] = /MCP error (-?\d{1,9}):?\s*(.*)/s.exec(words) ?? [];
    const rpcError =
      code === undefined ? undefined : { code: Number(code), message: excerpt({ text: message, status: 400 }, LONGEST_QUOTATION) };
    const mcp = {
      serverName: entry.formulaName,
      isHttpSse: false,
      isOfSession: false,
      isAnonymous: entry.connectionId === "",
      ...defined({ rpcError }),
    };
    const status = statusIn(words);
    const exchange = status === undefined ? undefined : exchangeOf({ method: "POST", url: "", status }, hasCredential);
    return { phase: "resource", auth, mcp, ...defined({ exchange }) };
  }
  if (entry.type === "auth" && isOAuthType(auth.type)) {
    const providerError = providerErrorIn(words);
    const phase = phaseOf(entry.path, words, auth, providerError);
    const client = auth.useDynamicClientRegistration === true ? "registered" : "confidential";
    const { tokenUrl: address = "" } = auth;
    // A relative address belongs to each account's endpoint, which the entry does not name.
    const signIn = URL.canParse(address) ? ({ client, address } as const) : undefined;
    return providerError === undefined ? undefined : { phase, auth, providerError, ...defined({ signIn }) };
  }
  const status = statusIn(words);
  // The diagnosis of a 404 is about the URL, which the message does not tell.
  if (status === undefined || status === 404) return undefined;
  const responseBody = words.slice(words.indexOf(String(status)) + 3).replace(/^[\s:–-]+/, "");
  return { phase: "resource", auth, exchange: { ...exchangeOf({ method: "GET", url: "", status }, hasCredential), responseBody } };
}

/** An entry does not say where the credential was put, only that its connection has one. */
const exchangeOf = (facts: Pick<Exchange, "method" | "url"> & { readonly status: number }, hasCredential: boolean): Exchange => ({
  ...facts,
  requestHeaders: {},
  credentials: hasCredential ? [{ carrier: "", host: "" }] : [],
});

/** Returns the status of a message such as `401 - {"error":…}`, which StatusCodeError has, or `Request failed with status 401`. */
const statusIn = (words: string): number | undefined =>
  Number(
    /^\s*(?:\w*Error:\s*)?([45]\d\d)\b|\b(?:status(?: code)?|HTTP(?:\/[\d.]+)?)[:\s]{1,3}([45]\d\d)\b/i.exec(words)?.slice(1).find(Boolean),
  ) || undefined;

/** Returns the provider's error from the platform's message: as JSON, as the query of a callback, or as a code among words. */
function providerErrorIn(words: string): ProviderError | undefined {
  const json = (name: string): string | undefined => {
    const text = new RegExp(`"${name}"\\s*:\\s*("(?:[^"\\\\]|\\\\.){1,${LONGEST_WORDS}}")`).exec(words)?.[1];
    return text === undefined ? undefined : parsed(text);
  };
  const query = (name: string): string | undefined => {
    const text = new RegExp(`(?:^|[?&#\\s])${name}=([^&\\s]+)`).exec(words)?.[1];
    return text === undefined ? undefined : (new URLSearchParams(`value=${text}`).get("value") ?? undefined);
  };
  const status = statusIn(words);
  const code = json("error") ?? query("error") ?? errorCodeIn(words) ?? (status === undefined ? undefined : `http_${status}`);
  if (code === undefined) return undefined;
  const description = json("error_description") ?? query("error_description") ?? words;
  return { code: masked(code, LONGEST_CODE), description: masked(description, LONGEST_QUOTATION) };
}

const masked = (text: string, longest: number): string => excerpt({ text, status: 400 }, longest);

function parsed(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}

/** Errors that only the authorization page brings (RFC 6749, section 4.1.2.1; OpenID Connect, section 3.1.2.6). */
const PAGE_ERRORS =
  /^(access_denied|unsupported_response_type|login_required|consent_required|interaction_required|account_selection_required)$/;

function phaseOf(path: string, words: string, { type }: AuthenticationDefinition, error: ProviderError | undefined): OAuthPhase {
  if (flowKindOf(type) === "client-credentials") return "client-credentials";
  if (/refresh/i.test(path) || /\brefresh/i.test(words)) return "refresh";
  return PAGE_ERRORS.test(error?.code ?? "") ? "authorization" : "code";
}
