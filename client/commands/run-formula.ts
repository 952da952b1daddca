// `packAuth.runFormula`: opens the panel of the lens's formula, or of one that is picked.
import type { FormulaPanels, RunnableArgument } from "../panel/formula-panel.ts";
import type { Services } from "../services.ts";
import { showInformation, showProgress } from "../shown/messages.ts";
import { type Choice, pick } from "../shown/questions.ts";
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
    const picked = await pick({ placeholder: "Which formula?", items });
    if (picked !== undefined) panels.open({ entry, ...picked });
  } catch (error) {
    await services.showError(error, entry);
  }
}
