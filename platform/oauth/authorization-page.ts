// Finds errors that only the provider's page shows. Some errors must not go to the redirect address (RFC 6749, section 4.1.2.1), so the
// sign-in receives no callback. The authorization address is therefore requested once, as by a browser in which nobody is signed in.
// Invariants: the request sends no secret and no cookie; the response is never followed, only quoted, masked and cut.
import { defined } from "../../base/defined.ts";
import { readBeginning } from "../bodies/response-body.ts";
import { errorCodeIn } from "../diagnosis/oauth-codes.ts";
import { excerpt, quoteError, withoutEntities } from "../diagnosis/words.ts";
import { abortable } from "../network/abortable.ts";
import { isReachable } from "../network/reachable-address.ts";
import { MASK } from "../secrets/redact.ts";
import { type Reach, signalOf } from "./provider-fetch.ts";

export interface PageRefusal {
  /** The standard's code, if the provider names or implies one; else the provider's own. It is empty for words alone. */
  readonly code: string;
  readonly description?: string;
  /** True if the error is on the page and was not sent back to the redirect address. */
  readonly isOnPage?: true;
  /** The provider's own words. */
  readonly providerError: string;
}

/** Bytes of a page that are read. */
const LARGEST = 64 * 1024;
/** Characters of the page's text that a message quotes. */
const LONGEST = 200;

/**
 * Returns the error that the authorization page shows. Returns undefined if the page would ask the person to sign in, or if the response
 * says too little. Never throws.
 * `address` must have its own state. `hear` receives the address, without its query, that the authorization endpoint has permanently moved
 * to; undefined if it has not.
 */
export async function refusalOnPage(
  address: string,
  reach: Reach,
  hear: (movedTo: string | undefined) => void = () => {},
): Promise<PageRefusal | undefined> {
  if (!isReachable(withoutQuery(address))) return undefined;
  const signal = signalOf(reach);
  const headers = { accept: "text/html, application/json;q=0.9", "accept-language": "en" };
  try {
    const pendingResponse = reach.fetch(address, { method: "GET", headers, redirect: "manual", credentials: "omit", signal });
    const response = await abortable(pendingResponse, signal);
    const { status } = response;
    const location = response.headers.get("location");
    hear(status === 301 || status === 308 ? movedTo(address, location) : undefined);
    const isJson = /\bjson\b/i.test(response.headers.get("content-type") ?? "");
    if (status >= 400 || (status < 300 && isJson)) {
      const text = (await abortable(readBeginning(response, LARGEST), signal)).bytes.toString("utf8");
      return isJson ? ofJson(text, status, address) : ofWords(text, status);
    }
    void response.body?.cancel().catch(() => {});
    return location === null ? undefined : ofScriptsRedirect(location, address);
  } catch {
    return undefined;
  }
}

/**
 * Returns the error that a person copied from the provider's page, as the address of that page or in its words. A code that the words only
 * imply explains them, and is not quoted. Returns undefined for anything else, and for an address that may hold an authorization code, since
 * the words are shown.
 */
export function refusalInPasted(pasted: string): PageRefusal | undefined {
  const text = pasted.trim();
  const isSentence = /\s/.test(text);
  if (!isSentence && /\b(?:code|state)=/.test(text)) return undefined;
  if (!isSentence && /^https?:/i.test(text)) return URL.canParse(text) ? ofRedirect(new URL(text)) : undefined;
  const refusal = ofSentence(text);
  return isSentence || refusal.code !== "" ? refusal : undefined;
}

/** Reads the words of a page that a person saw. */
function ofSentence(text: string): PageRefusal {
  const code = codeIn(text) ?? errorCodeIn(text) ?? inferCode(text) ?? "";
  const description = excerpt({ text: text.replace(/\b(code|state)=[^\s&]*/g, `$1=${MASK}`), status: 400 }, LARGEST);
  return { code, description, providerError: quoteError("", description), isOnPage: true };
}

/**
 * Returns the new address of the same request. A redirect without the request's parameters leads to a page of the provider: the endpoint
 * has not moved.
 */
function movedTo(address: string, location: string | null): string | undefined {
  if (location === null || !URL.canParse(location, address)) return undefined;
  const [requestUrl, redirectUrl] = [new URL(address), new URL(location, address)];
  const isSame = ["client_id", "state"].every((name) => requestUrl.searchParams.get(name) === redirectUrl.searchParams.get(name));
  return isSame && isReachable(withoutQuery(redirectUrl.href)) ? `${redirectUrl.origin}${redirectUrl.pathname}` : undefined;
}

/** The query is dropped because it contains the request, which can be of any length. */
const withoutQuery = (address: string): string | undefined => address.split("?", 1)[0];

/** Reads an error from the redirect of a request in which nobody is signed in. */
function ofScriptsRedirect(location: string, address: string): PageRefusal | undefined {
  const refusal = URL.canParse(location, address) ? ofRedirect(new URL(location, address)) : undefined;
  return refusal !== undefined && INTERACTION.test(refusal.code) ? undefined : refusal;
}

