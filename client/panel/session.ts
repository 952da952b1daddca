// The host side of one formula panel: sends the formula and its accounts, and handles the panel's requests.
// Invariant: messages to the webview hold labels, ids and masked reports; never a credential.

import * as vscode from "vscode";
import { defined } from "../../base/defined.ts";
import type { Account } from "../../platform/accounts/accounts.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { reportOf, wholeMessage } from "../../platform/errors.ts";
import { isSameFile, oneOf } from "../../platform/files/file-names.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { readSimilarResponses, readWholeResponse } from "../../platform/recordings/record-run.ts";
import { worldOf } from "../../platform/runs/run-world.ts";
import { expectedResult } from "../../platform/sandbox/propose-stub.ts";
import { stubFromResponse } from "../../platform/sandbox/stub-from-response.ts";
import { stubsFilePath } from "../../platform/sandbox/stubs.ts";
import { changesData } from "../../protocol/definition.ts";
import type { FromPanel, HistoryEntry, RunMode, RunnableArgument } from "../../protocol/panel.ts";
import type { Remedy } from "../../protocol/run.ts";
import { runAccount } from "../accounts/run-account.ts";
import { addStub, writeStub } from "../commands/add-stub.ts";
import { applyRemedy } from "../commands/apply-remedy.ts";
import { makeSchema } from "../commands/make-schema.ts";
import { watchSources } from "../packs/watch-sources.ts";
import type { Services } from "../services.ts";
import { asLine } from "../shown/foreign-text.ts";
import { showForMoment, showInformation } from "../shown/messages.ts";
import { shownReport } from "../shown/next-steps.ts";
import { prompter } from "../shown/questions.ts";
import { openWebPage } from "../shown/web-page.ts";
import { timezone, worldSettings } from "../window/settings.ts";
import { openConfiguration, openDiagnosis, openLocation } from "../window/show-error.ts";
import { findChoices } from "./choices.ts";
import { accountRequirement } from "./choose-account.ts";
import { type AccountsOfPanel, accountsOfPanel } from "./panel-accounts.ts";
import { PanelRuns } from "./panel-runs.ts";
import { runnableKeyOf } from "./run-history.ts";
import { requireRunnable } from "./runnable.ts";
import { saveTest } from "./save-test.ts";
import type { SessionParts } from "./session-parts.ts";

const RUN_AGAIN = "Run again";

interface WaitingRun {
  readonly how: RunMode;
  /** The account that the form selects first. */
  readonly account: Account | undefined;
}

export class FormulaSession {
  readonly #services: Services;
  readonly #target: RunnableArgument;
  readonly #parts: SessionParts;
  readonly #accounts: AccountsOfPanel;
  readonly #runs: PanelRuns;
  readonly #listeners: vscode.Disposable;
  #searching: AbortController | undefined;
  /** The pack of the form; undefined while it cannot be built. */
  #built: Pack | undefined;
  #isInput: ReturnType<typeof oneOf> = () => false;
  /** Whether the webview's document has loaded. */
  #isReady: boolean;
  #isShown = false;
  #isOver = false;
  /** The run to start once the form is ready. */
  #waiting: WaitingRun | undefined;
  readonly #post: SessionParts["post"] = (message) => {
    if (!this.#isOver) this.#parts.post(message);
  };

