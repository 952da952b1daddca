// `packAuth.preflight`: the page "Ready for upload?" of a pack, beside its source. The page shows a report, and sends numbers of its lines.

import * as vscode from "vscode";
import { preflight } from "../../operations/publishing/preflight.ts";
import { inWorld } from "../../operations/world.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { wholeMessage } from "../../platform/errors.ts";
import { canonicalPath } from "../../platform/files/file-names.ts";
import type { FromPreflightPage, PreflightAction, PreflightReport, ToPreflightPage } from "../../protocol/preflight.ts";
import { APPROVAL_FORM } from "../../spec/platform-pages.ts";
import { choosePack, type PackArgument } from "../commands/choose-pack.ts";
import { editorGround, PERSON } from "../commands/ground.ts";
import { panelHtml } from "../panel/panel-html.ts";
import type { Services } from "../services.ts";
import { openWebviewPanel, showDocument } from "../shown/items.ts";
import { showForMoment } from "../shown/messages.ts";
import { shownReport } from "../shown/next-steps.ts";
import { openWebPage } from "../shown/web-page.ts";
import { openLocation } from "../window/show-error.ts";
import { requireTrust } from "../window/trust.ts";

/** The open pages, at most one for each pack. */
export class PreflightPages implements vscode.Disposable {
  readonly #services: Services;
  /** By the canonical path of the pack's entry. */
  readonly #pages = new Map<string, PreflightPage>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** Shows the page of a pack, and checks the pack again. */
  async show(argument: PackArgument | undefined): Promise<void> {
    if (!(await requireTrust("Checking a pack"))) return;
    const entry = await choosePack(this.#services, argument);
    if (entry === undefined) return;
    const key = canonicalPath(entry);
    const existing = this.#pages.get(key);
    if (existing !== undefined) {
      existing.reveal();
      return;
    }
    this.#pages.set(key, new PreflightPage(this.#services, entry, () => this.#pages.delete(key)));
  }

  dispose(): void {
    for (const page of this.#pages.values()) page.dispose();
  }
}

class PreflightPage {
  readonly #services: Services;
  readonly #entry: string;
  readonly #panel: vscode.WebviewPanel;
  #checking: AbortController | undefined;
  #report: PreflightReport | undefined;

  constructor(services: Services, entry: string, onClose: () => void) {
    const { extensionUri } = services.context;
    this.#services = services;
    this.#entry = entry;
    this.#panel = openWebviewPanel("packAuth.preflight", `Ready for upload? · ${packName(entry)}`, vscode.ViewColumn.Beside, {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(extensionUri, "dist")],
      retainContextWhenHidden: true,
    });
    this.#panel.webview.onDidReceiveMessage((message: FromPreflightPage) => {
      this.#receive(message).catch((error: unknown) => services.showError(error, entry));
    });
    this.#panel.onDidDispose(() => {
      this.#checking?.abort();
      onClose();
    });
    this.#panel.webview.html = panelHtml(this.#panel.webview, extensionUri, "preflight");
  }

  reveal(): void {
    this.#panel.reveal(this.#panel.viewColumn);
    void this.#check();
  }

  dispose(): void {
    this.#panel.dispose();
  }

  async #receive(message: FromPreflightPage): Promise<void> {
    switch (message.type) {
      case "ready":
      case "check":
        return this.#check();
      case "cancel":
        return this.#checking?.abort();
      case "upload":
        return void (await vscode.commands.executeCommand("packAuth.uploadPack", { entry: this.#entry }));
      case "openSource": {
        const location = this.#report?.lines[message.line]?.location;
        return location && openLocation(location);
      }
      case "act": {
        const action = this.#report?.lines[message.line]?.action;
        return action && act(action, this.#entry);
      }
    }
  }

  /** Does nothing while a check is in progress. */
  async #check(): Promise<void> {
    if (this.#checking !== undefined) return;
    const controller = new AbortController();
    this.#checking = controller;
    const pack = packName(this.#entry);
    const post = (message: ToPreflightPage): void => void this.#panel.webview.postMessage(message);
    const observer = { step: (step: string) => post({ type: "checking", pack, step }), note: () => {}, part: () => {} };
    try {
      const report = await inWorld(editorGround(this.#services, this.#entry), controller.signal, (world) =>
        preflight.run({ pack: this.#entry }, world, PERSON, observer),
      );
      this.#report = report;
      post({ type: "report", pack, report });
    } catch (error) {
      if (controller.signal.aborted) post({ type: "ended", pack, text: "The check was stopped." });
      else post({ type: "ended", pack, text: wholeMessage(shownReport(error)) });
    } finally {
      this.#checking = undefined;
    }
  }
}

async function act(action: PreflightAction, entry: string): Promise<void> {
  switch (action.kind) {
    case "openApprovalForm":
      return void (await openWebPage(APPROVAL_FORM));
    case "copy":
      await vscode.env.clipboard.writeText(action.text);
      return showForMoment("Copied");
    case "connect":
      return void (await (action.scope === "system"
        ? vscode.commands.executeCommand("packAuth.addSystemAuthentication", { entry })
        : vscode.commands.executeCommand("packAuth.connectTestAccount", { entry, scope: action.scope })));
    case "run":
      return void (await vscode.commands.executeCommand("packAuth.runFormula", { entry, ...action.runnable }));
    case "openTest":
      return void (await showDocument(vscode.Uri.file(action.path)));
    case "compareWithPublished":
      return void (await vscode.commands.executeCommand("packAuth.compareWithPublished", { entry }));
    case "sendClientCredentials":
      return void (await vscode.commands.executeCommand("packAuth.sendClientCredentials", { entry }));
    case "installToolkit":
      return void (await vscode.commands.executeCommand("packAuth.installToolkit", { uri: vscode.Uri.file(entry).toString() }));
  }
}
