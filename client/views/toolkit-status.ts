// The language status item: which toolkit decides what is legal in the pack that is being edited, and how to install one that is missing.
import * as vscode from "vscode";
import { INSTALL_TOOLKIT_COMMAND, type InstallToolkitParams, type ToolkitSummary } from "../../protocol/editor.ts";
import type { LanguageServer } from "../language-client.ts";
import { type LanguageStatus, setLanguageStatus } from "../shown/items.ts";

/** Shown for files of packs alone. */
export function createToolkitStatus(server: LanguageServer): vscode.Disposable {
  let item: vscode.LanguageStatusItem | undefined;
  const update = async (): Promise<void> => {
    const document = vscode.window.activeTextEditor?.document;
    const toolkit = document?.uri.scheme === "file" ? (await server.outline(document.uri.toString()))?.toolkit : undefined;
    // Another file may have come to the front meanwhile: its own answer counts.
    if (document !== vscode.window.activeTextEditor?.document) return;
    if (document === undefined || toolkit === undefined) {
      item?.dispose();
      item = undefined;
      return;
    }
    item ??= vscode.languages.createLanguageStatusItem("packAuth.toolkit", {});
    item.selector = { scheme: "file", pattern: new vscode.RelativePattern(vscode.Uri.joinPath(document.uri, ".."), "*") };
    setLanguageStatus(item, look(toolkit, { uri: document.uri.toString() }));
  };
  const renew = (): void => void update().catch(() => {});
  const stopListening = server.onOutlineChanged(renew);
  renew();
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(renew),
    { dispose: stopListening },
    { dispose: () => item?.dispose() },
  );
}

function look({ version, install }: ToolkitSummary, argument: InstallToolkitParams): LanguageStatus {
  return {
    name: "Pack Auth: Packs SDK",
    text:
      version === undefined
        ? install === undefined
          ? "Packs SDK: built-in model"
          : "Packs SDK not installed: built-in model"
        : `Packs SDK ${version}`,
    // Short, or the command behind it does not fit.
    detail: version === undefined ? "" : "used for all checks",
    isWarning: install !== undefined,
    ...(install === undefined
      ? {}
      : { action: { title: "Install in terminal", tooltip: install, command: INSTALL_TOOLKIT_COMMAND, argument } }),
  };
}
