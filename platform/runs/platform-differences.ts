// Reports what will be different after upload, as far as a run shows it: the account, and error responses that the pack did not throw.
import { defined } from "../../base/defined.ts";
import { isRecord } from "../../base/is-record.ts";
import { isOfMcp, type McpTarget } from "../../protocol/mcp.ts";
import type { PlatformDifference, RequestTrace, RunOutcome, RunTarget } from "../../protocol/run.ts";
import { NETWORK_DOMAIN_CHOICE_SINCE, rejectionOf, unjudgedNote } from "../../protocol/verdict.ts";
import { isScopeGranted } from "../../spec/providers.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import { PackAuthError } from "../errors.ts";
import { covers } from "../network/url-policy.ts";
import { isJson, JSON_ALONE } from "../oauth/client-authentication.ts";
import type { Pack } from "../process/pack.ts";
import { expiryNotes } from "./expired-token.ts";
import type { ResponseTrace } from "./run-observer.ts";
import { extraScopes } from "./scopes.ts";

interface PlatformDifferences {
  add(note: PlatformDifference): void;
  list(): readonly PlatformDifference[];
}

/** The number of notes that are kept for one run. */
const MOST_NOTES = 200;

/** Keeps one note per message, whatever its line. A note with a line replaces the same note without one. */
export function createPlatformDifferences(onNote: (note: PlatformDifference) => void): PlatformDifferences {
  const differencesByMessage = new Map<string, PlatformDifference>();
  return {
    add(note) {
      const existing = differencesByMessage.get(note.message);
      if (existing !== undefined && (existing.location !== undefined || note.location === undefined)) return;
      if (existing === undefined && differencesByMessage.size >= MOST_NOTES) return;
      differencesByMessage.set(note.message, note);
      if (existing === undefined) onNote(note);
    },
    list: () => [...differencesByMessage.values()],
  };
}

/** Yields a note for a response that the platform handles in another way. */
export function* responseNotes({ status, method, url, location }: ResponseTrace): Iterable<PlatformDifference> {
  if (status === 429)
    yield {
      message: `${method} ${url} was answered with 429. The platform waits and tries again until the execution's minute is over. Here the pack gets the StatusCodeError at once.`,
      ...defined({ location }),
    };
}

/** A run that has ended. */
interface FinishedRun {
  readonly pack: Pack;
  readonly target: RunTarget | McpTarget;
  readonly account: RunAccount | undefined;
  readonly requests: readonly RequestTrace[];
  readonly responses: readonly ResponseTrace[];
  readonly status: RunOutcome["status"];
  /** The reason why the run failed. */
  readonly error: unknown;
}

/** Yields the platform differences that the finished run showed. */
export function* runNotes({ pack, target, account, requests, responses, status, error }: FinishedRun): Iterable<PlatformDifference> {
  if (status === "succeeded" && !isOfMcp(target)) yield* swallowedNotes(responses);
  // It is not documented how the platform handles errors of a table's other functions.
  if (target.kind === "formula" || target.kind === "syncTable") yield* thrownNotes(error);
  yield* accountNotes(pack, account, requests);
  if (isOfMcp(target)) return;
  yield* scopeNotes(pack, target, account);
  yield* expiryNotes(requests, account);
}

/** Yields a note for each response with 401 or 403 after which the formula succeeded nevertheless. */
function* swallowedNotes(responses: readonly ResponseTrace[]): Iterable<PlatformDifference> {
  for (const { status, method, url, location } of responses) {
    const at = defined({ location });
    if (status === 401)
      yield {
        message: `${method} ${url} was answered with 401, and the formula continued. Throw the error again, so that the platform can refresh the token or ask for a new sign-in.`,
        swallowed: 401,
        ...at,
      };
    if (status === 403)
      yield {
        message: `${method} ${url} was answered with 403, and the formula continued. Throw the error again, or a MissingScopesError, so that the platform can ask for more access.`,
        swallowed: 403,
        ...at,
      };
  }
}

/**
 * Yields a note for an error whose message users do not see. They see only the message of a UserVisibleError; the author sees both here.
 */
