// The composition root: makes the parts, gives each what it needs, and registers commands, lenses and views.
import * as vscode from "vscode";
import { openAccounts } from "../platform/accounts.ts";
import { addressToRegister } from "../platform/oauth/receiver.ts";
import { ACCOUNT_ACTIONS, type AccountNode, showAccountError } from "./commands/account-actions.ts";
import { addCredentials } from "./commands/add-oauth-credentials.ts";
import { type ConnectArgument, connectAccount } from "./commands/connect-account.ts";
import { debugFormula } from "./commands/debug-formula.ts";
import { importCredentials } from "./commands/import-credentials.ts";
import { runFormula } from "./commands/run-formula.ts";
import { type LanguageServer, startLanguageServer } from "./language-client.ts";
import { createLenses } from "./lenses.ts";
import { createPacks } from "./packs.ts";
import { createFormulaPanels } from "./panel/formula-panel.ts";
import { makeHost, redirectSettings, uriHandler } from "./platform-host.ts";
import type { Services } from "./services.ts";
import { createErrorReporter } from "./show-error.ts";
import { createAccountsView } from "./views/accounts-view.ts";
import { createSandboxView } from "./views/sandbox-view.ts";
import { createToolkitStatus } from "./views/toolkit-status.ts";
import { watchAccounts } from "./watch-accounts.ts";

let server: LanguageServer | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel("Pack Auth", { log: true });
  context.subscriptions.push(output);
  const started = startLanguageServer(context, (error) => {
    output.error(`The language server did not start: ${error instanceof Error ? error.message : String(error)}`);
    void vscode.window
      .showErrorMessage(
        "The language server did not start, so there are no diagnostics and lenses. Reload the window to try again.",
        "Reload",
        "Show log",
      )
      .then((choice) => (choice === "Reload" ? vscode.commands.executeCommand("workbench.action.reloadWindow") : choice && output.show()));
  });
  server = started;
  const packs = createPacks(context);
  const host = (progress: (message: string) => void = () => {}) => makeHost(context, (message) => output.info(message), progress);
  const services: Services = {
    context,
    server: started,
    packs,
    accounts: openAccounts(host()),
    showError: createErrorReporter(started, output, () => addressToRegister(redirectSettings(), host())),
    host,
  };

  const register = <T>(command: string, work: (argument: T) => Promise<unknown>): void => {
    context.subscriptions.push(
      vscode.commands.registerCommand(command, (argument: T) => work(argument).catch((error: unknown) => services.showError(error))),
    );
  };
  register<ConnectArgument | undefined>("packAuth.connectTestAccount", (argument) => connectAccount(services, asArgument(argument)));
  register<ConnectArgument | undefined>("packAuth.addSystemAuthentication", (argument) =>
    connectAccount(services, { ...asArgument(argument), scope: "system" }),
  );
  register<ConnectArgument | undefined>("packAuth.importToolkitCredentials", (argument) =>
    importCredentials(services, asArgument(argument)),
  );
  register<ConnectArgument | undefined>("packAuth.addOAuthCredentials", (argument) => addCredentials(services, asArgument(argument)));
  const panels = createFormulaPanels(services);
  register<Parameters<typeof runFormula>[2]>("packAuth.runFormula", (argument) => runFormula(services, panels, argument));
  register<Parameters<typeof debugFormula>[2]>("packAuth.debugFormula", (argument) => debugFormula(services, panels, argument));
  for (const [command, action] of Object.entries(ACCOUNT_ACTIONS))
    register<AccountNode | undefined>(command, async (node) => {
      if (node?.account !== undefined) await action(services, node).catch((error: unknown) => showAccountError(services, node, error));
    });
  context.subscriptions.push(vscode.window.registerUriHandler(uriHandler), watchAccounts(services.accounts, context));
  context.subscriptions.push(
    panels,
    createLenses(services),
    createAccountsView(services),
    createSandboxView(services),
    createToolkitStatus(started),
    {
      dispose: () => packs.dispose(),
    },
  );
  output.info("Pack Auth is ready.");
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** A tree node gives its pack; the palette gives nothing. */
function asArgument(argument: ConnectArgument | undefined): ConnectArgument | undefined {
  return argument?.entry === undefined
    ? undefined
    : {
        entry: argument.entry,
        ...(argument.scope === undefined ? {} : { scope: argument.scope }),
        ...(argument.account === undefined ? {} : { account: argument.account }),
      };
}
