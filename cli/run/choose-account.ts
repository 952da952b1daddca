// Chooses the account of a run: of the environment, stored on this machine, or of the account file beside the pack.
import type { RunAccount } from "../../platform/accounts/run-account.ts";
import type { Pack } from "../../platform/process/pack.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { UsageError } from "../usage-error.ts";
import { accountFromEnvironment, incompleteAccount, inWords } from "./environment-account.ts";
import { fileAccountCalled, useFileAccount } from "./file-account.ts";
import { storedAccount } from "./stored-account.ts";

export interface ChosenAccount {
  readonly account: RunAccount | undefined;
  /** The variables that contain the credential, if the account is of the environment. */
  readonly variables: readonly string[];
  /** The variables that a complete account of the environment lacks. */
  readonly missingVariables: readonly string[];
}

/**
 * Returns the account with the label, or without one the account that a run uses by default. `definition` contains the authentications to
 * use. Throws UsageError if there is no account with the label, and PackAuthError.
 */
export async function chooseAccount(
  pack: Pack,
  definition: PackDefinition,
  label: string | undefined,
  signal: AbortSignal,
): Promise<ChosenAccount> {
  const scopes = scopesOf(definition);
  const inFile = label === undefined ? undefined : fileAccountCalled(pack.entry, label, scopes);
  // An account of the file says itself which variables it reads, so the environment has no other account with its label.
  if (inFile !== undefined) {
    const account = (await storedAccount(pack, label, scopes)) ?? (await useFileAccount(pack, inFile, signal));
    return { account, variables: [], missingVariables: [] };
  }
  const { account: environmentAccount, missingVariables, incomplete, variables } = accountFromEnvironment(definition, label, process.env);
  if (environmentAccount === undefined && incomplete.length > 0) throw incompleteAccount(incomplete);
  const account = environmentAccount ?? (await storedAccount(pack, label, scopes));
  if (label !== undefined && account === undefined)
    throw new UsageError(
      missingVariables.length === 0
        ? `There is no account ${label}: the pack has no authentication, and takes none.`
        : `There is no account ${label}, stored or in the environment. Connect one with pack-auth connect, or set ${inWords(missingVariables)}.`,
    );
  return { account, variables, missingVariables };
}

/** Returns the scopes that the pack still declares: an account of another scope is useless. */
const scopesOf = (definition: PackDefinition): readonly AuthScope[] =>
  (["user", "system"] as const).filter((scope) => definition[`${scope}Authentication`] !== undefined);
