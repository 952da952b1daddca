// Groups the requests of a recorded run and of a live one that differ only in data: a part of a path with a digit, or one that an earlier
// answer contained at the same place. Invariant: values of answers stay in the memory of one comparison.
import { getOrInsert } from "../../base/get-or-insert.ts";
import { isRecord } from "../../base/is-record.ts";
import { inside } from "./differences.ts";
import { kindOf } from "./record-run.ts";
import { bodyOf } from "./replay.ts";
import type { SavedRequest } from "./saved-test.ts";
import { ANY, DEEPEST, fieldName } from "./shape.ts";

export interface SimilarRequests {
  /** Returns the number of the request's group. */
  groupOf(request: Pick<SavedRequest, "method" | "url" | "body">): number;
  /** Adds an answer to a request of the group, whose values later requests may contain. */
  addAnswer(group: number, json: unknown): void;
}

/** A part of a path, with the places at which earlier answers of its run contain it. */
interface Part {
  readonly text: string;
  readonly places: ReadonlySet<string>;
}

interface Group {
  readonly number: number;
  readonly parts: readonly Part[];
}

/** Values of one run that are kept, each place counted. */
const MOST_VALUES = 200_000;
const LONGEST_VALUE = 2_000;
const NOWHERE: ReadonlySet<string> = new Set();

/** Returns a function that begins a run. The groups of all runs are the same. */
export function createSimilarRequests(): () => SimilarRequests {
  const groups = new Map<string, Group[]>();
  let count = 0;
  return () => {
    const placesOf = new Map<string, Set<string>>();
    let values = 0;
    const add = (value: unknown, at: string, depth: number): void => {
      if (depth > DEEPEST || values >= MOST_VALUES) return;
      if (Array.isArray(value)) for (const item of value) add(item, inside(at, ANY), depth + 1);
      else if (isRecord(value)) for (const [name, member] of Object.entries(value)) add(member, inside(at, fieldName(name)), depth + 1);
      else if (typeof value === "number" || (typeof value === "string" && value.length <= LONGEST_VALUE))
        // A value may cover several parts, such as the name of a repository with its owner, or an address.
        for (const [index, text] of partsOf(String(value)).entries()) {
          if (text === "") continue;
          values++;
          getOrInsert(placesOf, text, () => new Set()).add(`${at} ${index}`);
        }
    };
    return {
      groupOf({ method, url, body }) {
        const parts = partsOf(url).map((text): Part => ({ text, places: placesOf.get(text) ?? NOWHERE }));
        const bucket = getOrInsert(groups, JSON.stringify([parts.length, headOf(method, url, body)]), () => []);
        const same = bucket.find((group) => group.parts.every((part, index) => isAlike(part, parts[index] as Part)));
        if (same !== undefined) return same.number;
        bucket.push({ number: count, parts });
        return count++;
      },
      addAnswer: (group, json) => add(json, String(group), 0),
    };
  };
}

/** Returns what similar requests share besides their path. */
function headOf(method: string, url: string, body: SavedRequest["body"]): string {
  const origin = URL.canParse(url) ? new URL(url).origin : "";
  const bytes = body === undefined ? null : bodyOf({ status: 200, headers: {}, ...body });
  return kindOf({ method, url: origin, ...(bytes === null ? {} : { requestBody: Buffer.from(bytes).toString() }) });
}

/** Returns the parts of the path of an address, or of a value that may be in one. */
function partsOf(text: string): readonly string[] {
  const path = /^https?:/.test(text) && URL.canParse(text) ? new URL(text).pathname.slice(1) : text;
  return path.split("/").map(decoded);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const isAlike = (one: Part, other: Part): boolean =>
  one.text === other.text || (/\d/.test(one.text) && /\d/.test(other.text)) || [...one.places].some((place) => other.places.has(place));
