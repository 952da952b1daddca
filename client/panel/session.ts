// The host side of one formula panel: sends the formula and its accounts, and handles the panel's requests.
// Invariant: messages to the webview hold labels, ids and masked reports; never a credential.

import * as vscode from "vscode";
import { defined } from "../../base/defined.ts";
import type { Account } from "../../platform/accounts/accounts.ts";
import { reportOf } from "../../platform/errors.ts";
import { isSameFile, oneOf } from "../../platform/files/file-names.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { readSimilarResponses, readWholeResponse } from "../../platform/recordings/record-run.ts";
import { expectedResult } from "../../platform/sandbox/propose-stub.ts";
import { stubFromResponse } from "../../platform/sandbox/stub-from-response.ts";
import { stubsFilePath } from "../../platform/sandbox/stubs.ts";
import { changesData } from "../../protocol/definition.ts";
import type { FromPanel, RunMode, RunnableArgument } from "../../protocol/panel.ts";
import type { Remedy } from "../../protocol/run.ts";
import { runAccount } from "../accounts/run-account.ts";
import { addStub, writeStub } from "../commands/add-stub.ts";
import { applyRemedy } from "../commands/apply-remedy.ts";
import { makeSchema } from "../commands/make-schema.ts";
import { packName } from "../packs/pack-name.ts";
import { watchSources } from "../packs/watch-sources.ts";
import type { Services } from "../services.ts";
import { runSettings } from "../settings.ts";
import { openConfiguration, openDiagnosis, openLocation } from "../show-error.ts";
import { asLine } from "../shown/foreign-text.ts";
import { showForMoment, showInformation } from "../shown/messages.ts";
import { prompter } from "../shown/questions.ts";
import { openWebPage } from "../shown/web-page.ts";
import { findChoices } from "./choices.ts";
import { accountRequirement } from "./choose-account.ts";
import { accountsOfPanel } from "./panel-accounts.ts";
import { createPanelRuns } from "./panel-runs.ts";
import { runnableKeyOf } from "./run-history.ts";
import { requireRunnable } from "./runnable.ts";
import { saveTest } from "./save-test.ts";
import type { SessionParts } from "./session-parts.ts";

const RUN_AGAIN = "Run again";

