// Converts a run to a test. The run is replayed on the recorded responses, without network, to find the values that differ each time.
// Nothing is sent twice, so an action can be recorded like a read. Values that only the API changes are not differences.
import { defined } from "../../base/defined.ts";
import type { RunReport } from "../../protocol/run.ts";
import type { PackAuthError } from "../errors.ts";
import { CALL_DEFAULTS } from "../runs/run-input.ts";
import { secretsOf } from "../secrets/redact.ts";
import { shortSecrets } from "../secrets/short-secrets.ts";
import type { Difference } from "./differences.ts";
import { proveClean } from "./proof.ts";
import type { RunRecord } from "./record-run.ts";
import { notSaved } from "./recorder.ts";
import { outcomeOf, type Problem, replay } from "./replay.ts";
import { joinVolatile, type SavedTest, TEST_VERSION, type Volatile } from "./saved-test.ts";

/** Returns the test. `entry` is the pack's entry as the file names it. Throws recording-refused. */
export async function testOf(record: RunRecord, entry: string): Promise<SavedTest> {
  const { input, world, report, recorder, credential: before } = record;
  const { target, parameters, timezone, source, rowLimit } = input;
  const { pack, account, sandboxOrigin, redactor } = world;
  refuseUnfit(report);
  const short = before === undefined ? [] : shortSecrets(before);
  if (short.length > 0)
    throw notSaved(`${short.join(" and ")} is too short to be found in a recording`, undefined, { do: "recordTest", sandbox: true });
  const secrets = (await account?.otherSecrets?.()) ?? [];
  for (const secret of secrets) redactor.add(secret);
  const auth = account === undefined ? undefined : pack.definition[`${account.scope}Authentication`];
  const first: SavedTest = {
    version: TEST_VERSION,
    pack: entry,
    target,
    parameters,
    ...defined({ account: account && auth && { scope: account.scope, type: auth.type, ...defined({ endpoint: account.endpoint }) } }),
    timezone,
    ...defined({
      sandbox: sandboxOrigin === undefined ? undefined : (true as const),
      source: source === CALL_DEFAULTS.source ? undefined : source,
      rowLimit: rowLimit === CALL_DEFAULTS.rowLimit ? undefined : rowLimit,
      allowLoopback: world.allowLoopback ? (true as const) : undefined,
    }),
    volatile: {},
    requests: recorder.requests(sandboxOrigin, redactor),
    outcome: redactor.redactValue(outcomeOf(report)),
    notes: redactor.redactValue([...report.platformDifferences, ...ofWholeResult(report)].map(({ message }) => message)),
  };
  const live = [...secrets, ...[before, account?.credential].flatMap((each) => (each === undefined ? [] : secretsOf(each)))];
  proveClean(first, live);
  const again = await replay(pack, first, { lenient: true, signal: world.signal, timeLimit: world.timeLimit });
  return { ...first, volatile: joinVolatile(again.problems.flatMap(volatileOf)) };
}

/** Returns the warnings about the whole result, such as that the API refused with a successful status. */
const ofWholeResult = ({ warnings = [] }: RunReport): NonNullable<RunReport["warnings"]> => warnings.filter(({ path }) => path === "");

/** Failures that do not depend on the pack. */
const OF_THE_MOMENT =
  /^(account-required|sign-in-again|refresh-failed|credentials-\w+|sandbox-\w+|time-limit|memory-limit|process-crashed|invalid-parameter|unknown-formula)$/;

export const isOfMoment = ({ outcome }: RunReport): boolean => outcome.status === "failed" && OF_THE_MOMENT.test(outcome.error.code);

function refuseUnfit(report: RunReport): void {
  if (isOfMoment(report)) throw notSaved("it failed before the pack could do its work", "Fix that, and record it again.");
  const { rowsWithoutOwnId = 0 } = report.sync ?? {};
  if (rowsWithoutOwnId > 0)
    throw notSaved(
      rowsWithoutOwnId === 1 ? "a row has no ID of its own" : `${rowsWithoutOwnId} rows have no ID of their own`,
      "Give each row a value in the schema's idProperty that no other row has, and record it again.",
    );
  const echoed = report.requests.find((request) => request.echoed !== undefined);
  if (echoed !== undefined)
    throw notSaved(`the sandbox has no answer for ${echoed.method} ${echoed.url}`, "Add one to sandbox.json, and record it again.");
}

const cannotRepeat = (why: string): PackAuthError =>
  notSaved(why, "Make its requests depend only on its parameters and answers, not on the time or on random values.");

/** Returns the places that differed in the replay. Throws recording-refused if a difference has no such place. */
function volatileOf(problem: Problem): Volatile | readonly Volatile[] {
  switch (problem.kind) {
    case "request": {
      if (problem.nearest === undefined)
        throw cannotRepeat(`${problem.sentRequest.method} ${problem.sentRequest.url} was sent only when it ran again`);
      return problem.differences.map((each) => ofRequest(each, problem.sentRequest.url));
    }
    case "missing":
      throw cannotRepeat(`${problem.request.method} ${problem.request.url} was not sent when it ran again`);
    case "result":
      return { result: problem.differences.map(({ at }) => at) };
    case "outcome":
      throw cannotRepeat("it ended differently when it ran again");
    case "account":
      throw cannotRepeat(problem.message);
  }
}

function ofRequest({ at }: Difference, url: string): Volatile {
  const [part = "", name = "", field] = at
    .split("/")
    .slice(1)
    .map((each) => each.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (part === "query") return { query: [name] };
  if (part === "headers") return { headers: [name] };
  if (part === "body" && name === "form" && field !== undefined) return { query: [field] };
  if (part === "body") return { body: [at.slice("/body".length)] };
  throw cannotRepeat(`the address of ${url} changes each time`);
}
