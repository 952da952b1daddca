// `packAuth.runFormula` and `packAuth.debugFormula`: open the panel of a formula, from a lens or a list, and start a run with the values of
// its form.
import type { PackDefinition } from "../../protocol/definition.ts";
import type { RunMode, RunnableArgument } from "../../protocol/panel.ts";
import { choosePack } from "../commands/choose-pack.ts";
import type { Services } from "../services.ts";
import { showInformation } from "../shown/messages.ts";
import { openList } from "../shown/open-list.ts";
import type { Choice } from "../shown/questions.ts";
import { requireTrust } from "../window/trust.ts";
import type { FormulaPanels } from "./formula-panel.ts";
import { KINDS } from "./runnable.ts";

export async function runFormula(
  services: Services,
  panels: FormulaPanels,
  how: RunMode,
  argument?: Partial<RunnableArgument>,
): Promise<void> {
  if (!(await requireTrust(how === "run" ? "Running a formula" : "Debugging a formula"))) return;
  const { kind, name } = argument ?? {};
  if (kind !== undefined && name !== undefined) {
    const entry = await choosePack(services, argument);
    if (entry !== undefined) panels.start({ entry, kind, name }, how);
    return;
  }
  const placeholder = how === "run" ? "Which formula?" : "Which formula do you want to debug?";
  // The list opens at once, so that the person can type a name before the pack is built.
  const list = openList(placeholder);
  let entry: string | undefined;
  try {
    entry = await choosePack(services, argument, list.ask);
    if (entry === undefined) return;
    const { definition } = await services.packs.saveAndOpen(entry);
    const items = runnablesOf(definition);
    if (items.length === 0) {
      void showInformation("The pack has no formulas, sync tables or MCP servers.");
      return;
    }
    const picked = await list.ask({ placeholder, items });
    list.close();
    if (picked !== undefined) panels.start({ entry, ...picked }, how);
  } catch (error) {
    // A closed list means that the person cancelled.
    if (list.isClosed) return;
    list.close();
    await services.showError(error, entry);
  } finally {
    list.close();
  }
}

const runnablesOf = ({ formulas, syncTables, mcpServers = [] }: PackDefinition): readonly Choice<Omit<RunnableArgument, "entry">>[] => [
  ...formulas.map(({ name, description = "" }) => ({
    label: name,
    description: KINDS.formula,
    detail: description,
    value: { kind: "formula" as const, name },
  })),
  ...syncTables.map(({ name, description = "" }) => ({
    label: name,
    description: KINDS.syncTable,
    detail: description,
    value: { kind: "syncTable" as const, name },
  })),
  ...mcpServers.map(({ name, endpointUrl }) => ({
    label: name,
    description: KINDS.mcpServer,
    detail: endpointUrl,
    value: { kind: "mcpServer" as const, name },
  })),
];
