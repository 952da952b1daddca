// The authorization response (RFC 6749, section 4.1.2), however it came back: to the listener, through the editor, or pasted by a
// person. Invariant: whatever does not carry this attempt's state is not believed.

import { timingSafeEqual } from "node:crypto";
import { t } from "@vscode/l10n";

type Callback =
  | { readonly parameters: URLSearchParams }
  /** Why it is none of this attempt's. */
  | { readonly problem: "state" | "no-state" | "empty" };

/** RFC 6749, sections 4.1.2 and 4.1.2.1: some providers leave it out, of errors above all. */
export const NO_STATE = t`Cancel this sign-in, because the provider did not send the state back (RFC 6749, section 4.1.2).`;

/** RFC 6749, section 10.12: the state binds an answer to the attempt that asked for it. */
export function readCallback(parameters: URLSearchParams, state: string): Callback {
  const isAnswer = parameters.has("code") || parameters.has("error");
  if (!parameters.has("state")) return { problem: isAnswer ? "no-state" : "empty" };
  const given = Buffer.from(parameters.get("state") ?? "");
  const wanted = Buffer.from(state);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return { problem: "state" };
  return isAnswer ? { parameters } : { problem: "empty" };
}

/** The answer in an address that a person pasted; a text where it is none. */
export function readPasted(text: string, redirectUri: string, state: string): URLSearchParams | string {
  const trimmed = text.trim();
  if (trimmed === "") return t`Paste the whole address from the browser's address bar.`;
  if (!URL.canParse(trimmed)) return t`Paste all of the browser's address bar, from http to the end. This is not an address.`;
  const [given, expected] = [new URL(trimmed), new URL(redirectUri)];
  const isOurs = sameMachine(given, expected) && given.pathname === expected.pathname;
  if (!isOurs) return t`Paste the address that begins with ${redirectUri}: the sign-in ends there.`;
  const callback = readCallback(given.searchParams, state);
  if ("parameters" in callback) return callback.parameters;
  if (callback.problem === "no-state") return NO_STATE;
  return callback.problem === "state"
    ? t`Paste the address that this sign-in ended at. This one belongs to another sign-in.`
    : t`This address contains neither a code nor an error.`;
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** A browser may write this machine's name in either way. */
const sameMachine = (a: URL, b: URL): boolean =>
  a.host === b.host || (a.port === b.port && LOOPBACK.includes(a.hostname) && LOOPBACK.includes(b.hostname));
