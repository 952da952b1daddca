// `pack-auth test --live`: runs saved tests with the real API and an account, and reports what changed as SARIF.
import { resolve } from "node:path";
import { defined } from "../../base/defined.ts";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { PRODUCT_VERSION } from "../../base/product-version.ts";
import type { TestResult } from "../../operations/tests/test-result.ts";
import { PackAuthError, wholeMessage } from "../../platform/errors.ts";
import { readRegularFile } from "../../platform/files/regular-file.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { LIVE_RULES, type LiveRule } from "../../platform/recordings/compare-answers.ts";
import { runLive, whyNotTried } from "../../platform/recordings/live.ts";
import type { SavedRequest, SavedTest } from "../../platform/recordings/saved-test.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import { type ChosenAccount, chooseAccount, fileAccountsHint } from "../run/choose-account.ts";
import { inWords } from "../run/environment-account.ts";
import { openFetch } from "../terminal/fetch.ts";
import { sarifLog } from "../terminal/sarif.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../usage-error.ts";
import type { TestValues } from "./test-options.ts";

type LiveOutcome = Pick<TestResult, "status" | "problems">;

const withReason = (status: TestResult["status"], message: string): LiveOutcome => ({ status, problems: [{ message, differences: [] }] });

/** What all tests of a call share. */
export interface LiveSession {
  readonly terminal: Terminal;
  readonly values: TestValues;
  readonly network: ReturnType<typeof openNetwork>;
  readonly signal: AbortSignal;
}

/** Returns the way to the API. All tests share its connections, and what is known of each origin. */
export const openNetwork = ({ environment }: Terminal) => ({ ...openFetch(environment), originAnswers: new Map<string, boolean>() });

/** Throws PackAuthError if the run was stopped, and after a bug. */
export async function liveOutcome(
  file: string,
  pack: Pack,
  test: SavedTest,
  { terminal, values, network, signal }: LiveSession,
): Promise<LiveOutcome> {
  const why = whyNotTried(pack, test, values.actions === true);
  if (why !== undefined) return withReason("notTried", why);
  let opened: ChosenAccount | undefined;
  if (test.account !== undefined) {
    try {
      opened = await chooseAccount(terminal, pack, onlyScope(pack.definition, test.account.scope), values.account, signal);
    } catch (error) {
      if (!(error instanceof PackAuthError) && !(error instanceof UsageError)) throw error;
      return withReason("inconclusive", wholeMessage(error));
    }
    const { account, missingVariables } = opened;
    if (account === undefined)
      return withReason(
        "notTried",
        `There is no account. Connect one with pack-auth connect, or set ${inWords(missingVariables)}.${fileAccountsHint(pack.entry)}`,
      );
    if (account.sandboxOrigin !== undefined)
      return withReason("notTried", "The account is one of the sandbox. Connect one of the API, or name it with --account.");
  }
  const { status, reasons } = await runLive(pack, test, network.fetch, {
    behindProxy: network.behindProxy,
    signal,
    originAnswers: network.originAnswers,
    actions: values.actions === true,
    ...defined({ account: opened?.account }),
  });
  const lines = new Map<SavedRequest, number>();
  const problems = reasons.map(({ rule, message, request }) => ({
    message,
    differences: [],
    ...defined({ rule, line: request === undefined ? undefined : getOrInsert(lines, request, () => lineOf(file, request)) }),
  }));
  return { status, problems };
}

/** Returns the definition without the authentication of the other scope, which the test does not use. */
function onlyScope({ userAuthentication, systemAuthentication, ...definition }: PackDefinition, scope: "user" | "system"): PackDefinition {
  return { ...definition, ...(scope === "user" ? defined({ userAuthentication }) : defined({ systemAuthentication })) };
}

/** Returns the line of a recorded request in its file, from 1. The file may be gone or replaced by now. */
function lineOf(file: string, { url }: SavedRequest): number {
  const [before = "", after] = (readRegularFile(file, Infinity) ?? "").split(JSON.stringify(url), 2);
  return after === undefined ? 1 : before.split("\n").length;
}

const NEXT_STEP = "Correct the pack, and record the test again with `pack-auth test --update`.";

/**
 * Returns the changes as SARIF. Paths of results begin at `folder`. What could not be compared is a notification, so that no result is
 * missing unnoticed.
 */
export function liveSarif(results: readonly TestResult[], folder: string, root: string): string {
  const changes = results.flatMap(({ path, problems }) =>
    problems.flatMap(({ rule, message, line = 1 }) => (rule === undefined ? [] : [{ path: resolve(folder, path), rule, message, line }])),
  );
  const rules = (Object.keys(LIVE_RULES) as LiveRule[]).filter((id) => changes.some(({ rule }) => rule === id));
  return sarifLog({
    version: PRODUCT_VERSION,
    root,
    rules: rules.map((id) => ({ id, docs: `${LIVE_RULES[id]}\n${NEXT_STEP}`, level: "error" })),
    notifications: results.flatMap(({ path, status, problems }) =>
      problems
        .filter(({ rule }) => rule === undefined)
        .map(({ message }) => ({ level: status === "notTried" ? "note" : "error", text: `${path}: ${message}` }) as const),
    ),
    paths: results.map(({ path }) => resolve(folder, path)),
    results: changes.map(({ path, rule, message, line }) => ({
      rule,
      level: "error",
      message,
      path,
      region: { startLine: line, startColumn: 1, endLine: line + 1, endColumn: 1 },
      fixes: [],
    })),
  });
}
