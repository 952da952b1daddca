// The language status of a pack's file: the SDK version that decides what is valid, and the test accounts of the pack. It also sets the
// context key that shows the Run button.
import * as vscode from "vscode";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { packAccounts } from "../../platform/team/team-account.ts";
import { needsSignIn } from "../../protocol/account-state.ts";
import { INSTALL_TOOLKIT_COMMAND, type InstallToolkitParams, type PackOutline, type ToolkitSummary } from "../../protocol/editor.ts";
import { accountState } from "../accounts/account-state.ts";
import type { Services } from "../services.ts";
import { type LanguageStatus, setLanguageStatus } from "../shown/items.ts";
import { setContext } from "../window/set-context.ts";

/** Shows the status only for files of packs. */
export function createLanguageStatus(services: Pick<Services, "server" | "accounts" | "packs" | "host">): vscode.Disposable {
  const { server, accounts } = services;
  const items = new Map<string, vscode.LanguageStatusItem>();
  const update = async (): Promise<void> => {
    const document = vscode.window.activeTextEditor?.document;
    const outline = document?.uri.scheme === "file" ? await server.outline(document.uri.toString()) : undefined;
    const ofAccounts = outline === undefined || outline.authentications.length === 0 ? undefined : await accountsLook(services, outline);
    // If another file became active in the meantime, its own update decides.
    if (document !== vscode.window.activeTextEditor?.document) return;
    setContext("isPackFile", outline !== undefined);
    show("packAuth.toolkit", document, outline && toolkitLook(outline.toolkit, { uri: String(document?.uri) }));
    show("packAuth.accountsStatus", document, ofAccounts);
  };
  function show(id: string, document: vscode.TextDocument | undefined, status: LanguageStatus | undefined): void {
    if (document === undefined || status === undefined) {
      items.get(id)?.dispose();
      items.delete(id);
      return;
    }
    const item = getOrInsert(items, id, () => vscode.languages.createLanguageStatusItem(id, {}));
    item.selector = { scheme: "file", pattern: new vscode.RelativePattern(vscode.Uri.joinPath(document.uri, ".."), "*") };
    setLanguageStatus(item, status);
  }
  const renew = (): void => void update().catch(() => {});
  renew();
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(renew),
    server.onOutlineChanged(renew),
    new vscode.Disposable(accounts.onDidChange(renew)),
    new vscode.Disposable(() => vscode.Disposable.from(...items.values()).dispose()),
  );
}

function toolkitLook({ version, install }: ToolkitSummary, argument: InstallToolkitParams): LanguageStatus {
  return {
    name: "Pack Auth: Packs SDK",
    text:
      version === undefined
        ? install === undefined
          ? "Packs SDK: built-in model"
          : "Packs SDK not installed: built-in model"
        : `Packs SDK ${version}`,
    // The text is short, so that the command beside it fits.
    detail: version === undefined ? "" : "used for all checks",
    isWarning: install !== undefined,
    ...(install === undefined
      ? {}
      : { action: { title: "Install in terminal", tooltip: install, command: INSTALL_TOOLKIT_COMMAND, argument } }),
  };
}

async function accountsLook(services: Pick<Services, "accounts" | "packs" | "host">, outline: PackOutline): Promise<LanguageStatus> {
  const entry = vscode.Uri.parse(outline.entry).fsPath;
  const accounts = await packAccounts(services.accounts, entry);
  const states = await Promise.all(accounts.map((account) => accountState(services, account, entry)));
  const signInCount = states.filter(needsSignIn).length;
  const [first] = accounts;
  return {
    name: "Pack Auth: test accounts",
    text:
      first === undefined ? "No test account" : accounts.length === 1 ? `Test account: ${first.label}` : `${accounts.length} test accounts`,
    detail: signInCount === 0 ? "" : accounts.length === 1 ? "sign in again" : `sign in again to ${signInCount}`,
    isWarning: signInCount > 0,
    action:
      first === undefined
        ? { title: "Connect", tooltip: "Connect test account", command: "packAuth.connectTestAccount", argument: { entry } }
        : { title: "Show", tooltip: "Show the accounts view", command: "packAuth.accounts.focus", argument: undefined },
  };
}
