// Lists that the public API returns page by page. Only one page is in memory at a time.
import { PackAuthError } from "../errors.ts";
import type { LogPage, LogQuery, LogSource, PublicApi } from "./public-api.ts";

/** Pages of one list. A list without an end would be read for ever. */
const MOST_PAGES = 10_000;

/** Yields the pages of a list. Ends if a page token repeats, because the rest would repeat too. */
export async function* allPages<P extends { readonly nextPageToken?: string }>(
  read: (pageToken: string | undefined) => Promise<P>,
  first?: string,
): AsyncGenerator<P, void, undefined> {
  const tokens = new Set(first === undefined ? [] : [first]);
  let token = first;
  for (let count = 0; count < MOST_PAGES; count++) {
    const page = await read(token);
    yield page;
    token = page.nextPageToken;
    if (token === undefined || tokens.has(token)) return;
    tokens.add(token);
  }
  throw new PackAuthError("api-failed", `A list of the platform has more than ${MOST_PAGES} pages; the rest was not read.`, {
    hint: "Ask for less, such as a shorter time.",
  });
}

/** Yields the pages of the logs from the query's page on. Ends like {@link allPages}. */
export const logPages = (
  api: Pick<PublicApi, "logs">,
  source: LogSource,
  query: LogQuery,
  signal?: AbortSignal,
): AsyncGenerator<LogPage, void, undefined> =>
  allPages((pageToken) => api.logs(source, pageToken === undefined ? query : { ...query, pageToken }, signal), query.pageToken);
