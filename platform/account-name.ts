// What an account is called where nothing named it (auth-spec 5.6.1, 5.6.3), and what a person is told of one that was just made: what
// nothing tried is not called connected.
import type { Note } from "./account-endpoint.ts";
import type { Account } from "./accounts.ts";
import type { Connected } from "./connect.ts";

const SANDBOX_USER = "Sandbox user";

/** The user's name, or the sandbox user's; with the endpoint's host, or a number, where another account of the pack has it. */
export function defaultName(userName: string, isSandbox: boolean, endpoint: string | undefined, taken: readonly string[]): string {
  const name = isSandbox ? SANDBOX_USER : userName;
  const host = endpoint !== undefined && URL.canParse(endpoint) ? new URL(endpoint).host : "";
  const named = host === "" || !taken.includes(name) ? name : `${name} (${host})`;
  for (let number = 2, numbered = named; ; number++) {
    if (!taken.includes(numbered)) return numbered;
    numbered = `${named} ${number}`;
  }
}

/** One message, a thought a sentence; with what the sandbox had no answer for. */
export const connectedText = (connected: Connected, packName: string): string =>
  [nameText(connected, packName), ...echoNotes(connected).map(({ message }) => message)].join(" ");

/** The notes that {@link connectedText} tells, each with a request that may get an answer. */
export const echoNotes = ({ notes }: Pick<Connected, "notes">): readonly Required<Pick<Note, "message" | "echo">>[] =>
  notes.flatMap(({ message, echo }) => (echo === undefined ? [] : [{ message, echo }]));

function nameText({ account, unchecked, unnamed }: Connected, packName: string): string {
  const name = `${account.label}${account.sandboxOrigin === undefined ? "" : " (sandbox)"}`;
  if (unchecked === undefined)
    return `Connected ${name} to ${packName}.${unnamed === undefined ? "" : ` That is the default name: ${unnamed}.`}`;
  const why = unnamed === undefined || unnamed === unchecked ? "" : `: ${unnamed}`;
  return `Saved, not checked: ${unchecked}. ${packName}'s account is called ${name}${unnamed === undefined ? "" : `, by default${why}`}.`;
}

export const isUnnamed = ({ unnamed, renamed }: Account): boolean => unnamed === true && renamed !== true;