export function startSession(services: Services, target: RunnableArgument, parts: SessionParts) {
  const { history, documents } = parts;
  let { isReady } = parts;
  let isOver = false;
  const post: SessionParts["post"] = (message) => {
    if (!isOver) parts.post(message);
  };
  const runnableKey = runnableKeyOf(target);
  const accounts = accountsOfPanel(services, target);
  const runs = createPanelRuns(services, target, { history, post }, accounts);
  let searching: AbortController | undefined;
  /** The pack of the form; undefined while it cannot be built. */
  let built: Pack | undefined;
  let isInput: ReturnType<typeof oneOf> = () => false;
  let isShown = false;
  /** The run to start once the form is ready. */
  let waiting: RunMode | undefined;

  // Building the pack and opening the panel take equally long, so they run at the same time. Errors are reported when the form is
  // requested.
  services.packs.open(target.entry).catch(() => {});

  const sendHistory = (): void => post({ type: "history", entries: history.list(runnableKey) });
  // If the pack cannot be built, any file may fix it.
  const isSource = (path: string): boolean => built === undefined || isInput(path);
  const listeners = vscode.Disposable.from(
    new vscode.Disposable(services.accounts.onDidChange(() => void sendAccounts())),
    new vscode.Disposable(history.onDidChange(sendHistory)),
    watchSources(target.entry, isSource, () => void follow()),
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      if (isSameFile(uri.fsPath, stubsFilePath(target.entry))) post({ type: "saved" });
    }),
  );

  /** Updates the form after a change of the pack's files. A change may be reported twice, and may leave the pack as it is. */
  async function follow(): Promise<void> {
    const before = built;
    if ((await show()) && built !== before) post({ type: "saved" });
  }

  /** If the pack does not build, the accounts are sent once it builds again. */
  const sendAccounts = (connected?: Account): Promise<void> =>
    services.packs.open(target.entry).then(
      async (pack) => post({ type: "accounts", ...(await accounts.readAccounts(pack)), ...defined({ connected: connected?.id }) }),
      () => {},
    );

  async function connect(message: FromPanel & { type: "connect" }): Promise<void> {
    const account = await accounts.connect(message);
    if (account !== undefined) await sendAccounts(account);
  }

  /** Signs in again for more access and repeats the run, as the platform does. An action is repeated only if the author confirms. */
  async function grantAccess({ account: id, scopes }: Remedy & { readonly kind: "grantAccess" }): Promise<void> {
    const account = await accounts.connect({ scope: "user", account: id }, scopes);
    if (account === undefined) return;
    await sendAccounts(account);
    const { definition } = await services.packs.open(target.entry);
    const again = changesData(definition, target)
      ? await showInformation(`${asLine(account.label)} has more access.`, RUN_AGAIN)
      : RUN_AGAIN;
    if (again === RUN_AGAIN && !isOver) post({ type: "startNow", how: "run" });
  }

  /** Shows the form for the current pack; returns false and shows the reason if that is not possible. */
  async function show(): Promise<boolean> {
    post({ type: "loading", pack: packName(target.entry), target, ...defined({ form: parts.form }) });
    try {
      const pack = await services.packs.open(target.entry).finally(() => {
        built = undefined;
      });
      built = pack;
      isInput = oneOf([target.entry, ...pack.bundle.inputs]);
      const runnable = requireRunnable(pack, target, runs.tools);
      const requirement = accountRequirement(pack.definition, runnable.definition.connectionRequirement);
      const panelAccounts = await accounts.readAccounts(pack);
      post({ type: "show", runnable, accountRequirement: requirement, target, ...panelAccounts });
      if (!isShown) begin();
      return true;
    } catch (error) {
      post({ type: "unavailable", error: reportOf(error) });
      return false;
    } finally {
      // A requested run must not start much later, when the pack builds again.
      waiting = undefined;
    }
  }

  /** Called when the form is shown for the first time. */
  function begin(): void {
    isShown = true;
    sendHistory();
    if (waiting !== undefined) post({ type: "startNow", how: waiting });
  }

  async function choices(message: FromPanel & { type: "choices" }): Promise<void> {
    searching?.abort();
    const abort = new AbortController();
    searching = abort;
    const { field, search } = message;
    try {
      const pack = await services.packs.open(target.entry);
      const account = await accounts.choose(pack, message.account);
      const matchingChoices = await findChoices(pack, target, message, {
        fetch: services.host().fetch,
        signal: abort.signal,
        ...runSettings(),
        ...(account === undefined ? {} : { account: await runAccount(services, pack, account) }),
      });
      if (matchingChoices !== undefined) post({ type: "choices", field, search, choices: matchingChoices });
    } catch (error) {
      if (!abort.signal.aborted) post({ type: "choices", field, search, choices: [], problem: reportOf(error).message });
    }
  }

  function recall(id: string): void {
    const report = history.report(id);
    if (report === undefined) return;
    runs.show(report);
    post({ type: "recalled", id, report });
  }

  async function rename(id: string): Promise<void> {
    const historyEntry = history.list(runnableKey).find((entry) => entry.id === id);
    const name = await prompter.input({
      title: "Name the run",
      value: historyEntry?.name ?? "",
      prompt: "Leave it empty to remove the name.",
    });
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
        isReady = true;
        isShown = false;
        await show();
        return;
      case "run":
      case "debug":
        return runs.start(message);
      case "saveTest":
        return saveTest(services, target, message, { accounts, documents, post, record: runs.record });
      case "cancel":
        runs.cancel();
        return;
      case "connect":
        return connect(message);
      case "choices":
        return choices(message);
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
        return message.remedy.kind === "grantAccess" ? grantAccess(message.remedy) : applyRemedy(services, target.entry, message.remedy);
      case "openResult":
        if (runs.shownReport !== undefined) await documents.open(target.name, runs.shownReport);
        return;
      case "addAnswer": {
        const { shownReport } = runs;
        const request = shownReport?.requests.find(({ id }) => id === message.request);
        if (shownReport !== undefined && request !== undefined)
          await addStub(
            services.server,
            target.entry,
            request,
            expectedResult(shownReport, (await services.packs.open(target.entry)).definition),
            message.isShown,
          );
        return;
      }
      case "useAnswer":
      case "makeSchema": {
        const { shownReport, record } = runs;
        const request = shownReport?.requests.find(({ id }) => id === message.request);
        if (request === undefined) return;
        return message.type === "useAnswer"
          ? writeStub(target.entry, stubFromResponse(request, record && (await readWholeResponse(request, record))))
          : makeSchema(services.server, target, await readSimilarResponses(request, record));
      }
      case "copy":
        await vscode.env.clipboard.writeText(message.text);
        showForMoment(`Copied ${message.what} to the clipboard.`);
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
    /** Runs or debugs with the values of the form, as soon as the form is ready. If a value is missing, the form waits for the author. */
    start(how: RunMode) {
      if (isShown) {
        post({ type: "startNow", how });
        return;
      }
      waiting = how;
      if (isReady) void show();
    },
    isRunning: () => runs.isRunning(),
    stop() {
      isOver = true;
      runs.cancel();
      searching?.abort();
      listeners.dispose();
    },
  };
}

async function save({ name, text }: FromPanel & { type: "save" }): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  // The formula's name is untrusted, so it must stay one file name in this folder.
  const file = asLine(name).replaceAll(/[/\\]/g, "-");
  const uri = await vscode.window.showSaveDialog(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, file) });
  if (uri !== undefined) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}
