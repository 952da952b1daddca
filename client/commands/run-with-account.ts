// The button that runs part of a pack with an account. It follows a sign-in, and replaces the test if the pack has no getConnectionName.
import * as vscode from "vscode";
import type { Account } from "../../platform/accounts/accounts.ts";
import type { PackDefinition, ParameterDefinition } from "../../protocol/definition.ts";
import type { RunnableArgument } from "../../protocol/panel.ts";
import { rememberAccount } from "../accounts/last-account.ts";
import type { Services } from "../services.ts";
import type { Actions } from "../window/show-error.ts";

/** Returns the button, or no button if nothing in the pack reads with an account. */
export function runWithAccount(services: Services, account: Account, entry: string): Actions {
  const runnable = runnableToTry(services.packs.definition(entry));
  if (runnable === undefined) return {};
  return {
    [`Run ${runnable.name}`]: async () => {
      await rememberAccount(services, account);
      await vscode.commands.executeCommand("packAuth.runFormula", { entry, ...runnable });
    },
  };
}

/**
 * Prefers a formula or table without required parameters, which gives a result at once. Actions change data, so they are never proposed.
 */
function runnableToTry(definition: PackDefinition | undefined): Omit<RunnableArgument, "entry"> | undefined {
  if (definition === undefined) return undefined;
  const { formulas, syncTables, mcpServers = [] } = definition;
  const readers = [
    ...formulas.filter(({ isAction }) => !isAction).map((formula) => ({ ...formula, kind: "formula" as const })),
    ...syncTables.map((table) => ({ ...table, kind: "syncTable" as const })),
  ].filter(({ connectionRequirement }) => connectionRequirement !== "none");
  const isOptional = ({ optional, suggestedValue }: ParameterDefinition): boolean => optional || suggestedValue !== undefined;
  const reader = readers.find(({ parameters }) => parameters.every(isOptional)) ?? readers[0];
  if (reader !== undefined) return { kind: reader.kind, name: reader.name };
  const [server] = mcpServers;
  return server === undefined ? undefined : { kind: "mcpServer", name: server.name };
}
