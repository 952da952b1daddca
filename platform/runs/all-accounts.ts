// Runs one target with every account and reports the paths at which each result differs from the result of the first account.

import { defined } from "../../base/defined.ts";
import { isRecord } from "../../base/is-record.ts";
import type { AccountRun } from "../../protocol/matrix.ts";
import type { ErrorReport, RunReport } from "../../protocol/run.ts";
import { reportOf } from "../errors.ts";

export interface NamedAccount {
  readonly label: string;
  /** Resolves to undefined if the account is not to be used. A rejection says why the account cannot be used. */
  run(): Promise<RunReport | undefined>;
}

/** The number of differences that are reported for one account. */
const MOST_DIFFERENCES = 20;

/**
 * Runs the accounts one after another and reports each run to `onRun` when it ends. Stops before the next account once `signal` is aborted.
 */
export async function runWithAll(
  accounts: readonly NamedAccount[],
  { signal, onRun }: { readonly signal: AbortSignal; readonly onRun?: (run: AccountRun) => void },
): Promise<readonly AccountRun[]> {
  const runs: AccountRun[] = [];
  let first: { readonly value: unknown } | undefined;
  for (const account of accounts) {
    if (signal.aborted) break;
    const one = await runOne(account);
    let row = one;
    if (one.status === "succeeded") {
      if (first === undefined) first = { value: one.value };
      else {
        const differences = differencesOf(first.value, one.value);
        row = {
          ...one,
          differences: differences.slice(0, MOST_DIFFERENCES),
          ...(differences.length > MOST_DIFFERENCES ? { more: true } : {}),
        };
      }
    }
    runs.push(row);
    onRun?.(row);
  }
  return runs;
}

async function runOne({ label, run }: NamedAccount): Promise<AccountRun> {
  try {
    const report = await run();
    if (report === undefined) return { account: label, status: "not run" };
    const { outcome, duration } = report;
    const common = { account: label, status: outcome.status, duration };
    if (outcome.status === "succeeded") return { ...common, value: outcome.value };
    return outcome.status === "failed" ? { ...common, error: summarizeError(outcome.error) } : common;
  } catch (error) {
    return { account: label, status: "failed", error: summarizeError(reportOf(error)) };
  }
}

const summarizeError = ({ code, message, hint }: ErrorReport): NonNullable<AccountRun["error"]> => ({
  code,
  message,
  ...defined({ hint }),
});

/**
 * Returns the paths at which two values differ. Stops at one path more than is reported, so that the caller can tell that there are more.
 */
export function differencesOf(one: unknown, other: unknown): readonly string[] {
  const paths: string[] = [];
  const compare = (a: unknown, b: unknown, path: string): void => {
    if (paths.length > MOST_DIFFERENCES || Object.is(a, b)) return;
    if (Array.isArray(a) && Array.isArray(b))
      for (let index = 0; index < Math.max(a.length, b.length); index++) compare(a[index], b[index], `${path}[${index}]`);
    else if (isRecord(a) && isRecord(b) && !Array.isArray(a) && !Array.isArray(b))
      for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) compare(a[name], b[name], path === "" ? name : `${path}.${name}`);
    else paths.push(path);
  };
  compare(one, other, "");
  return paths;
}