  constructor(services: Services, target: RunnableArgument, parts: SessionParts) {
    this.#services = services;
    this.#target = target;
    this.#parts = parts;
    this.#isReady = parts.isReady;
    this.#accounts = accountsOfPanel(services, target);
    this.#runs = new PanelRuns({ services, target, history: parts.history, post: this.#post, accounts: this.#accounts });
    // Building the pack and opening the panel take equally long, so they run at the same time. Errors are reported when the form is
    // requested.
    this.#open().catch(() => {});
    // If the pack cannot be built, any file may fix it.
    const isSource = (path: string): boolean => this.#built === undefined || this.#isInput(path);
    this.#listeners = vscode.Disposable.from(
      new vscode.Disposable(services.accounts.onDidChange(() => void this.#sendAccounts())),
      new vscode.Disposable(parts.history.onDidChange(() => this.#sendHistory())),
      watchSources(target.entry, isSource, () => void this.#follow()),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (isSameFile(uri.fsPath, stubsFilePath(target.entry))) this.#post({ type: "saved" });
      }),
    );
  }

  async receive(message: FromPanel): Promise<void> {
    try {
      await this.#handle(message);
    } catch (error) {
      await this.#services.showError(error, this.#target.entry);
    }
  }

  /**
   * Runs or debugs with the values of the form, as soon as the form is ready. If a value is missing, the form waits for the author. The
   * form selects `account` first.
   */
  start(how: RunMode, account?: Account): void {
    this.#waiting = { how, account };
    if (this.#isShown) void this.#startWaiting();
    else if (this.#isReady) void this.#show();
  }

  isRunning(): boolean {
    return this.#runs.isRunning();
  }

  stop(): void {
    this.#isOver = true;
    this.#runs.cancel();
    this.#searching?.abort();
    this.#listeners.dispose();
  }

  #open(): Promise<Pack> {
    return this.#services.packs.open(this.#target.entry);
  }

  #history(): readonly HistoryEntry[] {
    return this.#parts.history.list(runnableKeyOf(this.#target));
  }

  #sendHistory(): void {
    this.#post({ type: "history", entries: this.#history() });
  }

  /** Updates the form after a change of the pack's files. A change may be reported twice, and may leave the pack as it is. */
  async #follow(): Promise<void> {
    const before = this.#built;
    if (!(await this.#show()) || this.#built === before) return;
    // A run saves the files that the author edited, and shows what they do.
    if ((await this.#runs.packOfRun()) !== this.#built) this.#post({ type: "saved" });
  }

  /** If the pack does not build, returns false, and the accounts are sent once it builds again. */
  #sendAccounts(connected?: Account): Promise<boolean> {
    return this.#open().then(
      async (pack) => {
        this.#post({ type: "accounts", ...(await this.#accounts.readAccounts(pack)), ...defined({ connected: connected?.id }) });
        return true;
      },
      () => false,
    );
  }

  async #connect(message: FromPanel & { type: "connect" }): Promise<void> {
    const account = await this.#accounts.connect(message);
    if (account !== undefined) await this.#sendAccounts(account);
  }

  /** Signs in again for more access and repeats the run, as the platform does. An action is repeated only if the author confirms. */
  async #grantAccess({ account: id, scopes }: Remedy & { readonly kind: "grantAccess" }): Promise<void> {
    const account = await this.#accounts.connect({ scope: "user", account: id }, scopes);
    if (account === undefined) return;
    await this.#sendAccounts(account);
    const { definition } = await this.#open();
    const again = changesData(definition, this.#target)
      ? await showInformation(`${asLine(account.label)} has more access.`, RUN_AGAIN)
      : RUN_AGAIN;
    if (again === RUN_AGAIN) this.#post({ type: "startNow", how: "run" });
  }

  /** Shows the form for the current pack; returns false and shows the reason if that is not possible. */
  async #show(): Promise<boolean> {
    const target = this.#target;
    this.#post({ type: "loading", pack: packName(target.entry), target, ...defined({ form: this.#parts.form }) });
    try {
      const pack = await this.#open().finally(() => {
        this.#built = undefined;
      });
      this.#built = pack;
      this.#isInput = oneOf([target.entry, ...pack.bundle.inputs]);
      const runnable = requireRunnable(pack, target, this.#runs.tools);
      const requirement = accountRequirement(pack.definition, runnable.definition.connectionRequirement);
      const panelAccounts = await this.#accounts.readAccounts(pack);
      this.#post({ type: "show", runnable, accountRequirement: requirement, target, ...panelAccounts });
      if (!this.#isShown) await this.#begin();
      return true;
    } catch (error) {
      this.#post({ type: "unavailable", error: shownReport(error) });
      return false;
    } finally {
      // A requested run must not start much later, when the pack builds again.
      this.#waiting = undefined;
    }
  }

