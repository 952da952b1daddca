// `packAuth.installToolkit`: installs the Packs SDK for a pack in a terminal, with the package manager of its folder.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { toolkitInstallation } from "../../platform/bundle/install-command.ts";
import { findToolkit } from "../../platform/bundle/toolkit.ts";
import type { InstallToolkitParams } from "../../protocol/editor.ts";
import type { Services } from "../services.ts";
import { showError, showInformation } from "../shown/messages.ts";
import { runInTerminal } from "../shown/terminal.ts";
import { toolkitModules } from "../window/settings.ts";
import { requireTrust } from "../window/trust.ts";
import { choosePack } from "./choose-pack.ts";

/** Returns whether the pack would find the SDK. */
export function hasToolkit(entry: string): boolean {
  try {
    findToolkit(entry, toolkitModules());
    return true;
  } catch {
    return false;
  }
}

/** Returns true if the SDK is installed afterwards. Reports the result, and offers to try again. */
export async function installToolkit(
  services: Pick<Services, "server" | "packInFront">,
  argument?: Partial<InstallToolkitParams>,
): Promise<boolean> {
  if (!(await requireTrust("Installing the Packs SDK"))) return false;
  const file = argument?.uri === undefined ? await choosePack(services, undefined) : vscode.Uri.parse(argument.uri).fsPath;
  if (file === undefined) return false;
  const folder = packageFolder(file);
  const installation = toolkitInstallation(folder, toolkitModules());
  if (installation === undefined) return false;
  for (;;) {
    if (await runInTerminal("Install the Packs SDK", folder, installation)) {
      // Not every editor watches the folders of packages.
      services.server.filesChanged([join(folder, "package.json")]);
      void showInformation("The Packs SDK is installed.");
      return true;
    }
    const again = "Try again";
    if ((await showError(`The Packs SDK was not installed. The terminal of ${installation.join(" ")} has the reason.`, again)) !== again)
      return false;
  }
}

/** Returns the nearest folder with a package.json, else the open folder. */
function packageFolder(file: string): string {
  const workspaceFolder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file))?.uri.fsPath;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder;
    if (folder === workspaceFolder || dirname(folder) === folder) return workspaceFolder ?? dirname(file);
  }
}
