// `pack-auth run --all-accounts`: prints a row for each user account, stored or of the account file. An action needs a confirmation for each account.
import type { Account } from "../../platform/accounts/account-files.ts";
import { shownLabel } from "../../platform/accounts/account-name.ts";
import type { RunAccount } from "../../platform/accounts/run-account.ts";
import { wholeMessage } from "../../platform/errors.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { runWithAll } from "../../platform/runs/all-accounts.ts";
import { changesData } from "../../protocol/definition.ts";
import type { AccountRun } from "../../protocol/matrix.ts";
import type { RunReport } from "../../protocol/run.ts";
import type { Paint } from "../terminal/colour.ts";
import { type CliHost, openCliHost } from "../terminal/host.ts";
import { STOPPED } from "../terminal/interrupt.ts";
import { formatMessage, joined, type Printed, printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../usage-error.ts";
import { listAccounts, openAccount } from "./pack-accounts.ts";
import type { CliInput } from "./run-input.ts";

interface AllAccounts {
  readonly signal: AbortSignal;
  readonly paint: Paint;
  readonly asJson: boolean;
  run(account: RunAccount): Promise<RunReport>;
}

/** Returns the exit code. Throws UsageError if the pack has no account. */
export async function runAllAccounts(
  terminal: Terminal,
  pack: Pack,
  { target }: CliInput,
  { signal, paint, asJson, run }: AllAccounts,
): Promise<number> {
  const accounts = (await listAccounts(terminal, pack)).filter(({ scope }) => scope === "user");
  if (accounts.length === 0) throw new UsageError("The pack has no account. Connect one with pack-auth connect.");
  // A keyring that cannot be reached is an error of the accounts that need it.
  const host = await openCliHost(terminal, { mayLackStore: true });
  const action = changesData(pack.definition, target) && "name" in target ? target.name : undefined;
  try {
    const runs = await runWithAll(
      accounts.map((account) => ({
        label: shownLabel(account),
        run: async () =>
          action === undefined || (await agrees(host, action, account))
            ? run(await openAccount(terminal, pack, account, signal, host))
            : undefined,
      })),
      { signal },
    );
    if (signal.aborted) return STOPPED;
    if (asJson) terminal.output.writeJson(`${JSON.stringify({ version: 1, target, runs }, null, 2)}\n`);
    else terminal.output.write(table(runs, paint));
    return runs.some(({ status }) => status === "failed") ? 1 : 0;
  } finally {
    host.close();
  }
}

/** Asks before each run of an action. Without an answer the action does not run. */
const agrees = async ({ prompter }: CliHost, action: string, account: Account): Promise<boolean> =>
  (await prompter.pick({
    title: `Run ${action} with ${shownLabel(account)}?`,
    placeholder: "It may change data there",
    items: [
      { label: "Pass over", value: "no" },
      { label: "Run", value: "yes" },
    ],
  })) === "yes";

function table(runs: readonly AccountRun[], paint: Paint): Printed {
  const [head] = runs.filter(({ status }) => status === "succeeded");
  const wide = Math.max(...runs.map(({ account }) => account.length));
  const lines = runs.map((run) => {
    const { account, status, duration } = run;
    const colour = status === "succeeded" ? "green" : status === "failed" ? "red" : "dim";
    const time = duration === undefined ? "" : `${duration} ms`;
    return formatMessage`${printable(account.padEnd(wide))}  ${paint(colour, printable(status.padEnd(9)))}  ${printable(time.padStart(8))}  ${printable(aboutRun(run, head))}\n`;
  });
  return joined(lines);
}

function aboutRun(run: AccountRun, head: AccountRun | undefined): string {
  if (run.error !== undefined) return `${run.error.code}: ${wholeMessage(run.error).replace(/\s+/g, " ")}`;
  if (run === head || run.differences === undefined) return "";
  if (run.differences.length === 0) return `as ${head?.account}`;
  // The path of the whole result is an empty string.
  const paths = run.differences.filter(Boolean).join(", ");
  return `differs from ${head?.account}${paths === "" ? "" : `: ${paths}`}${run.more === true ? ", …" : ""}`;
}
