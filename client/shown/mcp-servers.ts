// Offers `pack-auth mcp` to the editor's agents, for each folder. It uses the accounts of the command line; the language model tools use
// those of the editor.
import * as vscode from "vscode";
import { PRODUCT_VERSION } from "../../base/product-version.ts";
import { AS_NODE, COMMAND_LINE } from "./command-line.ts";
import { asLine } from "./foreign-text.ts";

interface McpServers extends vscode.Disposable {
  /** Makes the editor ask for the servers again. */
  refresh(): void;
}

/** There are no servers while `isAsleep` returns true: the window has shown no sign of a pack. */
export function registerMcpServers(isAsleep: () => boolean): McpServers {
  // Some editors that are made from VS Code lack it.
  if (vscode.lm?.registerMcpServerDefinitionProvider === undefined) return { refresh() {}, dispose() {} };
  const changeEmitter = new vscode.EventEmitter<void>();
  const refresh = (): void => changeEmitter.fire();
  const registered = vscode.Disposable.from(
    changeEmitter,
    vscode.workspace.onDidGrantWorkspaceTrust(refresh),
    vscode.workspace.onDidChangeWorkspaceFolders(refresh),
    vscode.lm.registerMcpServerDefinitionProvider("packAuth.commandLine", {
      onDidChangeMcpServerDefinitions: changeEmitter.event,
      provideMcpServerDefinitions: () =>
        isAsleep() ? [] : (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file").map(serverIn),
    }),
  );
  return { refresh, dispose: () => registered.dispose() };
}

function serverIn({ name, uri }: vscode.WorkspaceFolder): vscode.McpStdioServerDefinition {
  const trust = vscode.workspace.isTrusted ? ["--trust"] : [];
  return new vscode.McpStdioServerDefinition(
    asLine(`Pack Auth in ${name} (accounts of the command line)`),
    process.execPath,
    [COMMAND_LINE, "mcp", ...trust, uri.fsPath],
    AS_NODE,
    PRODUCT_VERSION,
  );
}
