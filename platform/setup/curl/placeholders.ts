// Placeholders of documentations, such as {id}, <your-token> or YOUR_API_KEY, and the slots of a proposal that they become.
import type { Slot, TextWithSlots } from "../../../protocol/setup.ts";
import { MARK } from "./words.ts";

type Place = "url" | "header" | "body";

const BRACES = String.raw`\{\{ {0,3}([A-Za-z_][\w.-]{0,60}) {0,3}\}\}`;
const BRACE = String.raw`\{([A-Za-z_][\w.-]{0,60})\}|%7B([A-Za-z_][\w.-]{0,60})%7D`;
const ANGLE = String.raw`<([A-Za-z_][\w .-]{0,60})>`;
const WORDS = String.raw`(?<![\w-])(YOUR[-_][A-Z\d_-]{1,60}|your[-_][a-z\d_-]{1,60}|your(?:company|domain|instance|org|organi[sz]ation|shop|site|store|subdomain|team|workspace))(?![\w-])`;
const CAPITALS = String.raw`(?<![\w-])([A-Z]{1,20}(?:_[A-Z]{1,20}){0,4}_(?:ID|KEY|TOKEN|NAME|SLUG|HERE|SECRET|DOMAIN|EMAIL))(?![\w-])`;
const SEGMENT = String.raw`(?<=\/):([A-Za-z_]\w{0,60})(?=[/?#]|$)`;

const pattern = (...parts: readonly string[]): RegExp => new RegExp(parts.join("|"), "g");

const PLACEHOLDERS: Readonly<Record<Place | "xml", RegExp>> = {
  url: pattern(BRACES, BRACE, ANGLE, WORDS, CAPITALS, SEGMENT),
  header: pattern(BRACES, BRACE, ANGLE, WORDS, CAPITALS),
  // JSON has braces, and XML tags.
  body: pattern(BRACES, ANGLE, WORDS, CAPITALS),
  xml: pattern(BRACES, WORDS, CAPITALS),
};

/** Replaces placeholders by marks. */
export function markPlaceholders(text: string, place: Place): string {
  const pattern = PLACEHOLDERS[place === "body" && /<\/|\/>/.test(text) ? "xml" : place];
  return text
    .split(MARK)
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replace(pattern, (...groups) => MARK + nameIn(groups) + MARK)))
    .join(MARK);
}

/** Returns the group that matched; the offset and the whole text follow the groups. */
const nameIn = (groups: readonly unknown[]): string => groups.slice(1, -2).find((group) => typeof group === "string") as string;

const FILLER =
  /^(?:x{4,200}|\*{3,200}|•{2,200}|\.{3,200}|…|redacted|\W{0,5}(?:redacted|hidden|masked)\W{0,5}|(?:my|the|your|some|an?)[-_ ]?(?:api|access|secret|auth|personal)?[-_ ]?(?:key|token|secret|password)|(?:api|access|secret|auth)?[-_ ]?(?:key|token|secret|password)(?:[-_ ]here)?|\[[\w .-]{1,80}\]|\([\w .-]{1,80}\))$/i;

const SCREAMING = /^[A-Z]{1,20}(?:_[A-Z]{1,20}){1,6}$/;

/** Returns whether a text is or has a placeholder, so that it is no credential. */
export const isPlaceholder = (text: string): boolean =>
  text === "" || text.includes(MARK) || markPlaceholders(text, "header").includes(MARK) || FILLER.test(text) || SCREAMING.test(text);

/** What the name of a credential's slot begins with in a mark. */
const CREDENTIAL = "@";
const ENDPOINT = "/";

export const credentialMark = (name: string): string => MARK + CREDENTIAL + name + MARK;
export const parameterMark = (name: string): string => MARK + name + MARK;
export const ENDPOINT_MARK = MARK + ENDPOINT + MARK;

/** Turns the marks of a text into slots. */
export const withSlots = (text: string): TextWithSlots =>
  text.split(MARK).flatMap((piece, index): readonly (string | Slot)[] => (index % 2 === 1 ? [slotOf(piece)] : piece === "" ? [] : [piece]));

function slotOf(name: string): Slot {
  if (name === ENDPOINT) return { endpoint: true };
  return name.startsWith(CREDENTIAL) ? { credential: name.slice(CREDENTIAL.length) } : { parameter: parameterName(name) };
}

/** Returns a name in camelCase: `issueId` for `YOUR_ISSUE-ID`. */
export function parameterName(placeholder: string): string {
  const words = placeholder
    .replace(/^(?:your|my)[-_ .]|^your(?=[a-z])/i, "")
    .replace(/[-_ .]here$/i, "")
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z\d]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());
  const name = words.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join("");
  return /^[a-z]/.test(name) ? name.slice(0, 60) : "value";
}
