// The challenges of a WWW-Authenticate header (RFC 9110, section 11.6.1).

export interface Challenge {
  /** The scheme in the API's spelling, or the standard name of a non-standard scheme. */
  readonly scheme: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Returns the standard name of a non-standard scheme: X-Basic, which keeps browsers from asking for a password, and OAuth2 for its tokens.
 */
const normaliseScheme = (scheme: string): string => scheme.replace(/^x-?basic$/i, "Basic").replace(/^oauth2$/i, "Bearer");

/** Characters of a header that are read. */
const LONGEST = 4_096;

/**
 * Returns every challenge of a WWW-Authenticate header, which may join several; text that is not a challenge is left out.
 * A backslash stays unless it precedes a quote or a backslash. A needless one (RFC 9110, section 5.6.4) could have hidden a secret from
 * masking.
 */
export function challengesIn(header: string): readonly Challenge[] {
  const challenges: { scheme: string; parameters: Record<string, string> }[] = [];
  const text = header.slice(0, LONGEST);
  let end = 0;
  let named: string | undefined;
  // A token followed by = is a parameter. Any other token begins a challenge where one may begin, or continues an unquoted value.
  const part = /([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/g;
  for (const { 0: whole, 1: name = "", 2: quoted, 3: bare, index } of text.matchAll(part)) {
    const mayBegin = end === 0 || text.slice(end, index).includes(",");
    end = index + whole.length;
    const last = challenges.at(-1);
    if (whole.includes("=")) {
      // Without a scheme, nothing that follows is a challenge.
      if (last === undefined) return [];
      named = name.toLowerCase();
      last.parameters[named] = quoted?.replace(/\\(["\\])/g, "$1") ?? bare ?? "";
    } else if (mayBegin) {
      challenges.push({ scheme: normaliseScheme(name), parameters: {} });
      named = undefined;
    } else if (last !== undefined && named !== undefined) last.parameters[named] += ` ${name}`;
  }
  return challenges;
}