/** Reads an error from a redirect to our address, or to a page whose address names an error. Any other page is a sign-in page. */
function ofRedirect({ searchParams, host, pathname }: URL): PageRefusal | undefined {
  const named = (...names: readonly string[]): string | undefined => names.map((name) => searchParams.get(name)).find(Boolean) ?? undefined;
  const code = named("error", "error_code", "errorCode");
  if (code !== undefined) return refusal(code, named("error_description", "error_message", "errorDescription"));
  // Google packs the error in Base64, with lengths between the words.
  const packed = Buffer.from(named("authError") ?? "", "base64").toString("utf8");
  if (packed !== "") return ofSentence(packed);
  return /(^|[^a-z])errors?([^a-z]|$)/i.test(pathname)
    ? { code: "", providerError: excerpt({ text: `${host}${pathname}`, status: 400 }, LONGEST) }
    : undefined;
}

/** Codes that report a missing person or consent, which a person in a browser would give. */
const INTERACTION = /^(access_denied|(login|interaction|consent|account_selection)_required)$/;

function ofJson(text: string, status: number, address: string): PageRefusal | undefined {
  const members: unknown = JSON.parse(text);
  const { error, error_description: description, message, url } = (members ?? {}) as Readonly<Record<string, unknown>>;
  // Some servers return a URL to scripts in place of a redirect.
  if (typeof url === "string" && error === undefined) return ofScriptsRedirect(url, address);
  // A 401 without a standard code only says that the script is not signed in; a browser would get the sign-in page.
  const asksToSignIn = typeof error !== "string" || INTERACTION.test(error) || (status === 401 && codeIn(error) === undefined);
  if (asksToSignIn) return status >= 400 ? ofWords(text, status) : undefined;
  const explanation = [description, message].find((text) => typeof text === "string");
  return { ...refusal(error, explanation), isOnPage: true };
}

/** Statuses of servers that take the host for a robot, or are overloaded. A browser may still be let in. */
const MAY_LET_BROWSERS_IN = [401, 403, 407, 429, 503];

/** Reads an error from the text of a page: its standard code, or if it has none, its words. */
function ofWords(page: string, status: number): PageRefusal | undefined {
  const text = withoutEntities(excerpt({ text: page, status }, LARGEST));
  const code = codeIn(text) ?? ([400, 401, 404, 422].includes(status) ? inferCode(text) : undefined);
  if (code === undefined) {
    if (MAY_LET_BROWSERS_IN.includes(status)) return undefined;
    return { code: `http_${status}`, providerError: `status ${status}${text === "" ? "" : ` — “${text.slice(0, LONGEST)}”`}` };
  }
  // Cuts the description before the next name of a list.
  const [description] =
    text
      .split(/error_description ?[:=] ?/, 2)[1]
      ?.slice(0, LONGEST)
      .split(/ \w+ ?[:=] /, 1) ?? [];
  const at = Math.max(text.indexOf(code), 0);
  return { ...refusal(code, description ?? text.slice(at, at + LONGEST)), isOnPage: true };
}

/** The most specific codes come first, because pages explain one code with another. */
const CODES: readonly string[] =
  "redirect_uri_mismatch invalid_redirect_uri unauthorized_client invalid_client invalid_scope invalid_target unsupported_response_type temporarily_unavailable server_error invalid_request".split(
    " ",
  );

const codeIn = (text: string): string | undefined => CODES.find((code) => text.includes(code));

/** Returns the code that the words imply. Words that only mention a scope or the client ID may be about something else. */
function inferCode(text: string): string | undefined {
  if (/redirect[ _-]?ur[il]|reply (?:url|address)|code[ _-]?challenge|pkce/i.test(text)) return "invalid_request";
  if (isRefused("client[ _-]?id", text) || UNKNOWN_APPLICATION.test(text)) return "invalid_client";
  return isRefused("scopes?", text) ? "invalid_scope" : undefined;
}

const UNKNOWN_APPLICATION =
  /\b(?:unknown|invalid|no such) (?:client|application)\b|\b(?:client|application) (?:is |was )?(?:unknown|invalid|not found)\b/i;

const REFUSED =
  "(?:illegal|invalid|unknown|unrecogni[sz]ed|missing|required|malformed|no such|not (?:found|valid|exist|know|known|recogni[sz]ed|registered|allowed|authori[sz]ed|supported)|doesn.t exist)";

const isRefused = (what: string, text: string): boolean =>
  new RegExp(`\\b${REFUSED}\\b[^.;]{0,40}\\b${what}\\b|\\b${what}\\b[^.;]{0,40}\\b${REFUSED}\\b`, "i").test(text);

function refusal(rawCode: string, about: string | undefined): PageRefusal {
  const code = excerpt({ text: rawCode, status: 400 }, LONGEST);
  const description = about === undefined ? undefined : excerpt({ text: about, status: 400 }, LONGEST);
  return { code, providerError: quoteError(code, description), ...defined({ description }) };
}
