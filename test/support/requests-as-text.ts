// All that is known of the requests of a file's packs, in one text: to hold what was kept over edits against what is read anew.
import type { Analysis } from "../../server/analysis/analysis.ts";
import { functionsOf } from "../../server/analysis/functions-of.ts";
import { requestsOf } from "../../server/analysis/requests.ts";

export function requestsAsText(analysis: Analysis, path: string): string {
  const packs = analysis.packsOf(path).map((pack) => {
    const { shows, hosts, all, reachedFrom } = requestsOf(pack);
    // Texts first: these are what is kept.
    const goesTo = all.map((request) =>
      request.goesTo.map(({ known, whole, host, relative, text, guarded }) => ({ known, whole, host, relative, text, guarded })),
    );
    const requests = all.map(({ call, place, options, urls }) => ({ call, place, options, urls }));
    const reached = pack.runnables.flatMap(({ definition }) =>
      functionsOf(pack, definition).functions.map((value) => {
        const { requests: some, functions, calls } = reachedFrom(value);
        return { requests: [...some].map(({ place }) => place), functions, calls };
      }),
    );
    return { shows, hosts, goesTo, requests, reached };
  });
  return JSON.stringify(packs, undefined, 1);
}
