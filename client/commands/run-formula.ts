// `packAuth.runFormula`: opens the panel of the lens's formula, or of one that is picked.
import * as vscode from "vscode";
import type { FormulaPanels, RunnableArgument } from "../panel/formula-panel.ts";
import type { Services } from "../services.ts";
import { requireTrust } from "../trust.ts";
import { choosePack } from "./choose-pack.ts";

export async function runFormula(services: Services, panels: FormulaPanels, argument?: Partial<RunnableArgument>): Promise<void> {
  if (!(await requireTrust("Running a formula"))) return;
  const entry = await choosePack(services, argument);
  if (entry === undefined) return;
  if (argument?.name !== undefined && argument.kind !== undefined) {
    panels.open({ entry, kind: argument.kind, name: argument.name });
    return;
  }
  try {
    const pack = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: "Building the pack…" }, () =>
      services.packs.saveAndOpen(entry),
    );
    const items = [
      ...pack.definition.formulas.map((formula) => ({
        label: formula.name,
        description: "formula",
        detail: formula.description ?? "",
        runnable: "formula" as const,
      })),
      ...pack.definition.syncTables.map((table) => ({
        label: table.name,
        description: "sync table",
        detail: table.description ?? "",
        runnable: "syncTable" as const,
      })),
    ];
    if (items.length === 0) {
      void vscode.window.showInformationMessage("The pack has no formulas or sync tables.");
      return;
    }
    const picked = await vscode.window.showQuickPick(items, { placeHolder: "Which formula?", ignoreFocusOut: true });
    if (picked !== undefined) panels.open({ entry, kind: picked.runnable, name: picked.label });
  } catch (error) {
    await services.showError(error, entry);
  }
}
