// The one choke point before every sink: knows each live secret in every form in which it may come back, and hides it.
// Invariant: nothing reaches pack code, a panel, a log, a file or a terminal without having passed through here.

/** What stands where a secret stood. */
export const MASK = "••••";
/** Shorter values would mask half of every text; people are warned of them when they connect. */
export const SHORTEST_SECRET = 6;

export interface Redactor {
  /** Knows a secret from now on; false where it is too short to be masked. */
  add(secret: string): boolean;
  redact(text: string): string;
  /** The same for JSON: every string and every key. */
  redactValue<T>(value: T): T;
  /** Whether a text holds a secret in any form. */
  finds(text: string): boolean;
}

export function createRedactor(secrets: readonly string[] = []): Redactor {
  const forms = new Set<string>();
  let pattern: RegExp | undefined;
  const matcher = (): RegExp | undefined => {
    if (pattern === undefined && forms.size > 0) {
      const longestFirst = [...forms].sort((a, b) => b.length - a.length);
      pattern = new RegExp(longestFirst.map((form) => form.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&")).join("|"), "g");
    }
    return pattern;
  };
  const redactor: Redactor = {
    add(secret) {
      if (secret.length < SHORTEST_SECRET) return false;
      const before = forms.size;
      for (const form of formsOf(secret)) forms.add(form);
      if (forms.size !== before) pattern = undefined;
      return true;
    },
    redact(text) {
      const find = matcher();
      return find === undefined ? text : text.replace(find, MASK);
    },
    finds(text) {
      return redactor.redact(text) !== text;
    },
    redactValue(value) {
      return redactJson(value, redactor.redact) as typeof value;
    },
  };
  for (const secret of secrets) redactor.add(secret);
  return redactor;
}

function redactJson(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactJson(item, redact));
  if (value === null || typeof value !== "object") return value;
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    // defineProperty, so that a key named __proto__ stays a key.
    Object.defineProperty(result, redact(key), { value: redactJson(item, redact), enumerable: true, configurable: true, writable: true });
  }
  return result;
}

/** Every form in which the secret may appear. */
function* formsOf(secret: string): Iterable<string> {
  const percent = encodeURIComponentSafely(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  yield secret;
  yield percent;
  yield percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  yield percent.replaceAll("%20", "+");
  yield percent.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  yield percent.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`).replaceAll("%20", "+");
  yield encodeURIComponentSafely(percent);
  yield json;
  yield json.replaceAll("/", "\\/");
  yield JSON.stringify(json).slice(1, -1);
  yield JSON.stringify(JSON.stringify(json).slice(1, -1)).slice(1, -1);
  yield secret.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
  yield html(secret, "&#39;", "&quot;");
  yield html(secret, "&#x27;", "&#34;");
  yield html(secret, "&apos;", "&quot;");
  // A text that holds the secret as JSON may be encoded once more, as a whole.
  for (const inner of [json, json.replaceAll("/", "\\/"), JSON.stringify(json).slice(1, -1)]) {
    const encoded = encodeURIComponentSafely(inner);
    yield encoded;
    yield encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
    yield encoded.replaceAll("%20", "+");
    yield encodeURIComponentSafely(encoded);
    yield html(inner, "&#39;", "&quot;");
  }
  const bytes = Buffer.from(secret, "utf8");
  yield bytes.toString("hex");
  yield bytes.toString("hex").toUpperCase();
  for (let offset = 0; offset < 3; offset++) {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    // The first and last characters hold bits of the neighbours: only those between are the secret's own.
    const first = offset === 0 ? 0 : offset + 1;
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    const own = whole.slice(first, last);
    if (own.length < SHORTEST_SECRET) continue;
    yield own;
    yield own.replaceAll("+", "-").replaceAll("/", "_");
    yield encodeURIComponent(own);
  }
}

function encodeURIComponentSafely(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function html(text: string, apostrophe: string, quote: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("'", apostrophe).replaceAll('"', quote);
}
