// The formula panels of the window: one beside the source, which shows one formula after the other, and those that the author pins. They
// are restored when the window reloads.

import * as vscode from "vscode";
import { defined } from "../../base/defined.ts";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { type Account, packKey } from "../../platform/accounts/accounts.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import type { FromPanel, LeftForm, PanelMemory, RunMode, RunnableArgument } from "../../protocol/panel.ts";
import type { Services } from "../services.ts";
import { openWebviewPanel, titleWebviewPanel } from "../shown/items.ts";
import { setContext } from "../window/set-context.ts";
import { requireTrust } from "../window/trust.ts";
import { lockGroupOfNewPanel } from "./lock-group.ts";
import { panelHtml } from "./panel-html.ts";
import { createResultDocuments } from "./result-documents.ts";
import { openRunHistory, type RunHistory } from "./run-history.ts";
import { FormulaSession } from "./session.ts";

const VIEW_TYPE = "packAuth.formula";

interface FormulaPanel {
  readonly panel: vscode.WebviewPanel;
  target: RunnableArgument;
  session: FormulaSession;
  /** Whether the panel keeps its formula. */
  isPinned: boolean;
  /** Whether the webview's document has loaded. */
  isReady: boolean;
}

const webviewOptions = (extension: vscode.Uri) => ({ enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extension, "dist")] });
const titleOf = ({ name, entry }: RunnableArgument): string => `${name} · ${packName(entry)}`;
const keyOf = ({ entry, kind, name }: RunnableArgument): string => `${entry}:${kind}:${name}`;

export class FormulaPanels implements vscode.Disposable {
  readonly #services: Services;
  readonly #options: ReturnType<typeof webviewOptions>;
  readonly #panels = new Set<FormulaPanel>();
  /** The forms as the author left them: another panel may show the formula the next time. */
  readonly #forms = new Map<string, LeftForm>();
  readonly #histories = new Map<string, RunHistory>();
  readonly #documents = createResultDocuments();

  constructor(services: Services) {
    this.#services = services;
    this.#options = webviewOptions(services.context.extensionUri);
  }

  /**
   * Shows a formula, in its own panel or in the one that is not pinned. Then runs or debugs it with the values of its form, if none is
   * missing. The form selects `account`.
   */
  start(target: RunnableArgument, how: RunMode, account?: Account): void {
    this.#showSession(target).start(how, account);
  }

  /** Shows a formula as {@link start} does, and does not run it. */
  show(target: RunnableArgument): void {
    this.#showSession(target);
  }

  #showSession(target: RunnableArgument): FormulaSession {
    const panels = [...this.#panels];
    const existing = panels.find((each) => keyOf(each.target) === keyOf(target));
    // Opening another formula must not end a run in progress.
    const free = panels.findLast(({ isPinned, session }) => !isPinned && !session.isRunning());
    const there = existing ?? (free === undefined ? undefined : this.#change(free, target));
    there?.panel.reveal(there.panel.viewColumn);
    return (there ?? this.#open(target)).session;
  }

  packInFront(): string | undefined {
    return [...this.#panels].find(({ panel }) => panel.active)?.target.entry;
  }

  /** Fills a panel that was open before the window reloaded. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { target, isPinned } = (state ?? {}) as Partial<PanelMemory>;
    if (typeof target?.entry !== "string" || typeof target.name !== "string" || !(await requireTrust("Running a formula"))) {
      panel.dispose();
      return;
    }
    panel.webview.options = this.#options;
    this.#fill(panel, target, isPinned === true);
  }

  dispose(): void {
    this.#documents.dispose();
    for (const { panel } of [...this.#panels]) panel.dispose();
  }

  #open(target: RunnableArgument): FormulaPanel {
    // All panels open in the same column.
    const beside = [...this.#panels].find(({ panel }) => panel.viewColumn !== undefined)?.panel.viewColumn ?? vscode.ViewColumn.Beside;
    const panel = openWebviewPanel(VIEW_TYPE, titleOf(target), beside, { ...this.#options, retainContextWhenHidden: true });
    const locking = lockGroupOfNewPanel(VIEW_TYPE);
    panel.onDidDispose(() => locking.dispose());
    return this.#fill(panel, target, false);
  }

  #fill(panel: vscode.WebviewPanel, target: RunnableArgument, isPinned: boolean): FormulaPanel {
    const filled: FormulaPanel = { panel, target, isPinned, isReady: false, session: this.#sessionOf(panel, target, false) };
    this.#panels.add(filled);
    const received = panel.webview.onDidReceiveMessage((message: FromPanel) => {
      if (message.type === "keepPanel") filled.isPinned = message.isPinned;
      if (message.type === "left") this.#forms.set(keyOf(message.target), message.form);
      if (message.type === "ready") filled.isReady = true;
      void filled.session.receive(message);
    });
    panel.webview.html = panelHtml(panel.webview, this.#services.context.extensionUri, "webview");
    panel.onDidDispose(() => {
      this.#panels.delete(filled);
      received.dispose();
      filled.session.stop();
    });
    return filled;
  }

  #change(formulaPanel: FormulaPanel, target: RunnableArgument): FormulaPanel {
    formulaPanel.session.stop();
    formulaPanel.target = target;
    formulaPanel.session = this.#sessionOf(formulaPanel.panel, target, formulaPanel.isReady);
    titleWebviewPanel(formulaPanel.panel, titleOf(target));
    return formulaPanel;
  }

  #sessionOf(panel: vscode.WebviewPanel, target: RunnableArgument, isReady: boolean): FormulaSession {
    const services = this.#services;
    return new FormulaSession(services, target, {
      ...defined({ form: this.#forms.get(keyOf(target)) }),
      history: getOrInsert(this.#histories, packKey(target.entry), (pack) => openRunHistory(pack, services.host().workspaceState)),
      documents: this.#documents,
      isReady,
      post(message) {
        if (message.type === "finished" && message.report.outcome.status === "succeeded") setContext("hasRun", true);
        void panel.webview.postMessage(message);
      },
    });
  }
}
