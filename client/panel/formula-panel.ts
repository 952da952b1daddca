// The formula panels of the window: one for each formula, beside the editor, brought back after a reload of the window.
import * as vscode from "vscode";
import { packKey } from "../../platform/accounts.ts";
import type { FromPanel, PanelMemory, RunMode } from "../../protocol/panel.ts";
import { setContext } from "../context-keys.ts";
import { packName } from "../packs.ts";
import type { Services } from "../services.ts";
import { openWebviewPanel } from "../shown/items.ts";
import { requireTrust } from "../trust.ts";
import { panelHtml } from "./panel-html.ts";
import { createResultDocuments } from "./result-documents.ts";
import { openRunHistory, type RunHistory } from "./run-history.ts";
import { startSession } from "./session.ts";

export type RunnableArgument = PanelMemory["target"];

export interface FormulaPanels extends vscode.Disposable {
  /** Opens the panel of a formula, or brings it to the front; then runs or debugs what its form holds, where nothing is missing in it. */
  start(target: RunnableArgument, how: RunMode): void;
  /** Fills a panel that was open before the window was loaded anew. */
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

const VIEW_TYPE = "packAuth.formula";

export function createFormulaPanels(services: Services): FormulaPanels {
  const panels = new Map<string, vscode.WebviewPanel>();
  const sessions = new Map<string, ReturnType<typeof startSession>>();
  const histories = new Map<string, RunHistory>();
  const documents = createResultDocuments();
  const dist = vscode.Uri.joinPath(services.context.extensionUri, "dist");
  const options = { enableScripts: true, localResourceRoots: [dist] };
  const keyOf = (target: RunnableArgument): string => `${target.entry}:${target.kind}:${target.name}`;

  function historyOf(entry: string): RunHistory {
    const pack = packKey(entry);
    const { workspaceState } = services.context;
    const history =
      histories.get(pack) ??
      openRunHistory(pack, { get: (key) => workspaceState.get(key), set: async (key, value) => workspaceState.update(key, value) });
    histories.set(pack, history);
    return history;
  }

  function fill(panel: vscode.WebviewPanel, target: RunnableArgument): void {
    const key = keyOf(target);
    panels.set(key, panel);
    const session = startSession(services, target, {
      history: historyOf(target.entry),
      documents,
      post(message) {
        if (message.type === "finished" && message.report.outcome.status === "succeeded") setContext("hasRun", true);
        void panel.webview.postMessage(message);
      },
    });
    sessions.set(key, session);
    const received = panel.webview.onDidReceiveMessage((message: FromPanel) => void session.receive(message));
    panel.webview.html = panelHtml(panel.webview, services.context.extensionUri);
    panel.onDidDispose(() => {
      if (panels.get(key) === panel) panels.delete(key);
      if (sessions.get(key) === session) sessions.delete(key);
      received.dispose();
      session.stop();
    });
  }

  function open(target: RunnableArgument): void {
    const known = panels.get(keyOf(target));
    if (known !== undefined) {
      known.reveal();
      return;
    }
    // Panels stand over each other, not each in a column of its own.
    const beside = [...panels.values()].find(({ viewColumn }) => viewColumn !== undefined)?.viewColumn ?? vscode.ViewColumn.Beside;
    const title = `${target.name} · ${packName(target.entry)}`;
    fill(openWebviewPanel(VIEW_TYPE, title, beside, { ...options, retainContextWhenHidden: true }), target);
  }

  return {
    start(target, how) {
      open(target);
      sessions.get(keyOf(target))?.start(how);
    },
    async restore(panel, state) {
      const target = (state as Partial<PanelMemory> | undefined)?.target;
      if (typeof target?.entry !== "string" || typeof target.name !== "string" || !(await requireTrust("Running a formula"))) {
        panel.dispose();
        return;
      }
      panel.webview.options = options;
      fill(panel, target);
    },
    dispose() {
      documents.dispose();
      for (const panel of [...panels.values()]) panel.dispose();
    },
  };
}
