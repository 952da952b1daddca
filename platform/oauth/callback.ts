// The authorization response (RFC 6749, section 4.1.2) from any source: the listener, the editor's address, or a pasted URL. Invariant: a
// response without this attempt's state is not trusted.

import { timingSafeEqual } from "node:crypto";
import { selectPrintableNames } from "./token-response.ts";

type Callback =
  | { readonly parameters: URLSearchParams }
  /** The reason why this is not a response to this attempt. */
  | { readonly problem: CallbackProblem };

/** Why a response cannot be used. Some providers omit the state, above all from errors (RFC 6749, sections 4.1.2 and 4.1.2.1). */
export type CallbackProblem = "state" | "no-state" | "empty" | "fragment" | "post" | "path";

/** A provider's response that the sign-in cannot use. Invariant: it may come from anybody, so it does not end the sign-in. */
export interface UnusableCallback {
  readonly problem: Exclude<CallbackProblem, "state">;
  readonly parameters: URLSearchParams;
}

export const CALLBACK_PROBLEMS: Readonly<Record<CallbackProblem, string>> = {
  state: "This answer belongs to no sign-in that is under way.",
  "no-state": "Cancel this sign-in, because the provider did not send the state back (RFC 6749, section 4.1.2).",
  empty: "This answer contains neither a code nor an error.",
  fragment:
    "This answer contains neither a code nor an error. The provider may have put them behind a # (response_mode=fragment), where the platform does not read them.",
  post: "The provider sent the browser back with POST (response_mode=form_post), and the platform reads the code from the address.",
  path: "The browser came back to another address than the redirect address. A slash at the end counts.",
};

/** Returns the parameters if they carry this attempt's state, which binds the response to the request (RFC 6749, section 10.12). */
export function readCallback(parameters: URLSearchParams, state: string): Callback {
  const hasCodeOrError = parameters.has("code") || parameters.has("error");
  // A browser does not send the part behind a # to a server.
  if (parameters.size === 0) return { problem: "fragment" };
  if (!parameters.has("state")) return { problem: hasCodeOrError ? "no-state" : "empty" };
  const receivedState = Buffer.from(parameters.get("state") ?? "");
  const expectedState = Buffer.from(state);
  if (receivedState.length !== expectedState.length || !timingSafeEqual(receivedState, expectedState)) return { problem: "state" };
  return hasCodeOrError ? { parameters } : { problem: "empty" };
}

/** Returns the parameters of the address that a person pasted, or a message that says why the text is not usable. */
export function readPasted(text: string, redirectUri: string, state: string): URLSearchParams | string {
  const trimmed = text.trim();
  if (trimmed === "") return "Paste the whole address from the browser's address bar.";
  if (!URL.canParse(trimmed)) return "Paste all of the browser's address bar, from http to the end, or the words of the error.";
  const [pastedUrl, expected] = [new URL(trimmed), new URL(redirectUri)];
  if (sameMachine(pastedUrl, expected) && pastedUrl.pathname === `${expected.pathname}/`) return CALLBACK_PROBLEMS.path;
  if (!sameMachine(pastedUrl, expected) || pastedUrl.pathname !== expected.pathname)
    return `Paste the address that begins with ${redirectUri}: the sign-in ends there.`;
  const callback = readCallback(pastedUrl.searchParams, state);
  if ("parameters" in callback) return callback.parameters;
  if (callback.problem === "no-state") return CALLBACK_PROBLEMS["no-state"];
  if (callback.problem === "state") return "Paste the address that this sign-in ended at. This one belongs to another sign-in.";
  if (/^#.*\b(code|error)=/.test(pastedUrl.hash)) return CALLBACK_PROBLEMS.fragment;
  return "This address contains neither a code nor an error.";
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Returns whether both URLs name the same host. A browser may write the loopback host in several ways. */
const sameMachine = (a: URL, b: URL): boolean =>
  a.host === b.host || (a.port === b.port && LOOPBACK.includes(a.hostname) && LOOPBACK.includes(b.hostname));

/**
 * Parameters of the standards, and those that Google and Microsoft add for their own pages. None describes the account in a way that a pack
 * could need.
 */
const USUAL_PARAMETERS: ReadonlySet<string> = new Set(
  "code state scope iss error error_description error_uri session_state id_token token_type authuser hd prompt client_info".split(" "),
);

/** Returns the other parameters that a provider sends with the code, if their names cannot be secrets. */
export const extraParameters = (parameters: URLSearchParams): readonly (readonly [name: string, value: string])[] =>
  selectPrintableNames([...new Set(parameters.keys())])
    .filter((name) => !USUAL_PARAMETERS.has(name))
    .map((name) => [name, parameters.get(name) ?? ""]);
