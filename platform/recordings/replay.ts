// Replays a saved test with the real runner and the recorded responses instead of the network. Invariant: nothing is sent, and no host name
// is looked up.

import { randomUUID } from "node:crypto";
import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { RunReport } from "../../protocol/run.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import { PackAuthError } from "../errors.ts";
import { refusal } from "../network/refusal.ts";
import type { Pack } from "../process/pack.ts";
import type { Intercept } from "../requests/send-once.ts";
import { run } from "../runs/run.ts";
import { observe } from "../runs/run-observer.ts";
import { type WorldOptions, worldOf } from "../runs/run-world.ts";
import { makeSecrets } from "../sandbox/credentials.ts";
import type { Credential } from "../secrets/credential.ts";
import { createRedactor, MASK } from "../secrets/redact.ts";
import { type Difference, differences, isSame } from "./differences.ts";
import { createMatcher, type SentRequest, type Unmatched } from "./match.ts";
import { asSent } from "./recorder.ts";
import { inputOfTest, type SavedOutcome, type SavedRequest, type SavedTest } from "./saved-test.ts";

export interface Replay {
  readonly report: RunReport;
  readonly outcome: SavedOutcome;
  /** Empty if the run did what was recorded. */
  readonly problems: readonly Problem[];
}

export type Problem =
  /** A request that was not recorded. */
  | ({ readonly kind: "request" } & Unmatched)
  /** A recorded request that the pack no longer sends. */
  | { readonly kind: "missing"; readonly request: SavedRequest }
  | { readonly kind: "result"; readonly differences: readonly Difference[] }
  /** The run succeeded when recorded and now fails, or ended with another error. */
  | { readonly kind: "outcome"; readonly recorded: SavedOutcome; readonly now: SavedOutcome }
  | { readonly kind: "account"; readonly message: string };

export interface ReplayOptions extends Pick<WorldOptions, "signal" | "timeLimit" | "debug"> {
  /** Continues with the nearest recorded response, so that one run finds all differences. */
  readonly lenient?: boolean;
}

export async function replay(pack: Pack, test: SavedTest, { lenient = false, ...options }: ReplayOptions = {}): Promise<Replay> {
  const matcher = createMatcher(test.requests, test.volatile);
  // Replaces the mask in responses, because a header cannot contain the mask. The redactor masks it again in the report.
  const masked = `masked-${randomUUID()}`;
  const redactor = createRedactor([masked]);
  const problems: Problem[] = [];
  const matchRequest = (sentRequest: SentRequest): SavedRequest => {
    const match = matcher.claim(sentRequest);
    if (match !== undefined) return match;
    const unmatched = matcher.nearest(sentRequest);
    problems.push({ kind: "request", ...unmatched });
    if (!lenient || unmatched.nearest === undefined) throw refusal(`${sentRequest.method} ${sentRequest.url} was not recorded`);
    matcher.use(unmatched.nearest);
    return unmatched.nearest;
  };
  const intercept: Intercept = async ({ request }) => {
    const { response } = matchRequest(asSent(request, redactor));
    return new Response(bodyOf(response), {
      status: response.status,
      headers: Object.entries(response.headers).map(([name, value]): [string, string] => [name, value.replaceAll(MASK, masked)]),
    });
  };
  const account = accountFor(pack, test);
  if (typeof account === "string") problems.push({ kind: "account", message: account });
  const offline = worldOf(
    pack,
    async () => {
      throw refusal("a saved test opens no network");
    },
    {
      ...options,
      lookup: async () => [],
      intercept,
      redactor,
      allowLoopback: test.allowLoopback === true || test.sandbox === true,
      ...defined({ account: typeof account === "object" ? account : undefined }),
    },
  );
  const report = await run(inputOfTest(test), offline, observe());
  const outcome = outcomeOf(report);
  // Without `lenient`, differences that follow from a missing response are not reported.
  if (problems.length === 0 || lenient) {
    problems.push(...resultProblems(test, outcome), ...[...matcher.left].map((request) => ({ kind: "missing", request }) as const));
  }
  return { report, outcome, problems };
}

/** Returns the part of a report that a test keeps. Throws recording-refused for a run that was stopped. */
export function outcomeOf({ outcome }: RunReport): SavedOutcome {
  switch (outcome.status) {
    case "succeeded":
      return { status: "succeeded", value: JSON.parse(JSON.stringify(outcome.value ?? null)) };
    case "failed":
      return { status: "failed", error: { code: outcome.error.code, message: outcome.error.message } };
    case "cancelled":
      throw new PackAuthError("recording-refused", "The run was stopped: there is no result to compare with.");
  }
}

function resultProblems({ outcome: recorded, volatile }: SavedTest, now: SavedOutcome): readonly Problem[] {
  if (recorded.status !== "succeeded" || now.status !== "succeeded")
    return isSame(recorded, now) ? [] : [{ kind: "outcome", recorded, now }];
  const resultDifferences = [...differences(recorded.value, now.value, new Set(volatile.result))];
  return resultDifferences.length === 0 ? [] : [{ kind: "result", differences: resultDifferences }];
}

/** Returns the body as bytes, because fetch would add a content type to a string. */
export function bodyOf(response: SavedRequest["response"]): Uint8Array<ArrayBuffer> | null {
  // Responses with these statuses have no body (Fetch standard, null body status).
  if ([204, 205, 304].includes(response.status)) return null;
  if ("json" in response) return Buffer.from(JSON.stringify(response.json));
  if ("text" in response) return Buffer.from(response.text);
  return "base64" in response ? Buffer.from(response.base64, "base64") : new Uint8Array();
}

/** Returns the test's account with a generated credential, or a message if the pack has no such account. */
function accountFor({ definition }: Pack, { account }: SavedTest): RunAccount | string | undefined {
  if (account === undefined) return undefined;
  const auth = definition[`${account.scope}Authentication`];
  if (auth === undefined)
    return account.scope === "user"
      ? `The pack has no user authentication any more; the test was recorded with ${account.type}.`
      : `The pack has no system authentication any more; the test was recorded with ${account.type}.`;
  if (auth.type !== account.type) return `The authentication was ${account.type} when the test was recorded, and is ${auth.type} now.`;
  return { scope: account.scope, credential: createTestCredential(auth), ...defined({ endpoint: account.endpoint }) };
}

function createTestCredential(auth: AuthenticationDefinition): Credential {
  const { credential } = makeSecrets(auth, undefined);
  if (credential === undefined) return { kind: "oauth2", accessToken: `test-token-${randomUUID()}` };
  if (credential.kind !== "aws") return credential;
  // Without a role, because its session would have to be requested.
  const { roleArn: _, ...keys } = credential;
  return keys;
}
