// Parses JSON of several megabytes in slices, so that the host's event loop is not blocked: one value may have a hundred thousand members.
// Arrays and objects are split between their members, and consecutive members are parsed together. Invariant: the result equals that of
// JSON.parse.
import { endOfString } from "../bodies/json-grammar.ts";
import { type Slices, startSlices } from "../slices.ts";

/** The number of characters that are parsed together. */
export const AT_ONCE = 64 * 1024;
/** The deepest level of arrays and objects that are split. Each level scans its text once more. */
const DEEPEST_CUT = 6;

/** Resolves to what JSON.parse returns. Rejects with what it throws. */
export const parseLong = (json: string): Promise<unknown> => parsePart(json, startSlices(), 0);

async function parsePart(json: string, slices: Slices, depth: number): Promise<unknown> {
  const isList = json[0] === "[" && json.at(-1) === "]";
  const isObject = json[0] === "{" && json.at(-1) === "}";
  if (json.length <= AT_ONCE || depth === DEEPEST_CUT || !(isList || isObject)) return JSON.parse(json);
  const list: unknown[] = [];
  const object: Record<string, unknown> = {};
  const addMembers = (members: string): void => {
    if (/^[\t\n\r ]*$/.test(members)) throw new SyntaxError("a comma without a member");
    if (isList) for (const item of JSON.parse(`[${members}]`) as unknown[]) list.push(item);
    else for (const [name, value] of Object.entries(JSON.parse(`{${members}}`) as object)) put(object, name, value);
  };
  /** The start of the members that are not parsed yet. */
  let from = 1;
  for (let at = 1; ; ) {
    const scan = { at, depth: 0 };
    let memberEnd = endOfMember(json, scan);
    // One member may be nearly the whole text.
    while (memberEnd === undefined) {
      if (slices.isOver()) await slices.next();
      memberEnd = endOfMember(json, scan);
    }
    const end = memberEnd;
    const isLast = end === json.length - 1;
    if (!isLast && json[end] !== ",") throw new SyntaxError("JSON that goes on behind its end");
    if (end - at > AT_ONCE) {
      if (at > from) addMembers(json.slice(from, at - 1));
      const name = isList ? undefined : nameOf(json, at);
      const value = await parsePart(json.slice(name === undefined ? at : name.end, end), slices, depth + 1);
      if (name === undefined) list.push(value);
      else put(object, name.text, value);
      from = end + 1;
    } else if (isLast || end - from > AT_ONCE) {
      addMembers(json.slice(from, end));
      from = end + 1;
    }
    if (isLast) return isList ? list : object;
    at = end + 1;
    if (slices.isOver()) await slices.next();
  }
}

/** Sets a member. A key named __proto__ is an ordinary key. */
export function put(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__") Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}

const [QUOTE, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d];

/** The state of scanning a member: position and nesting depth. */
interface Scan {
  at: number;
  depth: number;
}

/**
 * Returns the index of the comma or bracket after the member at `scan`, or the text's length if there is none. Returns undefined if the end
 * is beyond one slice; the next call with `scan` then continues.
 */
function endOfMember(json: string, scan: Scan): number | undefined {
  const until = Math.min(json.length, scan.at + AT_ONCE);
  let { at, depth } = scan;
  for (; at < until; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = (endOfString(json, at) ?? json.length + 1) - 1;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth++;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      if (depth-- === 0) return at;
    } else if (code === COMMA && depth === 0) return at;
  }
  scan.at = at;
  scan.depth = depth;
  return at >= json.length ? json.length : undefined;
}

/** Returns the name of the member that begins at `at`, and the index at which its value begins. */
function nameOf(json: string, at: number): { readonly text: string; readonly end: number } {
  const quote = json.indexOf('"', at);
  const behind = quote < 0 ? undefined : endOfString(json, quote);
  const colon = behind === undefined ? -1 : json.indexOf(":", behind);
  if (behind === undefined || !/^[\t\n\r ]*$/.test(json.slice(at, quote) + json.slice(behind, Math.max(colon, behind))) || colon < 0)
    throw new SyntaxError("a member without a name");
  return { text: JSON.parse(json.slice(quote, behind)) as string, end: colon + 1 };
}
