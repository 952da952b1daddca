// Runs the form with every account of the pack, or on the bad days of a separate sandbox, and shows a row for each run.

import { printable } from "../../base/printable.ts";
import { shownLabel } from "../../platform/accounts/account-name.ts";
import { type Account, packKey } from "../../platform/accounts/accounts.ts";
import { drill } from "../../platform/drill/drill.ts";
import { keepRunFacts } from "../../platform/evidence/run-facts.ts";
import { makeTemporary } from "../../platform/files/make-temporary.ts";
import { removeTemporary } from "../../platform/files/remove-temporary.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { runWithAll } from "../../platform/runs/all-accounts.ts";
import { run } from "../../platform/runs/run.ts";
import type { Sandbox } from "../../platform/sandbox/launch.ts";
import { changesData } from "../../protocol/definition.ts";
import type { DrilledDay } from "../../protocol/drill.ts";
import type { AccountRun } from "../../protocol/matrix.ts";
import type { AllAccountsRun, FromPanel, RunnableArgument } from "../../protocol/panel.ts";
import type { ParameterValue, RunTarget } from "../../protocol/run.ts";
import { runAccount } from "../accounts/run-account.ts";
import { packName } from "../packs/pack-name.ts";
import type { Services } from "../services.ts";
import { runSettings } from "../settings.ts";
import { confirm } from "../shown/messages.ts";
import { readForm } from "./read-form.ts";
import { requireRunnable, targetOf } from "./runnable.ts";
import type { SessionParts } from "./session-parts.ts";

type Asking = FromPanel & { type: AllAccountsRun["kind"] };
type Target = RunTarget & { readonly name: string };

interface Surveys {
  /** Does nothing while another survey is in progress. */
  start(message: Asking): Promise<void>;
  cancel(): void;
  isRunning(): boolean;
}

export function createSurveys(services: Services, target: RunnableArgument, post: SessionParts["post"]): Surveys {
  let running: AbortController | undefined;
  return { start, cancel: () => running?.abort(), isRunning: () => running !== undefined };

  async function start(message: Asking): Promise<void> {
    const { kind } = target;
    if (running !== undefined || kind === "mcpServer") return;
    const abort = new AbortController();
    running = abort;
    let last: AllAccountsRun | undefined = { kind: message.type, rows: [] };
    const reportProgress = (progress: AllAccountsRun): void => {
      last = progress;
      post({ type: "surveyed", allAccountsRun: progress, isOver: false });
    };
    try {
      const pack = await services.packs.saveAndOpen(target.entry);
      const { parameters, problems } = readForm(message.fields, requireRunnable(pack, target).definition, runSettings().timezone);
      if (Object.keys(problems).length > 0) {
        last = undefined;
        post({ type: "notStarted", problems });
        return;
      }
      const request: RunRequest = {
        pack,
        target: targetOf({ ...target, kind }, message, undefined) as Target,
        parameters,
        signal: abort.signal,
      };
      if (message.type === "drill") await drillPack(services, request, reportProgress);
      else await runAll(services, request, reportProgress);
    } catch (error) {
      if (!abort.signal.aborted) await services.showError(error, target.entry);
    } finally {
      running = undefined;
      if (last !== undefined) post({ type: "surveyed", allAccountsRun: last, isOver: true });
    }
  }
}

interface RunRequest {
  readonly pack: Pack;
  readonly target: Target;
  readonly parameters: readonly ParameterValue[];
  readonly signal: AbortSignal;
}

async function runAll(
  services: Services,
  { pack, target, parameters, signal }: RunRequest,
  reportProgress: (progress: AllAccountsRun) => void,
): Promise<void> {
  const accounts = (await services.accounts.list(packKey(pack.entry))).filter(({ scope }) => scope === "user");
  const rows: AccountRun[] = [];
  await runWithAll(
    accounts.map((account) => ({
      label: printable(shownLabel(account)),
      async run() {
        if (changesData(pack.definition, target) && !(await mayAct(target.name, account))) return undefined;
        const usable = await runAccount(services, pack, account);
        const { fetch } = services.host();
        const report = await run(pack, target, parameters, { fetch, signal, ...runSettings(), account: usable });
        await keepRunFacts(services.host(), pack, report, usable);
        return report;
      },
    })),
    {
      signal,
      onRun(row) {
        rows.push(row);
        reportProgress({ kind: "allAccounts", rows: [...rows] });
      },
    },
  );
}

const mayAct = (name: string, account: Account): Promise<boolean> =>
  confirm(`Run the action ${name} with ${shownLabel(account)}? It may change something there.`, "Run");

async function drillPack(
  services: Services,
  { pack, target, parameters, signal }: RunRequest,
  reportProgress: (progress: AllAccountsRun) => void,
): Promise<void> {
  const folder = makeTemporary("pack-auth-drill-");
  const scenarios: DrilledDay[] = [];
  let sandbox: Sandbox | undefined;
  try {
    sandbox = await services.packs.sandboxes.startAnother();
    const report = await drill(pack, target, parameters, {
      sandbox,
      folder,
      packName: packName(pack.entry),
      signal,
      onDay(day) {
        scenarios.push(day);
        reportProgress({ kind: "drill", rows: [...scenarios] });
      },
    });
    reportProgress({ kind: "drill", rows: report.scenarios });
  } finally {
    sandbox?.stop();
    removeTemporary(folder);
  }
}
