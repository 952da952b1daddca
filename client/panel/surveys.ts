// The form with every account of the pack, or on the bad days of a sandbox of its own: a row for each, as they are done.

import { t } from "@vscode/l10n";
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
import type { FromPanel, RunnableArgument, Survey } from "../../protocol/panel.ts";
import type { ParameterValue, RunTarget } from "../../protocol/run.ts";
import { runAccount } from "../accounts/run-account.ts";
import { packName } from "../packs/pack-name.ts";
import type { Services } from "../services.ts";
import { runSettings } from "../settings.ts";
import { confirm } from "../shown/messages.ts";
import { readForm } from "./read-form.ts";
import { requireRunnable, targetOf } from "./runnable.ts";
import type { SessionParts } from "./session-parts.ts";

type Asking = FromPanel & { type: Survey["kind"] };
type Target = RunTarget & { readonly name: string };

interface Surveys {
  /** Does nothing while another one runs. */
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
    let last: Survey | undefined = { kind: message.type, rows: [] };
    const tell = (survey: Survey): void => {
      last = survey;
      post({ type: "surveyed", survey, isOver: false });
    };
    try {
      const opened = await services.packs.saveAndOpen(target.entry);
      const { parameters, problems } = readForm(message.fields, requireRunnable(opened, target).definition, runSettings().timezone);
      if (Object.keys(problems).length > 0) {
        last = undefined;
        post({ type: "notStarted", problems });
        return;
      }
      const asked: Asked = {
        opened,
        target: targetOf({ ...target, kind }, message, undefined) as Target,
        parameters,
        signal: abort.signal,
      };
      if (message.type === "drill") await drillPack(services, asked, tell);
      else await runAll(services, asked, tell);
    } catch (error) {
      if (!abort.signal.aborted) await services.showError(error, target.entry);
    } finally {
      running = undefined;
      if (last !== undefined) post({ type: "surveyed", survey: last, isOver: true });
    }
  }
}

interface Asked {
  readonly opened: Pack;
  readonly target: Target;
  readonly parameters: readonly ParameterValue[];
  readonly signal: AbortSignal;
}

async function runAll(services: Services, { opened, target, parameters, signal }: Asked, tell: (survey: Survey) => void): Promise<void> {
  const accounts = (await services.accounts.list(packKey(opened.entry))).filter(({ scope }) => scope === "user");
  const rows: AccountRun[] = [];
  await runWithAll(
    accounts.map((account) => ({
      label: printable(shownLabel(account)),
      async run() {
        if (changesData(opened.definition, target) && !(await mayAct(target.name, account))) return undefined;
        const usable = await runAccount(services, opened, account);
        const { fetch } = services.host();
        const report = await run(opened, target, parameters, { fetch, signal, ...runSettings(), account: usable });
        await keepRunFacts(services.host(), opened, report, usable);
        return report;
      },
    })),
    {
      signal,
      onRun(row) {
        rows.push(row);
        tell({ kind: "allAccounts", rows: [...rows] });
      },
    },
  );
}

const mayAct = (name: string, account: Account): Promise<boolean> =>
  confirm(t`Run the action ${name} with ${shownLabel(account)}? It may change something there.`, t`Run`);

async function drillPack(services: Services, { opened, target, parameters, signal }: Asked, tell: (survey: Survey) => void): Promise<void> {
  const folder = makeTemporary("pack-auth-drill-");
  const days: DrilledDay[] = [];
  let sandbox: Sandbox | undefined;
  try {
    sandbox = await services.packs.sandboxes.startAnother();
    const report = await drill(opened, target, parameters, {
      sandbox,
      folder,
      packName: packName(opened.entry),
      signal,
      onDay(day) {
        days.push(day);
        tell({ kind: "drill", rows: [...days] });
      },
    });
    tell({ kind: "drill", rows: report.days });
  } finally {
    sandbox?.stop();
    removeTemporary(folder);
  }
}
