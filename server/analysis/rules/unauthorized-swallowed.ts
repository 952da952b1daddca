import { propose } from "../configuration/config.ts";
import type { SwallowedError } from "../model/context-facts.ts";
import type { Fix } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import { functionsOf } from "../pack/functions-of.ts";
import { carriesCredentials, usersOf } from "../requests/request-context.ts";
import { type PackRequest, type Reach, requestsOf } from "../requests/requests.ts";
import { oauth2, rule } from "../rule.ts";
import { eolOf, indentOf, isWithin, unitOf } from "../text/edit.ts";
import { part } from "../text/place.ts";

export default rule({
  id: "unauthorized-swallowed",
  severity: "warning",
  source: "the SDK's OAuth guide",
  docs: `A formula catches the error of its only request, and does not rethrow it.

The platform refreshes a token only after the formula itself failed with a 401. If the error is caught, an expired token stays expired. Rethrow a 401.`,
  examples: [
    {
      bad: oauth2`

        formula Read {
          try {
            return (await context.fetcher.fetch({ method: "GET", url: "https://acme.example/" })).body.name;
          } «catch (error)» {
            return "";
          }
        }`,
      fixed: oauth2`

        formula Read {
          try {
            return (await context.fetcher.fetch({ method: "GET", url: "https://acme.example/" })).body.name;
          } catch (error) {
            if (coda.StatusCodeError.isStatusCodeError(error) && error.statusCode === 401) throw error;
            return "";
          }
        }`,
    },
    {
      good: oauth2`

        formula Read {
          try {
            return (await context.fetcher.fetch({ method: "GET", url: "https://acme.example/" })).body.name;
          } catch (error) {
            if (!coda.StatusCodeError.isStatusCodeError(error) || error.statusCode !== 404) throw error;
            return "";
          }
        }`,
    },
  ],
  on: {
    *request(model, request) {
      const { swallowed } = request.call;
      if (swallowed === undefined || !lostRequests(model).has(request)) return;
      yield {
        place: swallowed.place,
        message: "Rethrow a 401. The platform refreshes the token only after the formula has failed with it.",
        fixes: () => rethrow(model, swallowed),
      };
    },
  },
});

const lostRequests = (pack: PackModel): ReadonlySet<PackRequest> => pack.memo(pack, findLost);

/**
 * Returns the requests of functions that lose the errors of all their requests. Any other request of the same run would fail with the 401
 * too.
 */
function findLost(pack: PackModel): ReadonlySet<PackRequest> {
  const swallowedRequests = new Set<PackRequest>();
  if (!pack.authsComplete || pack.auths.length === 0 || pack.auths.some(({ type }) => type !== "OAuth2")) return swallowedRequests;
  const { all, reachedFrom } = requestsOf(pack);
  if (!all.some(({ call }) => call.swallowed !== undefined)) return swallowedRequests;
  const users = usersOf(pack);
  const isLost = (request: PackRequest): boolean => request.call.swallowed !== undefined && carriesCredentials(pack, request, users);
  // Functions that name an account or list its endpoints run with a new token.
  for (const { definition } of pack.runnables)
    for (const value of functionsOf(pack, definition).functions) {
      const reach = reachedFrom(value);
      const requests = [...reach.requests];
      if (requests.every(isLost) && isFullyResolved(pack, reach)) for (const request of requests) swallowedRequests.add(request);
    }
  return swallowedRequests;
}

/** Returns whether no function with the context may send an unknown request. */
function isFullyResolved(pack: PackModel, { functions, requests, calls }: Reach): boolean {
  const resolvedCalls = new Set([...[...requests].map(({ call }) => call), ...calls.map(({ call }) => call)]);
  return pack.facts.every(({ contextCalls }) =>
    contextCalls.every((call) => resolvedCalls.has(call) || !functions.some((place) => isWithin(call.place, place))),
  );
}

function rethrow(pack: PackModel, { place, clause }: SwallowedError): readonly Fix[] {
  if (clause === undefined) return [];
  const { name = "error", body } = clause;
  const source = pack.text(body.file);
  const isOneLine = !/^\{[ \t]*\r?\n/.test(source.slice(body.start));
  const indent = isOneLine ? " " : eolOf(source) + indentOf(source, body.start) + unitOf(source);
  const prefix = pack.toolkitPrefix(body.file);
  const start = body.start + 1;
  const test = `if (${prefix}StatusCodeError.isStatusCodeError(${name}) && ${name}.statusCode === 401) throw ${name};`;
  const thrown = { file: body.file, start, end: start, text: indent + test };
  const head = part(place, 0, "catch".length);
  const named = { file: head.file, start: head.end, end: head.end, text: ` (${name})` };
  return [propose("Throw a 401 on", ...(clause.name === undefined ? [named, thrown] : [thrown]))];
}
