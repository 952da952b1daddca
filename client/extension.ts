// The composition root: creates the parts and passes their dependencies. activation.ts loads it when a pack is found or a command is used.

import type { ChildProcess } from "node:child_process";
import * as vscode from "vscode";
import { defined } from "../base/defined.ts";
import { errorMessage } from "../base/error-message.ts";
import { openAccounts } from "../platform/accounts/accounts.ts";
import { addressToRegister } from "../platform/oauth/receiver.ts";
import { CHANGE_TYPE_COMMAND, type ChangeTypeParams } from "../protocol/editor.ts";
import { watchAccounts } from "./accounts/watch-accounts.ts";
import { AgentSessions } from "./agents/agent-sessions.ts";
import type { CallTool } from "./agents/language-model-tools.ts";
import { ACCOUNT_ACTIONS, showAccountError } from "./commands/account-actions.ts";
import { addCredentials } from "./commands/add-oauth-credentials.ts";
import { addToAgents } from "./commands/add-to-agents.ts";
import { addToken, removeToken } from "./commands/api-token.ts";
import { applyRemedy } from "./commands/apply-remedy.ts";
import { changeType } from "./commands/change-type.ts";
import { compareWithPublished, sendClientCredentials } from "./commands/compare-with-published.ts";
import { type ConnectArgument, connectAccount } from "./commands/connect-account.ts";
import { fixAll } from "./commands/fix-all.ts";
import { forgetEvidence } from "./commands/forget-evidence.ts";
import { importCredentials } from "./commands/import-credentials.ts";
import type { AccountNode } from "./commands/in-pack.ts";
import { installToolkit } from "./commands/install-toolkit.ts";
import { openExamples } from "./commands/open-examples.ts";
import type { PaletteCommand } from "./commands/palette-commands.ts";
import type { AccountCommand } from "./commands/rows-of-actions.ts";
import { uploadPack } from "./commands/upload-pack.ts";
import { keepContextKeys } from "./context-keys.ts";
import { sendEvidence } from "./evidence.ts";
import { createLenses } from "./lenses/lenses.ts";
import { createPacks } from "./packs/packs.ts";
import { FormulaPanels } from "./panel/formula-panel.ts";
import { runFormula } from "./panel/run-formula.ts";
import { tryServer } from "./panel/try-server.ts";
import { PreflightPages } from "./preflight/preflight-pages.ts";
import type { Services } from "./services.ts";
import { createPack } from "./setup/create-pack.ts";
import { setUpAuthentication } from "./setup/set-up.ts";
import { type Log, openLog, showError, showInformation } from "./shown/messages.ts";
import { createVirtualTexts, type VirtualTexts } from "./shown/virtual-texts.ts";
import { showSavedTests } from "./testing/saved-tests.ts";
import { type AccountsTree, createAccountsView } from "./views/accounts-view.ts";
import { chooseRow } from "./views/choose-row.ts";
import { createLanguageStatus } from "./views/language-status.ts";
import { createPlatformView, type PlatformView } from "./views/platform-view.ts";
import { createSandboxView } from "./views/sandbox-view.ts";
import { createEditorCallbacks } from "./window/editor-callbacks.ts";
import { LanguageServer } from "./window/language-client.ts";
import { openWalkthroughOnce } from "./window/open-walkthrough.ts";
import { makeHost, openedAddress } from "./window/platform-host.ts";
import { startServerProcess } from "./window/server-process.ts";
import { redirectSettings } from "./window/settings.ts";
import { createErrorReporter } from "./window/show-error.ts";
import { SignIns } from "./window/sign-ins.ts";

