// Runs saved tests with the real API and an account, and compares the shapes of the answers. Nothing is written.
import { z } from "zod";
import { defined } from "../../base/defined.ts";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { wholeMessage } from "../../platform/errors.ts";
import { readRegularFile } from "../../platform/files/regular-file.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { TIME_LIMIT } from "../../platform/process/process-limits.ts";
import { runLive, whyNotTried } from "../../platform/recordings/live.ts";
import { type SavedRequest, type SavedTest, targetName } from "../../platform/recordings/saved-test.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { accountInput, input } from "../inputs.ts";
import type { Observer } from "../observer.ts";
import { operation } from "../operation.ts";
import { type ChosenAccount, Runs } from "../run/runs.ts";
import type { World } from "../world.ts";
import { eachTest, testsInput } from "./each-test.ts";
import type { TestOutcome, TestResult } from "./test-result.ts";

export const testLive = operation({
  about: "Sends the requests of saved tests for real, and compares the shapes of the answers with the recorded ones.",
  input: z.strictObject({
    paths: testsInput,
    account: accountInput,
    actions: input(z.boolean().default(false), "Also run tests that send POST and other methods, which may change data."),
  }),
  missing: {},
  run({ paths, account: name, actions }, world, _person, observer: Observer<TestResult>) {
    const runs = new Runs(world, observer);
    const originAnswers = new Map<string, boolean>();
    return eachTest(paths, world, observer, "inconclusive", async (pack, test, file) => {
      const why = whyNotTried(pack, test, actions);
      if (why !== undefined) return { status: "notTried", problems: [{ ...why, differences: [] }] };
      const account = test.account === undefined ? undefined : await accountOf(test.account.scope, { pack, test, name }, runs, world);
      if (account !== undefined && "status" in account) return account;
      const { fetch, behindProxy } = await runs.network();
      const { signal } = world;
      const { status, reasons } = await runLive(pack, test, fetch, {
        behindProxy,
        signal,
        originAnswers,
        actions,
        ...defined({ account }),
      });
      const lines = new Map<SavedRequest, number>();
      const problems = reasons.map(({ request, ...reason }) => ({
        ...reason,
        differences: [],
        ...defined({ line: request === undefined ? undefined : getOrInsert(lines, request, () => lineOf(file, request)) }),
      }));
      return { status, problems };
    });
  },
});

const withReason = (status: TestOutcome["status"], message: string): TestOutcome => ({ status, problems: [{ message, differences: [] }] });

/** Returns the account that the test is sent with, or why it is not sent. */
async function accountOf(
  scope: AuthScope,
  { pack, test, name }: { readonly pack: Pack; readonly test: SavedTest; readonly name: string | undefined },
  runs: Runs,
  { runs: ground, words }: World,
): Promise<NonNullable<ChosenAccount["account"]> | TestOutcome> {
  if (ground.guard !== undefined) return withReason("notTried", "An agent sends no test with a real account.");
  const call = { name, target: targetName(test.target), timeLimit: TIME_LIMIT };
  const { account, missingVariables } = await runs.chooseAccount(pack, onlyScope(pack.definition, scope), call);
  if (account === undefined) {
    const missing = { entry: pack.entry, name, accounts: [], problem: undefined, missingVariables };
    return withReason("notTried", wholeMessage(ground.noAccount(missing), words));
  }
  if (account.sandboxOrigin === undefined) return account;
  return withReason("notTried", "The account is one of the sandbox. Connect or choose one of the API.");
}

/** Returns the definition without the authentication of the other scope, which the test does not use. */
function onlyScope({ userAuthentication, systemAuthentication, ...definition }: PackDefinition, scope: AuthScope): PackDefinition {
  return { ...definition, ...(scope === "user" ? defined({ userAuthentication }) : defined({ systemAuthentication })) };
}

/** Returns the line of a recorded request in its file, from 1. The file may be gone or replaced by now. */
function lineOf(file: string, { url }: SavedRequest): number {
  const [before = "", after] = (readRegularFile(file, Infinity) ?? "").split(JSON.stringify(url), 2);
  return after === undefined ? 1 : before.split("\n").length;
}
