// Describes an account that was just saved. The text says “Connected” only if the credential was verified.
import { shownLabel } from "../accounts/account-name.ts";
import type { Note } from "./account-endpoint.ts";
import type { Connected } from "./connect.ts";

/** Returns one message about the account, and about requests that the sandbox echoed. */
export const connectedText = (connected: Connected, packName: string): string =>
  [nameText(connected, packName), ...echoNotes(connected).map(({ message }) => message)].join(" ");

/** The notes that {@link connectedText} includes, each with a request that the sandbox could get a response for. */
export const echoNotes = ({ signInNotes }: Pick<Connected, "signInNotes">): readonly Required<Pick<Note, "message" | "echo">>[] =>
  signInNotes.flatMap(({ message, echo }) => (echo === undefined ? [] : [{ message, echo }]));

function nameText({ account, unchecked, isRefused, unnamed }: Connected, packName: string): string {
  const name = shownLabel(account);
  if (unchecked === undefined)
    return `Connected ${name} to ${packName}.${unnamed === undefined ? "" : ` That is the default name: ${unnamed}.`}`;
  const why = unnamed === undefined || unchecked.startsWith(unnamed) ? "" : `: ${unnamed}`;
  const state = isRefused ? "Saved, but refused: the API answered getConnectionName with 401" : `Saved, not checked: ${unchecked}`;
  return `${state}. ${packName}'s account is called ${name}${unnamed === undefined ? "" : `, by default${why}`}.`;
}
