// `packAuth.debugFormula`: the formula's panel, which begins at once with what its form holds; what is missing is said there.
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
  panels.debug({ entry, kind, name });
}
