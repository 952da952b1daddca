// Chooses the account of a run: of the environment, stored on this machine, or of the account file beside the pack.
import { basename } from "node:path";
import type { Account } from "../../platform/accounts/account-files.ts";
import { isCalled, withId } from "../../platform/accounts/account-name.ts";
import type { RunAccount } from "../../platform/accounts/run-account.ts";
import { wholeMessage } from "../../platform/errors.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { teamAccounts } from "../../platform/team/team-account.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { ACCOUNT_FILE } from "../../spec/account-file.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../usage-error.ts";
import { accountFromEnvironment, incompleteAccount, inWords } from "./environment-account.ts";
import { fileAccounts } from "./file-account.ts";
import { openAccount, storedAccounts } from "./pack-accounts.ts";

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
  terminal: Terminal,
  pack: Pack,
  definition: PackDefinition,
  label: string | undefined,
  signal: AbortSignal,
): Promise<ChosenAccount> {
  const scopes = scopesOf(definition);
  const isCandidate = (account: Account): boolean => scopes.includes(account.scope) && (label === undefined || isCalled(account, label));
  // Only a person's choice reads references.
  const ofFile = label === undefined ? [] : fileAccounts(terminal, pack.entry).filter(isCandidate);
  // An account of the file says itself which variables it reads, so the environment has no other account with its label.
  const environment = ofFile.length > 0 ? NO_ENVIRONMENT : accountFromEnvironment(definition, label, terminal.environment);
  const { account: environmentAccount, missingVariables, incomplete, variables } = environment;
  if (environmentAccount === undefined && incomplete.length > 0) throw incompleteAccount(incomplete);
  if (environmentAccount !== undefined) return { account: environmentAccount, variables, missingVariables };
  const listed = onlyOne((await storedAccounts(terminal, pack)).filter(isCandidate)) ?? onlyOne(ofFile);
  if (label !== undefined && listed === undefined)
    throw new UsageError(
      missingVariables.length === 0
        ? `There is no account ${label}: the pack has no authentication, and takes none.`
        : `There is no account ${label}, stored, in the environment or in a ${ACCOUNT_FILE} beside ${basename(pack.entry)}. Connect one with pack-auth connect, or set ${inWords(missingVariables)}.`,
    );
  return { account: listed && (await openAccount(terminal, pack, listed, signal)), variables, missingVariables };
}

const NO_ENVIRONMENT: ReturnType<typeof accountFromEnvironment> = { missingVariables: [], incomplete: [], variables: [] };

/** The most labels in a hint. */
const MOST_LABELS = 10;

/**
 * Returns the sentence that names the accounts of the account file after a hint about other accounts, or why the file is broken. Empty if it
 * has no account.
 */
export function fileAccountsHint(entry: string): string {
  const { accounts, problem } = teamAccounts(entry);
  if (problem !== undefined) return ` ${wholeMessage(problem)}`;
  const labels = accounts.map(({ label }) => label);
  if (labels.length === 0) return "";
  return ` Or choose an account of ${ACCOUNT_FILE} with --account: ${labels.slice(0, MOST_LABELS).join(", ")}${labels.length > MOST_LABELS ? ", …" : ""}.`;
}

/** Returns the only account; user accounts win over system accounts. Throws UsageError if there are several. */
function onlyOne(accounts: readonly Account[]): Account | undefined {
  const ofUser = accounts.filter(({ scope }) => scope === "user");
  const candidates = ofUser.length > 0 ? ofUser : accounts;
  if (candidates.length > 1)
    throw new UsageError(
      `The pack has several accounts: ${candidates.map(withId).join(", ")}. Choose one with --account, by its label or ID.`,
    );
  return candidates[0];
}

/** Returns the scopes that the pack still declares: an account of another scope is useless. */
const scopesOf = (definition: PackDefinition): readonly AuthScope[] =>
  (["user", "system"] as const).filter((scope) => definition[`${scope}Authentication`] !== undefined);
