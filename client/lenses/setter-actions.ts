// Decides which lenses a setter has: the sign-in button for the state of its accounts, the credentials button, and the accounts. Pure, so
// that it can be tested without an editor.
import { defined } from "../../base/defined.ts";
import { shownLabel } from "../../platform/accounts/account-name.ts";
import type { Account } from "../../platform/accounts/accounts.ts";
import { type AccountState, needsSignIn, stateText } from "../../protocol/account-state.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { ACCOUNT_FILE } from "../../spec/account-file.ts";
import { hasSignIn, isOAuthType } from "../../spec/auth-types.ts";
import type { LensAction } from "../shown/items.ts";

export interface SetterFacts {
  /** Path of the pack's entry. */
  readonly entry: string;
  readonly scope: AuthScope;
  /** The name of the type, if the source shows it. */
  readonly type?: string;
  readonly accounts: readonly { readonly account: Account; readonly state: AccountState }[];
  readonly hasClientCredentials: boolean;
}

interface SetterAction extends LensAction {
  readonly argument?: Pick<SetterFacts, "entry" | "scope" | "type"> & { readonly account?: Account };
}

/** Accounts of an account file that have a lens each. */
const MOST_OF_FILE = 5;

export function setterActions(facts: SetterFacts): readonly SetterAction[] {
  const { entry, scope, type, accounts } = facts;
  if (type !== undefined && !hasSignIn(type)) return [];
  const argument = { entry, scope, ...defined({ type }) };
  const connect = scope === "system" ? "packAuth.addSystemAuthentication" : "packAuth.connectTestAccount";
  const actions: SetterAction[] = [];
  const accountsToSignIn = accounts.filter(({ state }) => needsSignIn(state));
  // One button for each account, labelled with its name.
  for (const { account, state } of accountsToSignIn)
    actions.push({
      icon: "warning",
      title: accounts.length === 1 ? "Sign in again" : `Sign in again: ${account.label}`,
      command: connect,
      argument: { ...argument, account },
      tooltip: `${account.label}: ${stateText(state)}`,
    });
  if (scope === "user" && (accounts.length === 0 || accountsToSignIn.length < accounts.length || accounts.length > 1))
    actions.push({ icon: "plug", title: "Connect test account", command: connect, argument });
  if (scope === "system" && accountsToSignIn.length === 0)
    actions.push({
      icon: "key",
      // A stored account is used before one of the account file, which stays.
      title: accounts.every(({ account }) => account.inFile !== undefined) ? "Add system authentication" : "Replace system authentication",
      command: connect,
      argument,
    });
  if (type !== undefined && isOAuthType(type) && !facts.hasClientCredentials)
    actions.push({
      icon: "key",
      title: "Add OAuth credentials",
      command: "packAuth.addOAuthCredentials",
      argument,
      tooltip: "The client ID and secret of the application at the provider; the sandbox does not need them",
    });
  const ofFile = accounts.filter(({ account }) => account.inFile !== undefined);
  const isMany = ofFile.length > MOST_OF_FILE;
  if (isMany)
    actions.push({
      icon: "organization",
      title: `${ofFile.length} accounts of ${ACCOUNT_FILE}`,
      command: "packAuth.accounts.focus",
      tooltip: "Show the accounts",
    });
  for (const { account, state } of accounts.filter((each) => !isMany || !ofFile.includes(each)))
    actions.push({
      icon: account.inFile === undefined ? "account" : "organization",
      title: shownLabel(account),
      command: "packAuth.accounts.focus",
      tooltip: state.state === "unaccepted" ? stateText(state) : "Show the accounts",
    });
  // Accounts with the same name, such as those of a sandbox's user, cannot be distinguished here. The accounts view shows all of them.
  return actions.filter(({ title }, index) => actions.findIndex((other) => other.title === title) === index);
}
