// Globs, matched in steps that grow only with the length of the path. Settings and .gitignore files are untrusted, and a regular expression
// for `*a*a*a*b` could take years on a name of a few hundred characters.

/** A pattern for one character of a name, or for any number of them. */
type Sign = string | ((char: string) => boolean) | typeof ANY_SIGNS;
/** The wildcard `*`. */
const ANY_SIGNS = Symbol("any signs");
/** The wildcard `**`, as a whole segment. */
const ANY_FOLDERS = Symbol("any folders");

/** Most segments are plain names. */
type Segment = string | readonly Sign[] | typeof ANY_FOLDERS;

/** Maximum number of globs that braces expand to, since nested braces multiply. */
const MOST_ALTERNATIVES = 100;

/**
 * Returns a test of paths, given as their segments. It supports `*`, `?`, `[a-z]`, `[!a]`, a backslash before a literal character, and `**`
 * for any number of folders.
 */
export function compileGlob(glob: string): (path: readonly string[]) => boolean {
  const pattern = glob.split("/").map(readSegment);
  return (path) => matchesAll(pattern, path, (segment) => segment === ANY_FOLDERS, matchesSegment);
}

/** Expands `{a,b}`, or returns undefined if there are too many alternatives. */
export function expandBraces(glob: string): readonly string[] | undefined {
  let texts: readonly string[] = [""];
  const add = (parts: readonly string[]): boolean => {
    if (texts.length * parts.length > MOST_ALTERNATIVES) return false;
    texts = texts.flatMap((text) => parts.map((part) => text + part));
    return true;
  };
  for (let at = 0; at < glob.length; ) {
    const braceGroup = glob[at] === "{" ? alternativesAt(glob, at) : undefined;
    if (braceGroup !== undefined) {
      const parts: string[] = [];
      for (const part of braceGroup.parts) {
        const inner = expandBraces(part);
        if (inner === undefined || parts.length + inner.length > MOST_ALTERNATIVES) return undefined;
        parts.push(...inner);
      }
      if (!add(parts)) return undefined;
      at = braceGroup.end;
      continue;
    }
    const length = glob[at] === "\\" ? 2 : 1;
    if (!add([glob.slice(at, at + length)])) return undefined;
    at += length;
  }
  return texts;
}

/** Returns undefined if the brace is not closed or contains no comma, so that it is a literal character. */
function alternativesAt(glob: string, start: number): { readonly parts: readonly string[]; readonly end: number } | undefined {
  const parts: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < glob.length; at++) {
    const sign = glob[at];
    if (sign === "\\") at++;
    else if (sign === "{") depth++;
    else if (sign === "," && depth === 1) {
      parts.push(glob.slice(from, at));
      from = at + 1;
    } else if (sign === "}") {
      depth--;
      if (depth > 0) continue;
      if (parts.length === 0) return undefined;
      parts.push(glob.slice(from, at));
      return { parts, end: at + 1 };
    }
  }
  return undefined;
}

function readSegment(text: string): Segment {
  if (text === "**") return ANY_FOLDERS;
  if (!/[*?[\\]/.test(text)) return text;
  const chars = [...text];
  const signs: Sign[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? "";
    const end = char === "[" ? classEnd(chars, at) : -1;
    if (char === "*") {
      if (signs.at(-1) !== ANY_SIGNS) signs.push(ANY_SIGNS);
    } else if (char === "?") signs.push(isSign);
    else if (end > 0) {
      signs.push(oneOf(chars.slice(at + 1, end)));
      at = end;
    } else if (char === "\\" && at + 1 < chars.length) {
      at++;
      signs.push(chars[at] ?? "");
    } else signs.push(char);
  }
  return signs;
}

const isSign = (): boolean => true;

/** Returns the end of the character class that begins at `start`, or -1. A bracket directly after its beginning is a literal. */
function classEnd(chars: readonly string[], start: number): number {
  let at = start + 1;
  if (chars[at] === "!" || chars[at] === "^") at++;
  if (chars[at] === "]") at++;
  while (at < chars.length && chars[at] !== "]") at += chars[at] === "\\" ? 2 : 1;
  return at < chars.length ? at : -1;
}

function oneOf(inside: readonly string[]): (char: string) => boolean {
  const isNegated = inside[0] === "!" || inside[0] === "^";
  const ranges: (readonly [from: string, to: string])[] = [];
  for (let at = isNegated ? 1 : 0; at < inside.length; at++) {
    if (inside[at] === "\\" && at + 1 < inside.length) at++;
    const from = inside[at] ?? "";
    let to = from;
    if (inside[at + 1] === "-" && at + 2 < inside.length) {
      at += inside[at + 2] === "\\" && at + 3 < inside.length ? 3 : 2;
      to = inside[at] ?? "";
    }
    ranges.push([from, to]);
  }
  return (char) => ranges.some(([from, to]) => from <= char && char <= to) !== isNegated;
}

function matchesSegment(segment: Segment, name: string): boolean {
  if (typeof segment === "string") return segment === name;
  if (segment === ANY_FOLDERS) return true;
  return matchesAll(
    segment,
    [...name],
    (sign) => sign === ANY_SIGNS,
    (sign, char) => (typeof sign === "string" ? sign === char : typeof sign === "function" && sign(char)),
  );
}

/**
 * Whether the signs match all items, where some signs match any number of items. It backtracks only to the last such sign: the signs before
 * it have matched as early as possible, which leaves the most for the rest.
 */
function matchesAll<S, I>(
  signs: readonly S[],
  items: readonly I[],
  isAny: (sign: S) => boolean,
  matches: (sign: S, item: I) => boolean,
): boolean {
  let sign = 0;
  let item = 0;
  let any = -1;
  let from = 0;
  while (item < items.length) {
    const next = signs[sign];
    if (next !== undefined && isAny(next)) {
      any = sign;
      from = item;
      sign++;
    } else if (next !== undefined && matches(next, items[item] as I)) {
      sign++;
      item++;
    } else if (any >= 0) {
      from++;
      item = from;
      sign = any + 1;
    } else return false;
  }
  while (sign < signs.length && isAny(signs[sign] as S)) sign++;
  return sign === signs.length;
}
