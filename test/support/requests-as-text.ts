// Returns all facts about the requests of a file's packs as one text, to compare an edited analysis with a new one.
import type { Analysis } from "../../server/analysis/analysis.ts";
import { functionsOf } from "../../server/analysis/pack/functions-of.ts";
import { requestsOf } from "../../server/analysis/requests/requests.ts";

export function requestsAsText(analysis: Analysis, path: string): string {
  const packs = analysis.packsOf(path).map((pack) => {
    const { all, reachedFrom } = requestsOf(pack);
    const requests = all.map(({ call, place, options, urls }) => ({ call, place, options, urls }));
    const reached = pack.runnables.flatMap(({ definition }) =>
      functionsOf(pack, definition).functions.map((value) => {
        const { requests: some, functions, calls } = reachedFrom(value);
        return { requests: [...some].map(({ place }) => place), functions, calls };
      }),
    );
    return { requests, reached };
  });
  return asText(packs);
}

/** Writes one line for each distinct object. Written inline, values that are spread into each other would double with each level. */
function asText(value: unknown): string {
  const lines = new Map<string, string>();
  const namesByObject = new Map<object, string>();
  const write = (part: unknown): string => {
    if (typeof part !== "object" || part === null) return JSON.stringify(part) ?? "undefined";
    const before = namesByObject.get(part);
    if (before !== undefined) return before;
    const text = Array.isArray(part)
      ? `[${part.map(write).join(", ")}]`
      : `{${Object.entries(part)
          .filter(([, member]) => member !== undefined)
          .map(([key, member]) => `${key}: ${write(member)}`)
          .join(", ")}}`;
    const name = lines.get(text) ?? `#${lines.size}`;
    lines.set(text, name);
    namesByObject.set(part, name);
    return name;
  };
  write(value);
  return [...lines].map(([text, name]) => `${name} ${text}`).join("\n");
}
