// Whether a request is the one that was recorded, and if not, how it differs from the nearest.
import { defined } from "../../protocol/defined.ts";
import { MASK } from "../secrets/redact.ts";
import { type Difference, differences } from "./differences.ts";
import type { SavedRequest, Volatile } from "./saved-test.ts";

export type Sent = Pick<SavedRequest, "method" | "url" | "headers" | "body">;

/** A request in the parts that are compared, without what is volatile. */
interface Parts {
  readonly method: string;
  /** Without its query. */
  readonly address: string;
  readonly query: Readonly<Record<string, readonly string[]>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

function partsOf({ method, url, headers, body }: Sent, { query: names = [], headers: headerNames = [] }: Volatile): Parts {
  const [address = "", search = ""] = url.split(/\?(.*)/s, 2);
  return {
    method,
    address,
    query: fieldsOf(search, names),
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !headerNames.some((other) => other.toLowerCase() === name))),
    body:
      body !== undefined && "text" in body && /\bx-www-form-urlencoded\b/i.test(headers["content-type"] ?? "")
        ? { form: fieldsOf(body.text, names) }
        : body !== undefined && "json" in body
          ? body.json
          : (body ?? {}),
  };
}

function fieldsOf(text: string, ignored: readonly string[]): Record<string, readonly string[]> {
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text))
    if (!ignored.includes(name)) fields.set(name, [...(fields.get(name) ?? []), value]);
  return Object.fromEntries(fields);
}

const differ = (recorded: Sent, now: Sent, volatile: Volatile): readonly Difference[] =>
  differences(
    partsOf(recorded, volatile),
    partsOf(now, volatile),
    (volatile.body ?? []).map((pointer) => `/body${pointer}`),
  );

export interface Unmatched {
  readonly sent: Sent;
  /** Undefined: nothing was recorded, or nothing is left. */
  readonly nearest?: SavedRequest;
  readonly differences: readonly Difference[];
  /** All that differs is how the credential was carried. */
  readonly carrierChanged: boolean;
}

interface Matcher {
  /** The recorded request, which then is used up. */
  take(sent: Sent): SavedRequest | Unmatched;
  /** Uses up the nearest as well. */
  takeNearest(sent: Sent): SavedRequest | Unmatched;
  readonly left: readonly SavedRequest[];
}

export function createMatcher(requests: readonly SavedRequest[], volatile: Volatile): Matcher {
  const left = new Set(requests);
  const nearest = (sent: Sent): Unmatched => {
    // One that was used up says that this one came once more.
    const candidates = left.size > 0 ? [...left] : requests;
    const [first] = candidates
      .map((recorded) => ({ recorded, found: differ(recorded, sent, volatile) }))
      .sort((one, other) => weight(one.found) - weight(other.found));
    const found = first?.found ?? [];
    return {
      sent,
      ...defined({ nearest: first?.recorded }),
      differences: found,
      carrierChanged: found.length > 0 && found.every(({ recorded, now }) => [recorded, now].some((value) => holdsMask(value))),
    };
  };
  const use = (recorded: SavedRequest): SavedRequest => {
    left.delete(recorded);
    return recorded;
  };
  const take = (sent: Sent): SavedRequest | undefined => {
    for (const recorded of left) if (recorded.method === sent.method && differ(recorded, sent, volatile).length === 0) return use(recorded);
    return undefined;
  };
  return {
    take: (sent) => take(sent) ?? nearest(sent),
    takeNearest(sent) {
      const found = take(sent);
      if (found !== undefined) return found;
      const near = nearest(sent);
      if (near.nearest !== undefined && left.has(near.nearest)) use(near.nearest);
      return near;
    },
    get left() {
      return [...left];
    },
  };
}

/** Another method or address is further away than any header. */
const weight = (found: readonly Difference[]): number =>
  found.reduce((sum, { at }) => sum + (at === "/address" ? 20 : at === "/method" ? 10 : 1), 0);

const holdsMask = (value: unknown): boolean => value !== undefined && JSON.stringify(value).includes(MASK);
