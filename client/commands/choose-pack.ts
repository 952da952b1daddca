// Chooses the pack of a command: the lens's pack, the one of the active editor or panel, the only one, or the person's choice.
import * as vscode from "vscode";
import { packName } from "../../platform/bundle/entry-file.ts";
import type { Services } from "../services.ts";
import { showInformation } from "../shown/messages.ts";
import { pick, type Question } from "../shown/questions.ts";

export interface PackArgument {
  /** Path of the pack's entry. */
  readonly entry?: string;
}

/** Returns the path of the entry; undefined if the person cancelled or there is no pack. */
export async function choosePack(
  services: Pick<Services, "server" | "packInFront">,
  argument: PackArgument | undefined,
  ask: <T>(question: Question<T>) => Promise<T | undefined> = pick,
): Promise<string | undefined> {
  if (argument?.entry !== undefined) return argument.entry;
  const active = vscode.window.activeTextEditor?.document.uri;
  const outline = active?.scheme === "file" ? await services.server.outline(active.toString()) : undefined;
  if (outline !== undefined) return vscode.Uri.parse(outline.entry).fsPath;
  const entryInFront = active === undefined ? services.packInFront() : undefined;
  if (entryInFront !== undefined) return entryInFront;
  const packs = await services.server.packs();
  const entries = packs.map((pack) => vscode.Uri.parse(pack.entry).fsPath);
  if (entries.length === 0) {
    void offerPack();
    return undefined;
  }
  if (entries.length === 1) return entries[0];
  return ask({
    placeholder: "Which pack?",
    items: entries.map((entry) => ({ label: packName(entry), description: vscode.workspace.asRelativePath(entry), value: entry })),
  });
}

async function offerPack(): Promise<void> {
  const create = "Create a pack";
  const pressed = await showInformation("Create a pack first. No file of this workspace calls newPack() of the Packs SDK.", create);
  if (pressed === create) await vscode.commands.executeCommand("packAuth.createPack");
}
