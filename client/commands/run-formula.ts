// `packAuth.runFormula` and `packAuth.debugFormula`: the panel of the lens's formula, or of one that is picked, which begins at once with
// what its form holds.
import type { RunMode } from "../../protocol/panel.ts";
import type { FormulaPanels, RunnableArgument } from "../panel/formula-panel.ts";
import type { Services } from "../services.ts";
import { showInformation, showProgress } from "../shown/messages.ts";
import { type Choice, pick } from "../shown/questions.ts";
import { requireTrust } from "../trust.ts";
import { choosePack } from "./choose-pack.ts";

export async function runFormula(
  services: Services,
  panels: FormulaPanels,
  how: RunMode,
  argument?: Partial<RunnableArgument>,
): Promise<void> {
  if (!(await requireTrust(how === "run" ? "Running a formula" : "Debugging a formula"))) return;
  const entry = await choosePack(services, argument);
  if (entry === undefined) return;
  if (argument?.name !== undefined && argument.kind !== undefined) {
    panels.start({ entry, kind: argument.kind, name: argument.name }, how);
    return;
  }
  try {
    const pack = await showProgress("Building the pack…", () => services.packs.saveAndOpen(entry), { cancellable: false });
    const items: readonly Choice<Omit<RunnableArgument, "entry">>[] = [
      ...pack.definition.formulas.map((formula) => ({
        label: formula.name,
        description: "formula",
        detail: formula.description ?? "",
        value: { kind: "formula" as const, name: formula.name },
      })),
      ...pack.definition.syncTables.map((table) => ({
        label: table.name,
        description: "sync table",
        detail: table.description ?? "",
        value: { kind: "syncTable" as const, name: table.name },
      })),
    ];
    if (items.length === 0) {
      void showInformation("The pack has no formulas or sync tables.");
      return;
    }
    const picked = await pick({ placeholder: how === "run" ? "Which formula?" : "Which formula do you want to debug?", items });
    if (picked !== undefined) panels.start({ entry, ...picked }, how);
  } catch (error) {
    await services.showError(error, entry);
  }
}
