// The grammar of JSON (RFC 8259), token by token, to validate texts that are too large to be parsed at once.

export type JsonToken = "string" | "scalar" | "[" | "]" | "{" | "}" | ":" | ",";

interface JsonGrammar {
  /** Returns false if the token is not allowed here, so that the text is not JSON. */
  accepts(token: JsonToken): boolean;
  /** Whether the text may end here. */
  readonly isComplete: boolean;
}

type Expected = "value" | "item or end" | "key" | "key or end" | "colon" | "next";

export function createJsonGrammar(): JsonGrammar {
  const open: ("[" | "{")[] = [];
  let expected: Expected = "value";
  const isValueExpected = (): boolean => expected === "value" || expected === "item or end";
  /** Returns whether the token is allowed, and if so, sets what is expected next. */
  const go = (isAllowed: boolean, then: Expected): boolean => {
    if (isAllowed) expected = then;
    return isAllowed;
  };
  return {
    accepts(token) {
      switch (token) {
        case "string":
          return expected === "key" || expected === "key or end" ? go(true, "colon") : go(isValueExpected(), "next");
        case "scalar":
          return go(isValueExpected(), "next");
        case "[":
        case "{":
          if (!go(isValueExpected(), token === "[" ? "item or end" : "key or end")) return false;
          open.push(token);
          return true;
        case "]":
          return go(open.at(-1) === "[" && (expected === "next" || expected === "item or end") && open.pop() !== undefined, "next");
        case "}":
          return go(open.at(-1) === "{" && (expected === "next" || expected === "key or end") && open.pop() !== undefined, "next");
        case ":":
          return go(expected === "colon", "value");
        case ",":
          return go(expected === "next" && open.length > 0, open.at(-1) === "[" ? "value" : "key");
      }
    },
    get isComplete() {
      return expected === "next" && open.length === 0;
    },
  };
}

const BACKSLASH = 0x5c;

/** Returns the index after the closing quote of the string that begins at `start`; undefined if there is none. */
export function endOfString(text: string, start: number): number | undefined {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
  return undefined;
}
