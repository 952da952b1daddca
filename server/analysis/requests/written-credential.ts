// Whether a string is a literal credential in a request, judged by its position or its appearance.
import { isLiteralCredential, looksLikePlaceholder, looksRandom } from "../syntax/secret-texts.ts";
import { isCredentialName } from "./credential-names.ts";

/** Whether a header's whole value is a literal credential. */
export function isWrittenInHeader(name: string, value: string): boolean {
  if (/^(?:proxy-)?authorization$/i.test(name)) return isAuthorization(value);
  return isCredentialName(name) && isKey(value);
}

const PARAM = /[?&\n]([\w.-]+)=([^&\n#]*)/g;

/** Whether the query of a URL, or a body as its members, contains a literal value of a parameter for credentials. */
export function isWrittenInQuery(text: string): boolean {
  if (!text.includes("=")) return false;
  return [...text.matchAll(PARAM)].some(([, name = "", value = ""]) => isCredentialName(name) && isKey(value));
}

/** A literal user name and password are a credential; anything else is judged by its appearance. */
function isAuthorization(header: string): boolean {
  const encoded = /^Basic\s+([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  const pair = encoded === undefined || encoded.length % 4 !== 0 ? undefined : atob(encoded);
  const [, user = "", password = ""] = /^([^:]*):(.*)$/s.exec(pair ?? "") ?? [];
  if (pair === undefined || user + password === "") return isLiteralCredential(header);
  if (looksLikePlaceholder(pair) || /^(?:anonymous|guest|public)$/i.test(user)) return false;
  // Without a password, the user name may be a key or a plain name.
  return password === "" ? isLiteralCredential(user) : password.length + user.length > 3;
}

/** Words and their compounds, versions and dates, which are not keys. */
const NO_KEY = /^(?:v?\d+(?:[.-]\d+)*|[a-z]+\/[a-z0-9.+-]+)$/i;
const SAMPLE = /(?:^|[^a-z])(?:demo|public|anonymous|guest|none|null|undefined|here|apikey|key)(?:[^a-z]|$)/i;

/** Whether a value in a position for keys is one: it has letters and digits, or is a longer string that looks random. */
function isKey(text: string): boolean {
  if (!/^[\w.~+/=:-]{8,}$/.test(text) || NO_KEY.test(text) || SAMPLE.test(text) || looksLikePlaceholder(text)) return false;
  return (/\d/.test(text) && /[a-z]/i.test(text)) || looksRandom(text);
}
