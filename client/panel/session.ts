// One formula panel's host side: feeds it the formula and its accounts, and does what it asks for. Invariant: messages to the
// webview hold labels, ids and masked reports; never a credential.
import * as vscode from "vscode";
import { type Account, packKey } from "../../platform/accounts.ts";
import { reportOf } from "../../platform/errors.ts";
import { createFetchCache } from "../../platform/fetch-cache.ts";
import type { Pack } from "../../platform/pack.ts";
import { createRedactor } from "../../platform/redact.ts";
import { run } from "../../platform/run.ts";
import type { FromPanel, PanelAccount, Runnable, ToPanel } from "../../protocol/panel.ts";
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
  /** What the pack wants to keep for a while (cacheTtlSecs), from run to run. */
  const fetchCache = createFetchCache();

  const tellHistory = (): void => post({ type: "history", entries: history.list(runnableKey) });
  const stops = [
    services.accounts.onDidChange(
      () =>
        void services.packs.open(target.entry).then(
          async (opened) => post({ type: "accounts", ...(await accountsOf(opened)) }),
          () => {},
        ),
    ),
    history.onDidChange(tellHistory),
  ];
  const saved = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
    if (services.packs.isSource(target.entry, uri.fsPath)) void show().then((ok) => ok && post({ type: "saved" }));
  });

  async function accountsOf(opened: Pack): Promise<{ accounts: readonly PanelAccount[]; selectedAccount?: string }> {
    const candidates = services.accounts.list(pack).filter((account) => account.scope === "user");
    const accounts = await Promise.all(
      candidates.map(async (account): Promise<PanelAccount> => {
        const { state } = await accountState(services, account, opened.entry);
        return { id: account.id, label: account.label, sandbox: account.sandboxOrigin !== undefined, state };
      }),
    );
    const last = services.context.workspaceState.get<string>(`${LAST_ACCOUNT}.${pack}`);
    const selected = accounts.find((account) => account.id === last) ?? accounts[0];
    return { accounts, ...(selected === undefined ? {} : { selectedAccount: selected.id }) };
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
      const type = opened.definition.userAuthentication?.type;
      const accountRequirement = type === undefined || type === "None" ? "none" : runnable.definition.connectionRequirement;
      post({ type: "show", pack: packName(target.entry), runnable, accountRequirement, target, ...(await accountsOf(opened)) });
      return true;
    } catch (error) {
      post({ type: "unavailable", error: reportOf(error) });
      return false;
    }
  }

  async function execute(message: Message<"run">, isDebugged = false): Promise<void> {
    if (running !== undefined) return;
    const abort = new AbortController();
    running = abort;
    const debug = isDebugged ? startDebugRun(target.name, target.entry, () => abort.abort()) : undefined;
    post({ type: "started" });
    const startedAt = Date.now();
    const runTarget: RunTarget =
      target.kind === "formula"
        ? { kind: "formula", name: target.name }
        : { kind: "syncTable", name: target.name, ...(message.dynamicUrl === undefined ? {} : { dynamicUrl: message.dynamicUrl }) };
    const redactor = createRedactor();
    let account: Account | undefined;
    try {
      const opened = await services.packs.saveAndOpen(target.entry);
      account = chooseAccount(services, opened, target, message.account);
      if (account !== undefined) await services.context.workspaceState.update(`${LAST_ACCOUNT}.${pack}`, account.id);
      const timeLimit = settings().get<number>("timeLimit");
      const usable = account === undefined ? undefined : await runAccount(services, opened, account);
      if (usable !== undefined) redactor.addCredential(usable.credential);
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
      const outcome = { status: "failed", error: reportOf(error) } as const;
      finish({ target: runTarget, startedAt, duration: Date.now() - startedAt, outcome, requests: [], console: [], parity: [] });
    } finally {
      debug?.dispose();
      running = undefined;
    }

    function finish(report: RunReport): void {
      shown = report;
      post({ type: "finished", report });
      // It is written down: a credential that somebody typed into a field is not.
      const input = {
        values: redactor.redactValue(message.values),
        ...(message.account === undefined ? {} : { account: message.account }),
      };
      history.add(runnableKey, input, report, account?.label).catch((error: unknown) => services.showError(error, target.entry));
    }
  }

  async function choices(message: Message<"choices">): Promise<void> {
    searching?.abort();
    const abort = new AbortController();
    searching = abort;
    const { field, search } = message;
    try {
      const opened = await services.packs.open(target.entry);
      const account = chooseAccount(services, opened, target, message.account);
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
        if (await show()) tellHistory();
        return;
      case "run":
        return execute(message);
      case "debug":
        return execute({ ...message, type: "run" }, true);
      case "cancel":
        running?.abort();
        return;
      case "connect":
        await connectAccount(services, { entry: target.entry, scope: "user" });
        return;
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
    stop() {
      running?.abort();
      searching?.abort();
      saved.dispose();
      for (const stop of stops) stop();
    },
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

/** The picked account; without one, the pack's system account, which every run uses. */
function chooseAccount(services: Services, pack: Pack, target: RunnableArgument, picked: string | undefined): Account | undefined {
  // The id comes from the webview: of this pack's accounts only, whatever it says.
  const accounts = services.accounts.list(packKey(target.entry));
  const own = accounts.find((account) => account.id === picked && account.scope === "user");
  if (own !== undefined) return own;
  if (pack.definition.systemAuthentication === undefined) return undefined;
  return accounts.find((account) => account.scope === "system");
}