  /** Called when the form is shown for the first time. */
  async #begin(): Promise<void> {
    this.#isShown = true;
    this.#sendHistory();
    await this.#startWaiting();
  }

  async #startWaiting(): Promise<void> {
    const { how, account } = this.#waiting ?? {};
    this.#waiting = undefined;
    // The run must not use the account that the form had before.
    if (account !== undefined && !(await this.#sendAccounts(account))) return;
    if (how !== undefined) this.#post({ type: "startNow", how });
  }

  async #choices(message: FromPanel & { type: "choices" }): Promise<void> {
    this.#searching?.abort();
    this.#searching = new AbortController();
    const { signal } = this.#searching;
    const { field, search } = message;
    try {
      const pack = await this.#open();
      const account = await this.#accounts.choose(pack, message.account);
      const choices = await findChoices(
        this.#target,
        message,
        timezone(),
        worldOf(pack, this.#services.host().fetch, {
          signal,
          ...worldSettings(),
          ...(account === undefined ? {} : { account: await runAccount(this.#services, pack, account, { signal, isQuiet: true }) }),
        }),
      );
      if (choices !== undefined) this.#post({ type: "choices", field, search, choices });
    } catch (error) {
      if (!signal.aborted) this.#post({ type: "choices", field, search, choices: [], problem: wholeMessage(reportOf(error)) });
    }
  }

  #recall(id: string): void {
    const report = this.#parts.history.report(id);
    if (report === undefined) return;
    this.#runs.show(report);
    this.#post({ type: "recalled", id, report });
  }

  async #rename(id: string): Promise<void> {
    const name = await prompter.input({
      title: "Name the run",
      value: this.#history().find((entry) => entry.id === id)?.name ?? "",
      prompt: "Leave it empty to remove the name.",
    });
    if (name !== undefined) await this.#parts.history.change(id, { name });
  }

  async #compare(ids: readonly string[]): Promise<void> {
    const [first, second] = ids.map((id) => this.#parts.history.report(id));
    if (first !== undefined && second !== undefined) await this.#parts.documents.compare(this.#target.name, first, second);
  }

  /** Makes an answer for the sandbox, or a schema, from a request of the report in view. */
  async #useRequest(message: FromPanel & { type: "addAnswer" | "useAnswer" | "makeSchema" }): Promise<void> {
    const { shownReport, record } = this.#runs;
    const request = shownReport?.requests.find(({ id }) => id === message.request);
    if (shownReport === undefined || request === undefined) return;
    const { server } = this.#services;
    switch (message.type) {
      case "addAnswer": {
        const { definition } = await this.#open();
        return addStub(server, this.#target.entry, request, expectedResult(shownReport, definition), message.isShown);
      }
      case "useAnswer":
        return writeStub(this.#target.entry, stubFromResponse(request, record && (await readWholeResponse(request, record))));
      case "makeSchema":
        return makeSchema(server, this.#target, await readSimilarResponses(request, record));
    }
  }

  async #handle(message: FromPanel): Promise<void> {
    const services = this.#services;
    const target = this.#target;
    const { history, documents } = this.#parts;
    switch (message.type) {
      case "ready":
        this.#isReady = true;
        this.#isShown = false;
        await this.#show();
        return;
      case "run":
      case "debug":
        return this.#runs.start(message);
      case "saveTest":
        return saveTest(services, target, message, {
          accounts: this.#accounts,
          documents,
          post: this.#post,
          record: this.#runs.record,
          recordedWith: this.#runs.recordedWith,
        });
      case "cancel":
        return this.#runs.cancel();
      case "connect":
        return this.#connect(message);
      case "choices":
        return this.#choices(message);
      case "open":
        return openLocation(message.location);
      case "openLink":
        await openWebPage(message.url);
        return;
      case "openConfiguration":
        return openConfiguration(services.server, target.entry, message.configPath);
      case "explain":
        return openDiagnosis(message.diagnosis);
      case "remedy":
        return message.remedy.kind === "grantAccess"
          ? this.#grantAccess(message.remedy)
          : applyRemedy(services, target.entry, message.remedy);
      case "openResult":
        if (this.#runs.shownReport !== undefined) await documents.open(target.name, this.#runs.shownReport);
        return;
      case "addAnswer":
      case "useAnswer":
      case "makeSchema":
        return this.#useRequest(message);
      case "copy":
        await vscode.env.clipboard.writeText(message.text);
        showForMoment(`Copied ${message.what} to the clipboard.`);
        return;
      case "save":
        return save(message);
      case "recall":
        return this.#recall(message.id);
      case "pin":
        return history.change(message.id, { pinned: message.pinned });
      case "rename":
        return this.#rename(message.id);
      case "forget":
        return history.remove(message.id);
      case "compare":
        return this.#compare(message.ids);
    }
  }
}

async function save({ name, text }: FromPanel & { type: "save" }): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  // The formula's name is untrusted, so it must stay one file name in this folder.
  const file = asLine(name).replaceAll(/[/\\]/g, "-");
  const uri = await vscode.window.showSaveDialog(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, file) });
  if (uri !== undefined) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}
