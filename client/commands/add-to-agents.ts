// `packAuth.addToAgents`: writes the server into VS Code's own configuration, or shows the text for the configuration of another agent.
// No file outside of the workspace is written, and no other agent's.

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import * as vscode from "vscode";
import {
  AGENT_NAMES,
  AGENTS,
  type AgentAccess,
  type AgentName,
  agentConfiguration,
  SERVER_NAME,
  withServer,
} from "../../agents/agent-configuration.ts";
import { refuseForeignLink } from "../../platform/sandbox/stubs.ts";
import { showDocument, showNewDocument } from "../shown/items.ts";
import { confirm, showInformation, showWarning } from "../shown/messages.ts";
import { pick } from "../shown/questions.ts";
import { saveText } from "../window/save-document.ts";
import { chooseFolder, openFolders } from "./choose-folder.ts";

const TITLE = "Add to my agents";

export async function addToAgents(): Promise<void> {
  const name = await pick({
    title: TITLE,
    placeholder: "Which agent works on your packs?",
    items: AGENT_NAMES.map((value) => ({ label: AGENTS[value].label, description: AGENTS[value].file, value })),
  });
  if (name === undefined) return;
  const access = await chooseAccess();
  if (access === undefined) return;
  if (name === "vscode") await addToEditor(access);
  else await showConfiguration(name, access);
}

/** Returns "read" without asking if the workspace is not trusted: an agent may then run no code of it. */
async function chooseAccess(): Promise<AgentAccess | undefined> {
  if (!vscode.workspace.isTrusted) return "read";
  return pick<AgentAccess>({
    title: TITLE,
    placeholder: "Let agents run this pack's code?",
    items: [
      { label: "Check and explain only", detail: "Agents read the sources. No code of the packs runs.", value: "read" },
      {
        label: "Also run, test and drill in the sandbox",
        detail: "Adds --trust. A request with a real account still asks you first.",
        value: "run",
      },
    ],
  });
}

/** Throws storage-failed if the file is invalid or cannot be written. It is then unchanged. */
async function addToEditor(access: AgentAccess): Promise<void> {
  const folders = openFolders();
  if (folders.length === 0) {
    void showWarning("Open the folder of your packs first. VS Code reads the configuration of agents there.");
    return;
  }
  const folder = await chooseFolder(folders, TITLE);
  if (folder === undefined) return;
  const file = join(folder, AGENTS.vscode.file);
  refuseForeignLink(file);
  const uri = vscode.Uri.file(file);
  const before = existsSync(file) ? (await vscode.workspace.openTextDocument(uri)).getText() : "";
  const { text, change, start } = withServer(before, "vscode", access, file);
  const shownName = `${AGENTS.vscode.file} of ${basename(folder)}`;
  if (change === "replacement" && !(await confirm(`${shownName} has another entry ${SERVER_NAME}. Replace it?`, "Replace"))) return;
  if (!existsSync(file)) await vscode.workspace.fs.writeFile(uri, new Uint8Array());
  const document = await vscode.workspace.openTextDocument(uri);
  if (change !== "none") await saveText(document, text);
  const at = document.positionAt(start);
  await showDocument(uri, new vscode.Range(at, at));
  const verb = change === "none" ? "already has" : "has";
  void showInformation(`${shownName} ${verb} the server ${SERVER_NAME}. Start it there, and VS Code's agents get its tools.`);
}

async function showConfiguration(name: Exclude<AgentName, "vscode">, access: AgentAccess): Promise<void> {
  const { label, file, format } = AGENTS[name];
  const content = agentConfiguration(name, access);
  await vscode.env.clipboard.writeText(content);
  // The editor has no language for TOML.
  await showNewDocument(content, format === "json" ? "jsonc" : "ini");
  void showInformation(`Copied. Paste it into ${file} in the folder of your packs, and restart ${label}.`);
}
