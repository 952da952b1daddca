// One formula panel's host side: feeds it the formula and its accounts, and does what it asks for. Invariant: messages to the
// webview hold labels, ids and masked reports; never a credential.
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { type Account, packKey } from "../../platform/accounts.ts";
import { reportOf } from "../../platform/errors.ts";
import { createFetchCache } from "../../platform/fetch-cache.ts";
import type { Pack } from "../../platform/pack.ts";
import { createRedactor } from "../../platform/redact.ts";
import { refuseMasked } from "../../platform/row-updates.ts";
import { run } from "../../platform/run.ts";
import type { FromPanel, PanelAccount, PanelAccounts, Runnable, ToPanel } from "../../protocol/panel.ts";
import type { RunReport, RunTarget } from "../../protocol/run.ts";
import { accountState } from "../account-state.ts";
import { connectAccount } from "../commands/connect-account.ts";
import { startDebugRun } from "../debug-run.ts";
import { packName } from "../packs.ts";
import { runSettings, settings } from "../platform-host.ts";
import { runAccount } from "../run-account.ts";
import type { Services } from "../services.ts";
import { openConfiguration, openLocation } from "../show-error.ts";
import { findChoices } from "./choices.ts";
import { accountRequirement, chooseAccount } from "./choose-account.ts";
import type { RunnableArgument } from "./formula-panel.ts";
import type { ResultDocuments } from "./result-documents.ts";
import type { RunHistory } from "./run-history.ts";

const LAST_ACCOUNT = "packAuth.lastAccount";

export interface SessionParts {
  readonly history: RunHistory;
  readonly documents: ResultDocuments;
  post(message: ToPanel): void;
}

type Message<T extends FromPanel["type"]> = FromPanel & { type: T };

