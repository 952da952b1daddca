// Requests that are sent while evidence is read.
// Invariant: a request goes only to a host that a person allowed, and it has no credential. The URL rules are those of packs' requests
// (url-policy.ts).

import { readBody } from "../bodies/response-body.ts";
import { withoutStop } from "../diagnosis/facts.ts";
import { explainNetwork } from "../diagnosis/network-words.ts";
import { PackAuthError } from "../errors.ts";
import type { Fetch, PlatformHost } from "../host.ts";
import { abortable, withinTime } from "../network/abortable.ts";
import { refuseNamed } from "../network/look-up.ts";
import { isReachable } from "../network/reachable-address.ts";
import { checkUrl } from "../network/url-policy.ts";
import type { Reach } from "../oauth/provider-fetch.ts";
import { type ReaderContext, Unanswered } from "./reader.ts";
import { containsToken } from "./tokens.ts";
import { ANOTHER_WAY, unreadable } from "./unreadable.ts";

/** What look-ups need from the host. */
export interface LookUpHost extends Pick<PlatformHost, "fetch" | "lookUp"> {
  /** For local testing: allows http and ports of this machine. */
  readonly allowLoopback?: boolean;
}

/** Milliseconds for one request with its redirects. */
const DEADLINE = 10_000;
/** Bytes of a response. */
const LARGEST = 1024 * 1024;
const MOST_REDIRECTS = 5;

/**
 * Returns the fetch of a reader. It asks before the first request to each host, also to one that a redirect leads to.
 * Throws evidence-unreadable if a host may not be asked or cannot be reached, and {@link Unanswered}.
 */
export function lookUpFetch(
  host: LookUpHost,
  context: Pick<ReaderContext, "mayLookUp" | "signal">,
  isAllowed: (host: string) => boolean,
): Fetch {
  const admit = async (url: URL, method: string, origin: URL | undefined, signal: AbortSignal): Promise<void> => {
    const verdict = checkUrl(url.href, method, { domains: [url.hostname], allowLoopback: host.allowLoopback === true });
    if (!verdict.allowed)
      throw unreadable(`${url.host} was not asked: ${verdict.reason}.`, `Check the address. ${ANOTHER_WAY}`, undefined, verdict.nextStep);
    if (origin !== undefined && !isReachable(url.href, origin.href))
      throw unreadable(`${origin.host} redirects to an address that is not public; it was not followed.`, ANOTHER_WAY);
    const text = `${origin === undefined || origin.host === url.host ? "" : `${origin.host} redirects to ${url.host}. `}Send a request without a credential to ${url.host}?`;
    if (!isAllowed(url.host) && !context.mayLookUp({ host: url.host, text }))
      throw unreadable(`${url.host} was not asked, as you chose.`, ANOTHER_WAY);
    await refuseNamed(url.href, host, signal);
  };
  return async (address, init) => {
    const signal = withinTime(DEADLINE, AbortSignal.any([context.signal, ...(init.signal ? [init.signal] : [])]));
    const method = init.method ?? "GET";
    let url = new URL(address);
    let origin: URL | undefined;
    try {
      for (let hop = 0; ; hop++) {
        await admit(url, method, origin, signal);
        const response = await abortable(host.fetch(url.href, { ...init, redirect: "manual", credentials: "omit", signal }), signal);
        const target = redirectOf(response, url, method);
        if (target === undefined) return response;
        void response.body?.cancel().catch(() => {});
        if (hop === MOST_REDIRECTS) throw unreadable(`${url.host} redirects more than ${MOST_REDIRECTS} times.`, ANOTHER_WAY);
        [origin, url] = [url, target];
      }
    } catch (error) {
      if (context.signal.aborted || isFinal(error)) throw error;
      const { reason, advice, nextStep } = explainNetwork(error, url.host);
      throw unreadable(`${url.host} could not be asked: ${withoutStop(reason)}.`, advice, error, nextStep);
    }
  };
}

/** Returns where a redirect leads, or undefined if the response is none that can be followed with the same request. */
function redirectOf(response: Response, from: URL, method: string): URL | undefined {
  const isSameRequest = method === "GET" ? [301, 302, 303, 307, 308] : [307, 308];
  const location = response.headers.get("location");
  if (!isSameRequest.includes(response.status) || location === null || !URL.canParse(location, from.href)) return undefined;
  const url = new URL(location, from);
  url.hash = "";
  return url;
}

/** Returns whether the error ends the reader: a question, or a refusal that already says what to do. */
const isFinal = (error: unknown): boolean =>
  error instanceof Unanswered || (error instanceof PackAuthError && error.code === "evidence-unreadable");

/** Returns the Reach of discovery, which ends at the first question, and collects why metadata was unusable. */
export function lookUpReach(context: ReaderContext): { readonly reach: Reach; readonly problems: readonly unknown[] } {
  const problems: unknown[] = [];
  const onProblem = (_address: string, error: unknown): void => {
    if (isFinal(error)) throw error;
    problems.push(error);
  };
  return { reach: { fetch: context.fetch, signal: context.signal, onProblem }, problems };
}

/** Returns the text of a response. Throws evidence-unreadable if it is too large or ends early. */
export async function readText(response: Response, { host }: URL, limit = LARGEST): Promise<string> {
  const tooLarge = (): PackAuthError =>
    unreadable(`The response of ${host} is larger than ${limit / LARGEST} MB; it was not read.`, ANOTHER_WAY);
  try {
    return Buffer.from(await readBody(response, limit, tooLarge)).toString("utf8");
  } catch (error) {
    if (isFinal(error)) throw error;
    const { reason, advice, nextStep } = explainNetwork(error, host);
    throw unreadable(`The response of ${host} could not be read: ${withoutStop(reason)}.`, advice, error, nextStep);
  }
}

export interface LookUpAddress {
  readonly url: URL;
  /** What was left out of the URL. */
  readonly remarks: readonly string[];
}

/**
 * Returns the URL that evidence consists of, without the parts that may contain a credential: user name, password, query and fragment.
 * Throws evidence-unreadable if it is no URL, or has a token in its path.
 */
export function lookUpAddress(text: string): LookUpAddress {
  const source = text.trim();
  if (!URL.canParse(source) || !/^https?:\/\//i.test(source))
    throw unreadable("This is not the address of a server.", "Enter a whole URL that begins with https://.");
  const url = new URL(source);
  const remarks = [
    ...(url.username === "" && url.password === "" ? [] : ["The user name and password of the address were left out."]),
    ...(url.search === "" ? [] : ["The query of the address was left out, because it may contain a credential."]),
  ];
  url.username = url.password = url.search = url.hash = "";
  if (!isReachable(url.href))
    throw unreadable(
      `${url.host} was not asked: its address is not https, or not public.`,
      `Enter an address that begins with https://. ${ANOTHER_WAY}`,
    );
  if (containsToken(url.pathname))
    throw unreadable(
      `The path of the address at ${url.host} contains a credential, so nothing was sent.`,
      "Remove it from the path, and revoke it if others may have seen the address. For an API that reads it there, use a cURL command.",
    );
  return { url, remarks };
}
