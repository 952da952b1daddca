// Whether a text is a credential that somebody wrote into a request: by where it stands, or by how it looks.
import { isLiteralCredential, looksLikePlaceholder, looksRandom } from "../syntax/secret-texts.ts";
import { CREDENTIAL_HEADER, CREDENTIAL_PARAM } from "./credential-names.ts";

/** Of a header's whole value. */
export function isWrittenInHeader(name: string, value: string): boolean {
  if (/^(?:proxy-)?authorization$/i.test(name)) return isAuthorization(value);
  return CREDENTIAL_HEADER.test(name) && isKey(value);
}

const PARAM = /[?&\n]([\w.-]+)=([^&\n#]*)/g;

/** Whether a parameter of the URL's query is written out that services take credentials in. */
export function isWrittenInQuery(url: string): boolean {
  if (!url.includes("=")) return false;
  return [...url.matchAll(PARAM)].some(([, name = "", value = ""]) => CREDENTIAL_PARAM.test(name) && isKey(value));
}

/** A user name and a password are one by being written out; of anything else, how it looks decides. */
function isAuthorization(header: string): boolean {
  const encoded = /^Basic\s+([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  const pair = encoded === undefined || encoded.length % 4 !== 0 ? undefined : atob(encoded);
  const [, user = "", password = ""] = /^([^:]*):(.*)$/s.exec(pair ?? "") ?? [];
  if (pair === undefined || user + password === "") return isLiteralCredential(header);
  if (looksLikePlaceholder(pair) || /^(?:anonymous|guest|public)$/i.test(user)) return false;
  // Without a password the user name may be a key, and may be a name.
  return password === "" ? isLiteralCredential(user) : password.length + user.length > 3;
}

/** Words and what is joined of them, versions and dates: nobody's key. */
const NO_KEY = /^(?:v?\d+(?:[.-]\d+)*|[a-z]+\/[a-z0-9.+-]+)$/i;
const SAMPLE = /(?:^|[^a-z])(?:demo|public|anonymous|guest|none|null|undefined|here|apikey|key)(?:[^a-z]|$)/i;

/** Where only keys stand, what has letters and digits is one, and so is a longer text that nobody would think of. */
function isKey(text: string): boolean {
  if (!/^[\w.~+/=:-]{8,}$/.test(text) || NO_KEY.test(text) || SAMPLE.test(text) || looksLikePlaceholder(text)) return false;
  return (/\d/.test(text) && /[a-z]/i.test(text)) || looksRandom(text);
}
