// The formula panel's host side: opens the webview, feeds it the formula and its accounts, and runs what it asks for. Invariant:
// messages to the webview hold labels, ids and masked reports; never a credential.
import * as vscode from "vscode";
import type { Account } from "../../platform/accounts.ts";
import { packKey } from "../../platform/accounts.ts";
import { reportOf } from "../../platform/errors.ts";
import type { Pack } from "../../platform/pack.ts";
import { run } from "../../platform/run.ts";
import type { FromPanel, PanelAccount, Runnable, ToPanel } from "../../protocol/panel.ts";
import type { RunTarget } from "../../protocol/run.ts";
import { connectAccount } from "../commands/connect-account.ts";
import { packName } from "../packs.ts";
import { settings } from "../platform-host.ts";
import { runAccount } from "../run-account.ts";
import type { Services } from "../services.ts";
import { openLocation } from "../show-error.ts";
import { panelHtml } from "./panel-html.ts";

export interface RunnableArgument {
  readonly entry: string;
  readonly kind: "formula" | "syncTable";
  readonly name: string;
}

const LAST_ACCOUNT = "packAuth.lastAccount";
const panels = new Map<string, vscode.WebviewPanel>();

/** Opens the panel of a formula beside the editor, or brings it to the front. */
export function openFormulaPanel(services: Services, target: RunnableArgument): void {
  const key = `${target.entry}:${target.kind}:${target.name}`;
  const known = panels.get(key);
  if (known !== undefined) {
    known.reveal();
    return;
  }
  const panel = vscode.window.createWebviewPanel(
    "packAuth.formula",
    `${target.name} · ${packName(target.entry)}`,
    vscode.ViewColumn.Beside,
    {
      enableScripts: true,
      retainContextWhenHidden: true,
      localResourceRoots: [vscode.Uri.joinPath(services.context.extensionUri, "dist")],
    },
  );
  panels.set(key, panel);
  const session = startSession(services, target, (message) => void panel.webview.postMessage(message));
  panel.webview.onDidReceiveMessage((message: FromPanel) => void session.receive(message));
  panel.webview.html = panelHtml(panel.webview, services.context.extensionUri);
  panel.onDidDispose(() => {
    panels.delete(key);
    session.stop();
  });
}

function startSession(services: Services, target: RunnableArgument, post: (message: ToPanel) => void) {
  let running: AbortController | undefined;
  let lastResult: unknown;
  const stopListening = services.accounts.onDidChange(
    () =>
      void services.packs.open(target.entry).then(
        async (pack) => post({ type: "accounts", ...(await accountsOf(pack)) }),
        () => {},
      ),
  );

  async function accountsOf(pack: Pack): Promise<{ accounts: readonly PanelAccount[]; selectedAccount?: string }> {
    const candidates = services.accounts.list(packKey(target.entry)).filter((account) => account.scope === "user");
    const accounts = await Promise.all(
      candidates.map(async (account): Promise<PanelAccount> => {
        const { state } = await services.accounts.stateOf(account, pack.definition.userAuthentication);
        return { id: account.id, label: account.label, sandbox: account.sandboxOrigin !== undefined, state };
      }),
    );
    const last = services.context.workspaceState.get<string>(`${LAST_ACCOUNT}.${packKey(target.entry)}`);
    const selected = accounts.find((account) => account.id === last) ?? accounts[0];
    return { accounts, ...(selected === undefined ? {} : { selectedAccount: selected.id }) };
  }

  async function show(): Promise<void> {
    post({ type: "loading", pack: packName(target.entry), name: target.name });
    try {
      const pack = await services.packs.open(target.entry);
      const runnable = find(pack, target);
      if (runnable === undefined) {
        post({
          type: "unavailable",
          error: {
            code: "unknown-formula",
            message: `The pack has no ${target.kind === "formula" ? "formula" : "sync table"} ${target.name} any more.`,
            hint: "Close this panel and run it from its new name.",
          },
        });
        return;
      }
      const type = pack.definition.userAuthentication?.type;
      const requirement = type === undefined || type === "None" ? "none" : runnable.definition.connectionRequirement;
      post({ type: "show", pack: packName(target.entry), runnable, accountRequirement: requirement, ...(await accountsOf(pack)) });
    } catch (error) {
      post({ type: "unavailable", error: reportOf(error) });
    }
  }

  async function execute(message: FromPanel & { type: "run" }): Promise<void> {
    if (running !== undefined) return;
    const abort = new AbortController();
    running = abort;
    post({ type: "started" });
    const startedAt = Date.now();
    const runTarget: RunTarget = { kind: target.kind, name: target.name };
    try {
      const pack = await services.packs.open(target.entry);
      const account = chooseAccount(services, pack, target, message.account);
      if (account !== undefined) await services.context.workspaceState.update(`${LAST_ACCOUNT}.${packKey(target.entry)}`, account.id);
      const timeLimit = settings().get<number>("timeLimit");
      const report = await run(pack, runTarget, message.parameters, {
        fetch: services.host().fetch,
        signal: abort.signal,
        ...(account === undefined ? {} : { account: await runAccount(services, pack, account) }),
        ...(timeLimit === undefined || timeLimit <= 0 ? {} : { timeLimit: timeLimit * 1000 }),
        onRequest: (request) => post({ type: "request", request }),
        onConsole: (entry) => post({ type: "console", entry }),
        onRows: (count) => post({ type: "rows", count }),
      });
      lastResult = "value" in report.outcome ? report.outcome.value : undefined;
      post({ type: "finished", report });
    } catch (error) {
      post({
        type: "finished",
        report: {
          target: runTarget,
          startedAt,
          duration: Date.now() - startedAt,
          outcome: { status: "failed", error: reportOf(error) },
          requests: [],
          console: [],
          parity: [],
        },
      });
    } finally {
      running = undefined;
    }
  }

  async function receive(message: FromPanel): Promise<void> {
    switch (message.type) {
      case "ready":
        return show();
      case "run":
        return execute(message);
      case "cancel":
        running?.abort();
        return;
      case "connect":
        await connectAccount(services, { entry: target.entry, scope: "user" });
        return;
      case "open":
        return openLocation(message.location);
      case "openResult": {
        const document = await vscode.workspace.openTextDocument({ language: "json", content: JSON.stringify(lastResult, null, 2) ?? "" });
        await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
        return;
      }
      case "copy":
        await vscode.env.clipboard.writeText(message.text);
        return;
    }
  }

  return {
    receive,
    stop() {
      running?.abort();
      stopListening();
    },
  };
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
  const own = picked === undefined ? undefined : services.accounts.get(picked);
  if (own !== undefined) return own;
  if (pack.definition.systemAuthentication === undefined) return undefined;
  return services.accounts.list(packKey(target.entry)).find((account) => account.scope === "system");
}
