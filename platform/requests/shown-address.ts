// Masks addresses that a server wrote before people see them. The query of a presigned address contains a signature that no redactor knows
// and that any reader could use.
import { MASK } from "../secrets/redact.ts";
import { isSecretName } from "./secret-name.ts";

/** Response headers that contain an address (RFC 9110, sections 8.7 and 10.2.2; RFC 8288; HTML, "refresh"). */
const ADDRESS_HEADERS = ["content-location", "link", "location", "refresh"];

/** Returns the text with the values masked of all parameters that have the name of a secret. */
export const shownAddress = (text: string): string =>
  text.replace(/([?&#]([^=&#?\s<>"']*)=)[^&#\s<>"']+/g, (whole, start: string, name: string) =>
    isSecretName(decoded(name)) ? `${start}${MASK}` : whole,
  );

export const shownHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, ADDRESS_HEADERS.includes(name) ? shownAddress(value) : value]));

const decoded = (name: string): string => new URLSearchParams(name).keys().next().value ?? name;