function* thrownNotes(error: unknown): Iterable<PlatformDifference> {
  if (!(error instanceof PackAuthError) || error.thrown?.name !== "Error" || error.thrown.userVisible || !error.thrown.isOwn) return;
  const location = error.stackFrames?.find((frame) => frame.location !== undefined)?.location;
  yield {
    message: "Throw a UserVisibleError to show this message to users. The platform shows a general message for other errors.",
    ...defined({ location }),
  };
}

/** Yields notes on a table's completion. The platform decides with it how the next sync runs. Here no next sync follows by itself. */
export function* completionNotes(completion: unknown, isIncremental: boolean, hasContinuation: boolean): Iterable<PlatformDifference> {
  if (hasContinuation) {
    yield { message: "Return the completion with the last page. The platform ignores a completion beside a continuation." };
    return;
  }
  if (isRecord(completion) && completion.hasIncompleteResults === true)
    yield {
      message: isIncremental
        ? "The completion has hasIncompleteResults, so the platform's next sync reads the whole table again."
        : "The platform ignores hasIncompleteResults here, because this was a full sync.",
    };
  else if (!isRecord(completion) || (completion.incrementalContinuation ?? undefined) === undefined)
    yield { message: "Add incrementalContinuation to the completion. Without it the platform's next sync is a full one." };
}

/** Yields a note for scopes of a formula or table. A sign-in requests only the scopes of the authentication. */
function* scopeNotes(
  { definition }: Pick<Pack, "definition">,
  target: RunTarget,
  account: RunAccount | undefined,
): Iterable<PlatformDifference> {
  const auth = definition.userAuthentication;
  if (account?.scope !== "user" || auth?.authorizationUrl === undefined) return;
  const has = [...(auth.scopes ?? []), ...(account.grantedScopes ?? [])];
  const missing = extraScopes(definition, target).filter((scope) => !isScopeGranted(scope, has));
  if (missing.length === 0) return;
  const what = target.kind === "formula" ? "The formula" : "The table";
  const here = account.sandboxOrigin === undefined ? "" : " The sandbox answers all the same, unless its answer names a scope.";
  yield {
    message: `${what} needs extraOAuthScopes that the sign-in did not request: ${missing.join(", ")}.${here} The platform asks the user for it if a run fails with a 403 or a MissingScopesError.`,
  };
}

/** Yields the differences that are caused by the account, or by its absence. */
function* accountNotes(pack: Pack, account: RunAccount | undefined, requests: readonly RequestTrace[]): Iterable<PlatformDifference> {
  const { definition } = pack;
  if (definition.isUnnamed === true)
    yield {
      message: "Write export const pack = … in the entry file. The platform needs an export named pack.",
      verdict: "will-be-rejected",
      location: { path: pack.entry, line: 0, character: 0 },
    };
  if (account === undefined) {
    if (definition.systemAuthentication !== undefined && requests.length > 0)
      yield {
        message:
          "The requests had no credentials, because the system authentication has no account here. The platform uses it in every run.",
      };
    return;
  }
  const auth = definition[`${account.scope}Authentication`];
  if (auth === undefined || requests.length === 0) return;
  if (isJson(account.clientMethod) && account.sandboxOrigin === undefined) yield { message: JSON_ALONE };
  if (definition.networkDomains.length > 1 && auth.networkDomain === undefined) {
    const version = pack.bundle.toolkitVersion;
    const verdict = rejectionOf(version, NETWORK_DOMAIN_CHOICE_SINCE);
    const note = verdict === "not-judged" ? ` ${unjudgedNote(version)}` : "";
    yield {
      message: `Set networkDomain in the authentication to say which domains get the credentials. The pack declares several (${definition.networkDomains.join(", ")}), and the platform rejects it otherwise.${note}`,
      verdict,
    };
  }
  if (account.endpoint !== undefined && auth.endpointDomain !== undefined && URL.canParse(account.endpoint)) {
    const host = new URL(account.endpoint).hostname;
    if (!covers(auth.endpointDomain, host))
      yield {
        message: `The account's endpoint ${host} is not in endpointDomain (${auth.endpointDomain}). The platform refuses requests to it.`,
        verdict: "fails-when-run",
      };
  }
}