/** The interface that activation.ts uses after loading. */
export interface Extension {
  run(command: PaletteCommand, argument: unknown): Promise<unknown>;
  readonly accounts: vscode.TreeDataProvider<unknown>;
  restorePanel(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
  handleUri(uri: vscode.Uri): Promise<void>;
  readonly callTool: CallTool;
  stop(): Promise<void>;
}

export function openExtension(context: vscode.ExtensionContext, accountsTree: AccountsTree, serverProcess: ChildProcess): Extension {
  const output = openLog("Pack Auth");
  context.subscriptions.push(output);
  const server = new LanguageServer(
    serverProcess,
    () => startServerProcess(context),
    (error) => {
      output.error(`The language server did not start: ${errorMessage(error)}`);
      void showError(
        "Reload the window to start the language server again. Without it there are no diagnostics and code lenses.",
        "Reload",
        "Show log",
      ).then((choice) => (choice === "Reload" ? vscode.commands.executeCommand("workbench.action.reloadWindow") : choice && output.show()));
    },
  );
  const packs = createPacks(context, (message) => output.info(message));
  const callbacks = createEditorCallbacks(context.secrets);
  context.subscriptions.push(callbacks);
  const host = (progress: (message: string) => void = () => {}) =>
    makeHost(context, callbacks, (message) => output.info(message), progress);
  const signIns = new SignIns();
  const packInFront = (): string | undefined => panels.packInFront();
  const services: Services = {
    context,
    server,
    packs,
    signIns,
    accounts: openAccounts(host()),
    showError: createErrorReporter(
      server,
      output,
      () => addressToRegister(redirectSettings(), host()),
      (entry, remedy) => applyRemedy({ server, packs, packInFront }, entry, remedy),
    ),
    packInFront,
    host,
  };

  const panels = new FormulaPanels(services);
  const agents = new AgentSessions(services);
  const setupTexts = createVirtualTexts();
  const preflightPages = new PreflightPages(services);
  const platformView = createPlatformView(services, panels);
  const commands = paletteCommands(services, { panels, preflightPages, platformView, setupTexts, log: output });
  // Only a code action can provide the argument.
  context.subscriptions.push(
    vscode.commands.registerCommand(CHANGE_TYPE_COMMAND, (argument: ChangeTypeParams) =>
      changeType(services, argument).catch((error: unknown) => services.showError(error)),
    ),
  );
  context.subscriptions.push(...registerAccountActions(services));
  const accounts = createAccountsView(services, accountsTree);
  context.subscriptions.push(
    panels,
    preflightPages,
    setupTexts,
    createLenses(services),
    accounts,
    watchAccounts(services.accounts, context),
    sendEvidence(services),
    createSandboxView(services),
    platformView,
    createLanguageStatus(services),
    showSavedTests(services),
    keepContextKeys(services),
    signIns,
    packs,
  );
  output.info("Pack Auth is ready.");
  void openWalkthroughOnce(context);
  return {
    run: (command, argument) => commands[command](argument).catch((error: unknown) => services.showError(error)),
    accounts: accounts.provider,
    restorePanel: (panel, state) => panels.restore(panel, state),
    handleUri: (uri) => callbacks.handleUri(openedAddress(uri)),
    callTool: (tool, input, signal) => agents.call(tool, input, signal),
    stop: () => server.stop(),
  };
}

type PaletteCommands = Readonly<Record<PaletteCommand, (argument: unknown) => Promise<unknown>>>;

interface CommandParts {
  readonly panels: FormulaPanels;
  readonly preflightPages: PreflightPages;
  readonly platformView: PlatformView;
  readonly setupTexts: VirtualTexts;
  readonly log: Log;
}

const paletteCommands = (services: Services, { panels, preflightPages, platformView, setupTexts, log }: CommandParts): PaletteCommands => ({
  "packAuth.connectTestAccount": (argument) => connectAccount(services, asArgument(argument)),
  "packAuth.cancelSignIn": () => services.signIns.cancel(),
  "packAuth.addSystemAuthentication": (argument) => connectAccount(services, { ...asArgument(argument), scope: "system" }),
  "packAuth.importToolkitCredentials": (argument) => importCredentials(services, asArgument(argument)),
  "packAuth.addOAuthCredentials": (argument) => addCredentials(services, asArgument(argument)),
  "packAuth.addApiToken": () => addToken(services),
  "packAuth.removeApiToken": () => removeToken(services),
  "packAuth.compareWithPublished": (argument) => compareWithPublished(services, setupTexts, asArgument(argument)),
  "packAuth.sendClientCredentials": (argument) => sendClientCredentials(services, asArgument(argument)),
  "packAuth.runFormula": (argument) => runFormula(services, panels, "run", argument as Parameters<typeof runFormula>[3]),
  "packAuth.debugFormula": (argument) => runFormula(services, panels, "debug", argument as Parameters<typeof runFormula>[3]),
  "packAuth.tryServer": (argument) => tryServer(services, panels, argument as Parameters<typeof tryServer>[2]),
  "packAuth.preflight": (argument) => preflightPages.show(argument as Parameters<typeof preflightPages.show>[0]),
  "packAuth.uploadPack": (argument) => uploadPack(services, asArgument(argument)),
  "packAuth.installToolkit": (argument) => installToolkit(services, argument as Parameters<typeof installToolkit>[1]),
  "packAuth.fixAll": () => fixAll(services),
  "packAuth.createPack": () => createPack(services, panels, setupTexts),
  "packAuth.setUpAuthentication": (argument) => setUpAuthentication(services, panels, setupTexts, asArgument(argument)),
  "packAuth.addToAgents": () => addToAgents(),
  "packAuth.openExamples": () => openExamples(services.context),
  "packAuth.restartLanguageServer": async () => {
    await services.server.restart();
    void showInformation("The language server restarted.");
  },
  "packAuth.openDocumentation": async () =>
    vscode.commands.executeCommand("markdown.showPreview", vscode.Uri.joinPath(services.context.extensionUri, "README.md")),
  "packAuth.forgetEvidence": () => forgetEvidence(services),
  "packAuth.showProductionLogs": (argument) => platformView.show(asArgument(argument)),
  "packAuth.chooseLogSource": (argument) => platformView.chooseSource(asArgument(argument)),
  "packAuth.showLog": async () => log.show(),
});

const registerAccountActions = (services: Services): readonly vscode.Disposable[] =>
  (Object.keys(ACCOUNT_ACTIONS) as AccountCommand[]).map((command) =>
    vscode.commands.registerCommand(command, async (row: AccountNode | undefined) => {
      const node = await chooseRow(services, command, row);
      if (node !== undefined)
        await ACCOUNT_ACTIONS[command](services, node).catch((error: unknown) => showAccountError(services, node, error));
    }),
  );

/** Reads the argument of a command: a tree node names its pack, the palette passes nothing. */
function asArgument(value: unknown): ConnectArgument | undefined {
  const argument = value as ConnectArgument | undefined;
  return argument?.entry === undefined
    ? undefined
    : { entry: argument.entry, ...defined({ scope: argument.scope, account: argument.account }) };
}
