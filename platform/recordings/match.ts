// Matches requests with recorded ones, and finds the differences from the nearest recorded request.
import { getOrInsert } from "../../base/get-or-insert.ts";
import { MASK } from "../secrets/redact.ts";
import { type Difference, differences } from "./differences.ts";
import type { SavedRequest, Volatile } from "./saved-test.ts";

export type SentRequest = Pick<SavedRequest, "method" | "url" | "headers" | "body">;

/** The parts of a request that are compared, without volatile values. */
interface Parts {
  readonly method: string;
  /** The URL without its query. */
  readonly address: string;
  readonly query: Readonly<Record<string, readonly string[]>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

function partsOf({ method, url, headers, body = {} }: SentRequest, { query: names = [], headers: headerNames = [] }: Volatile): Parts {
  const [address = "", search = ""] = url.split(/\?(.*)/s, 2);
  const isForm = /\bx-www-form-urlencoded\b/i.test(headers["content-type"] ?? "");
  return {
    method,
    address,
    query: fieldsOf(search, names),
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !headerNames.some((other) => other.toLowerCase() === name))),
    body: isForm && "text" in body ? { form: fieldsOf(body.text, names) } : "json" in body ? body.json : body,
  };
}

function fieldsOf(text: string, ignored: readonly string[]): Record<string, readonly string[]> {
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) if (!ignored.includes(name)) getOrInsert(fields, name, () => []).push(value);
  return Object.fromEntries(fields);
}

export interface Unmatched {
  readonly sentRequest: SentRequest;
  /** Undefined if no request was recorded. */
  readonly nearest?: SavedRequest;
  readonly differences: readonly Difference[];
  /** Whether only the place of the credential differs. */
  readonly carrierChanged: boolean;
}

interface Matcher {
  /** Returns and removes the recorded request that equals this one, or returns undefined if there is none. */
  claim(sentRequest: SentRequest): SavedRequest | undefined;
  nearest(sentRequest: SentRequest): Unmatched;
  use(recorded: SavedRequest): void;
  readonly left: ReadonlySet<SavedRequest>;
}

export function createMatcher(requests: readonly SavedRequest[], volatile: Volatile): Matcher {
  const left = new Set(requests);
  const ignored = new Set(volatile.body?.map((pointer) => `/body${pointer}`));
  const differ = (recorded: SentRequest, now: SentRequest) => differences(partsOf(recorded, volatile), partsOf(now, volatile), ignored);
  return {
    left,
    use: (recorded) => void left.delete(recorded),
    claim(sentRequest) {
      const match = [...left].find((recorded) => recorded.method === sentRequest.method && differ(recorded, sentRequest).next().done);
      if (match !== undefined) left.delete(match);
      return match;
    },
    nearest(sentRequest) {
      // If all recorded requests are used, a request that equals one of them was sent once more than recorded.
      const candidates = left.size > 0 ? [...left] : requests;
      const [first] = candidates
        .map((recorded) => ({ nearest: recorded, differences: [...differ(recorded, sentRequest)] }))
        .sort((one, other) => weight(one.differences) - weight(other.differences));
      const nearestDifferences = first?.differences ?? [];
      return {
        sentRequest,
        differences: nearestDifferences,
        ...first,
        carrierChanged: nearestDifferences.length > 0 && nearestDifferences.every(isOfCredential),
      };
    },
  };
}

/** A different method or address counts more than other differences. */
const weight = (differenceList: readonly Difference[]): number =>
  differenceList.reduce((sum, { at }) => sum + (at === "/address" ? 20 : at === "/method" ? 10 : 1), 0);

const isOfCredential = ({ recorded, now }: Difference): boolean => JSON.stringify([recorded, now]).includes(MASK);
