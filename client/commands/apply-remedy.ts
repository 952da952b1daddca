// Applies a remedy of an error after a click. An edit is shown, but neither saved nor run automatically.
import * as vscode from "vscode";
import { PackAuthError } from "../../platform/errors.ts";
import { type SandboxSwitches, SWITCHES_OFF } from "../../platform/sandbox/switches.ts";
import type { SimpleRemedy } from "../../protocol/run.ts";
import type { Services } from "../services.ts";
import { showDocument } from "../shown/items.ts";
import { showForMoment } from "../shown/messages.ts";
import { allowLoopback } from "../window/settings.ts";
import { installToolkit } from "./install-toolkit.ts";

type RemedyParts = Pick<Services, "server" | "packs" | "packInFront">;

/** Throws PackAuthError. */
export async function applyRemedy(parts: RemedyParts, entry: string, remedy: SimpleRemedy): Promise<void> {
  switch (remedy.kind) {
    case "addNetworkDomain":
      return addNetworkDomain(parts, entry, remedy.host);
    case "resetSwitches":
      return resetSwitches(parts, entry, remedy.switches);
    case "allowLoopback":
      await allowLoopback();
      return showForMoment("Requests to this machine are allowed. Run again.");
    case "installToolkit":
      await installToolkit(parts, { uri: vscode.Uri.file(entry).toString() });
  }
}

async function addNetworkDomain({ server }: RemedyParts, entry: string, host: string): Promise<void> {
  const edit = await server.declareDomain({ entry: vscode.Uri.file(entry).toString(), host });
  const [fileEdits] = edit?.entries() ?? [];
  if (edit === undefined || fileEdits === undefined || !(await vscode.workspace.applyEdit(edit)))
    throw new PackAuthError("configuration-invalid", `Pack Auth cannot add the domain of ${host}. The pack may declare it already.`, {
      hint: "Call pack.addNetworkDomain in the pack, or run again.",
    });
  const [uri, edits] = fileEdits;
  const at = edits[0]?.range.end ?? new vscode.Position(0, 0);
  // The edit follows another statement, so it begins on the next line.
  const line = new vscode.Position(at.line + (at.character === 0 ? 0 : 1), 0);
  await showDocument(uri, new vscode.Range(line, line));
  showForMoment("The network domain is declared. Run again.");
}

async function resetSwitches({ packs }: RemedyParts, entry: string, names: readonly string[]): Promise<void> {
  const isNamed = ([name]: [string, unknown]): boolean => names.includes(name);
  const switches: Partial<SandboxSwitches> = Object.fromEntries(Object.entries(SWITCHES_OFF).filter(isNamed));
  await packs.sandboxes.change({ entry, switches });
  showForMoment("The sandbox works again. Run again.");
}
