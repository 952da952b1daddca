// `packAuth.debugFormula`: the formula's panel, which begins at once where nothing has to be filled in.
import * as vscode from "vscode";
import type { FormulaPanels, RunnableArgument } from "../panel/formula-panel.ts";
import type { Services } from "../services.ts";
import { requireTrust } from "../trust.ts";
import { runFormula } from "./run-formula.ts";

export async function debugFormula(services: Services, panels: FormulaPanels, argument?: Partial<RunnableArgument>): Promise<void> {
  const { entry, kind, name } = argument ?? {};
  // Without a formula it is picked as for a run; its panel has the button.
  if (entry === undefined || kind === undefined || name === undefined) return runFormula(services, panels, argument);
  if (!(await requireTrust("Debugging a formula"))) return;
  panels.open({ entry, kind, name });
  const pack = await services.packs.saveAndOpen(entry);
  const candidates = kind === "formula" ? pack.definition.formulas : pack.definition.syncTables;
  const needed = candidates.find((candidate) => candidate.name === name)?.parameters.filter((parameter) => !parameter.optional) ?? [];
  if (needed.length === 0) panels.debug({ entry, kind, name });
  else
    void vscode.window.showInformationMessage(
      `Fill in ${needed.map((parameter) => parameter.name).join(", ")}, then press Debug in the panel.`,
    );
}