export function startSession(services: Services, target: RunnableArgument, { history, documents, post }: SessionParts) {
  const runnableKey = `${target.kind}:${target.name}`;
  const pack = packKey(target.entry);
  let running: AbortController | undefined;
  let searching: AbortController | undefined;
  let shown: RunReport | undefined;
  /** Debugging waits for the form. */
  let form: "coming" | "debugWhenShown" | "shown" = "coming";
  /** What the pack wants to keep for a while (cacheTtlSecs), from run to run. */
  const fetchCache = createFetchCache();

  const tellHistory = (): void => post({ type: "history", entries: history.list(runnableKey) });
  const stops = [services.accounts.onDidChange(() => void tellAccounts()), history.onDidChange(tellHistory)];
  const saved = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
    if (services.packs.isSource(target.entry, uri.fsPath)) void show().then((ok) => ok && post({ type: "saved" }));
  });

  /** A pack that does not build just now tells of its accounts when it does again. */
  const tellAccounts = (connected?: string): Promise<void> =>
    services.packs.open(target.entry).then(
      async (opened) => post({ type: "accounts", ...(await accountsOf(opened)), ...(connected === undefined ? {} : { connected }) }),
      () => {},
    );

  async function accountsOf(opened: Pack): Promise<PanelAccounts> {
    const known = services.accounts.list(pack);
    const tell = async (account: Account): Promise<PanelAccount> => {
      const { state } = await accountState(services, account, opened.entry);
      return { id: account.id, label: account.label, sandbox: account.sandboxOrigin !== undefined, state };
    };
    const accounts = await Promise.all(known.filter(({ scope }) => scope === "user").map(tell));
    const system = known.find(({ scope }) => scope === "system");
    const last = services.context.workspaceState.get<string>(`${LAST_ACCOUNT}.${pack}`);
    const selected = accounts.find((account) => account.id === last) ?? accounts[0];
    return {
      accounts,
      ...(selected === undefined ? {} : { selectedAccount: selected.id }),
      ...(opened.definition.systemAuthentication === undefined ? {} : { systemAccount: system === undefined ? null : await tell(system) }),
    };
  }

  /** The account that a run takes, by what the panel picked. Throws account-required where that one is gone. */
  const accountFor = (opened: Pack, picked: string | undefined): Account | undefined =>
    chooseAccount(
      services.accounts.list(pack),
      opened.definition,
      find(opened, target)?.definition.connectionRequirement ?? "required",
      picked,
    );

  async function connect({ scope, account: id }: Message<"connect">): Promise<void> {
    const known = services.accounts.list(pack).find((account) => account.id === id && account.scope === scope);
    const account = await connectAccount(services, { entry: target.entry, scope, ...(known === undefined ? {} : { account: known }) });
    if (account !== undefined) await tellAccounts(account.id);
  }

  /** Shows the form as the pack is now; false where that is not possible, and the panel says why. */
  async function show(): Promise<boolean> {
    post({ type: "loading", pack: packName(target.entry), name: target.name });
    try {
      const opened = await services.packs.open(target.entry);
      const runnable = find(opened, target);
      if (runnable === undefined) {
        const kind = target.kind === "formula" ? "formula" : "sync table";
        post({
          type: "unavailable",
          error: {
            code: "unknown-formula",
            message: `The pack has no ${kind} ${target.name} any more.`,
            hint: "Close this panel and run it from its new name.",
          },
        });
        return false;
      }
      const requirement = accountRequirement(opened.definition, runnable.definition.connectionRequirement);
      const accounts = await accountsOf(opened);
      post({ type: "show", pack: packName(target.entry), runnable, accountRequirement: requirement, target, ...accounts });
      return true;
    } catch (error) {
      post({ type: "unavailable", error: reportOf(error) });
      return false;
    }
  }

  async function execute(message: Message<"run" | "debug">): Promise<void> {
    if (running !== undefined) return;
    const abort = new AbortController();
    running = abort;
    const debug = message.type === "debug" ? startDebugRun(target.name, target.entry, () => abort.abort()) : undefined;
    post({ type: "started" });
    const startedAt = Date.now();
    const runTarget = targetOf(target, message, shown);
    const redactor = createRedactor();
    let account: Account | undefined;
    try {
      const opened = await services.packs.saveAndOpen(target.entry);
      account = accountFor(opened, message.account);
      if (account !== undefined) {
        await services.context.workspaceState.update(`${LAST_ACCOUNT}.${pack}`, account.id);
        // What is stored is masked, also where it turns out to be unusable.
        const stored = await services.accounts.credential(account.id);
        if (stored !== undefined) redactor.addCredential(stored);
      }
      const timeLimit = settings().get<number>("timeLimit");
      const usable = account === undefined ? undefined : await runAccount(services, opened, account);
      if (usable !== undefined) redactor.addCredential(usable.credential);
      if (message.update !== undefined) refuseMasked([message.update.newValue]);
      if (runTarget.kind === "syncTable") refuseMasked([runTarget.previousCompletion ?? null]);
      finish(
        await run(opened, runTarget, message.parameters, {
          fetch: services.host().fetch,
          signal: abort.signal,
          redactor,
          fetchCache,
          ...(debug === undefined ? {} : { debug: debug.options }),
          ...runSettings(),
          ...(usable === undefined ? {} : { account: usable }),
          ...(timeLimit === undefined || timeLimit <= 0 ? {} : { timeLimit: timeLimit * 1000 }),
          ...(message.rowLimit === undefined ? {} : { rowLimit: message.rowLimit }),
          onRequest: (request) => post({ type: "request", request }),
          onConsole: (entry) => post({ type: "console", entry }),
          onRows: (count) => post({ type: "rows", count }),
        }),
      );
    } catch (error) {
      const outcome = { status: "failed", error: redactor.redactValue(reportOf(error)) } as const;
      finish({
        target: redactor.redactValue(runTarget),
        startedAt,
        duration: Date.now() - startedAt,
        outcome,
        requests: [],
        console: [],
        parity: [],
      });
    } finally {
      debug?.dispose();
      running = undefined;
    }

    function finish(report: RunReport): void {
      shown = report;
      const id = randomUUID();
      const values = redactor.redactValue(message.values);
      const isMasked = JSON.stringify(values) !== JSON.stringify(message.values);
      post({ type: "finished", report, id, ...(isMasked ? { values } : {}) });
      // An edit is nothing to be done again by a click.
      if (message.update !== undefined) return;
      // It is written down: a credential that somebody typed into a field is not.
      const input = { values, ...(message.account === undefined ? {} : { account: message.account }) };
      history.add(runnableKey, input, report, account?.label, id).catch((error: unknown) => services.showError(error, target.entry));
    }
  }

  async function choices(message: Message<"choices">): Promise<void> {
    searching?.abort();
    const abort = new AbortController();
    searching = abort;
    const { field, search } = message;
    try {
      const opened = await services.packs.open(target.entry);
      const account = accountFor(opened, message.account);
      const found = await findChoices(opened, target, message, {
        fetch: services.host().fetch,
        signal: abort.signal,
        ...runSettings(),
        ...(account === undefined ? {} : { account: await runAccount(services, opened, account) }),
      });
      if (found !== undefined) post({ type: "choices", field, search, choices: found });
    } catch (error) {
      if (!abort.signal.aborted) post({ type: "choices", field, search, choices: [], problem: reportOf(error).message });
    }
  }

  function recall(id: string): void {
    const report = history.report(id);
    if (report === undefined) return;
    shown = report;
    post({ type: "recalled", id, report });
  }

  async function rename(id: string): Promise<void> {
    const known = history.list(runnableKey).find((entry) => entry.id === id);
    const name = await vscode.window.showInputBox({ title: "Name the run", value: known?.name ?? "", prompt: "Empty takes the name off" });
    if (name !== undefined) await history.change(id, { name });
  }

  async function receive(message: FromPanel): Promise<void> {
    try {
      await handle(message);
    } catch (error) {
      await services.showError(error, target.entry);
    }
  }

  async function handle(message: FromPanel): Promise<void> {
    switch (message.type) {
      case "ready":
        if (!(await show())) return;
        tellHistory();
        if (form === "debugWhenShown") post({ type: "debugNow" });
        form = "shown";
        return;
      case "run":
      case "debug":
        return execute(message);
      case "cancel":
        running?.abort();
        return;
      case "connect":
        return connect(message);
      case "choices":
        return choices(message);
      case "open":
        return openLocation(message.location);
      case "openLink":
        await vscode.env.openExternal(vscode.Uri.parse(message.url, true));
        return;
      case "openConfiguration":
        return openConfiguration(services.server, target.entry, message.configPath);
      case "openResult":
        if (shown !== undefined) await documents.open(target.name, shown);
        return;
      case "copy":
        await vscode.env.clipboard.writeText(message.text);
        vscode.window.setStatusBarMessage(`${message.what} stands in the clipboard.`, 3_000);
        return;
      case "save":
        return save(message);
      case "recall":
        return recall(message.id);
      case "pin":
        return history.change(message.id, { pinned: message.pinned });
      case "rename":
        return rename(message.id);
      case "forget":
        return history.remove(message.id);
      case "compare": {
        const [first, second] = message.ids.map((id) => history.report(id));
        if (first !== undefined && second !== undefined) await documents.compare(target.name, first, second);
        return;
      }
    }
  }

  return {
    receive,
    /** Debugs what the form holds; where something is missing there, the panel says so. */
    debug() {
      if (form === "shown") post({ type: "debugNow" });
      else form = "debugWhenShown";
    },
    stop() {
      running?.abort();
      searching?.abort();
      saved.dispose();
      for (const stop of stops) stop();
    },
  };
}

function targetOf(
  { kind, name }: RunnableArgument,
  { dynamicUrl, update, sinceShown }: Message<"run" | "debug">,
  shown: RunReport | undefined,
): RunTarget {
  if (kind === "formula") return { kind, name };
  const url = dynamicUrl === undefined ? {} : { dynamicUrl };
  if (update === undefined) {
    const completion = sinceShown === true ? shown?.sync?.completion : undefined;
    return { kind, name, ...url, ...(completion === undefined ? {} : { previousCompletion: completion }) };
  }
  // A dynamic table's schema is the one that its rows came with.
  return {
    kind: "update",
    name,
    ...url,
    ...(dynamicUrl === undefined || shown === undefined ? {} : { schema: shown.schema }),
    updates: [update],
  };
}

async function save({ name, text }: Message<"save">): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) });
  if (uri !== undefined) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}

function find(pack: Pack, target: RunnableArgument): Runnable | undefined {
  if (target.kind === "formula") {
    const definition = pack.definition.formulas.find((formula) => formula.name === target.name);
    return definition === undefined ? undefined : { kind: "formula", definition };
  }
  const definition = pack.definition.syncTables.find((table) => table.name === target.name);
  return definition === undefined ? undefined : { kind: "syncTable", definition };
}
