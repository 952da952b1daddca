// Addresses that a server wrote, as people see them. A presigned address has its signature in the query, which no redactor knows, and whoever
// reads the address can use it.
import { MASK } from "../secrets/redact.ts";
import { isSecretName } from "./secret-name.ts";

/** Response headers that hold an address (RFC 9110, sections 8.7 and 10.2.2; RFC 8288; HTML, "refresh"). */
const ADDRESS_HEADERS = ["content-location", "link", "location", "refresh"];

/** The text with the values masked of all parameters whose names are those of secrets. */
export const shownAddress = (text: string): string =>
  text.replace(/([?&#]([^=&#?\s<>"']*)=)[^&#\s<>"']+/g, (whole, start: string, name: string) =>
    isSecretName(decoded(name)) ? `${start}${MASK}` : whole,
  );

export const shownHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, ADDRESS_HEADERS.includes(name) ? shownAddress(value) : value]));

const decoded = (name: string): string => new URLSearchParams(name).keys().next().value ?? name;
