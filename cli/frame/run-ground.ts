// What runs with real accounts use on the command line: accounts of the environment, and a person who answers on the terminal.
import { basename, join } from "node:path";
import { InputError } from "../../operations/input-error.ts";
import type { RunGround } from "../../operations/run/run-ground.ts";
import { accountFiles } from "../../platform/accounts/account-files.ts";
import { packKey } from "../../platform/accounts/accounts.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { userDataFolder } from "../../platform/files/user-data-folder.ts";
import type { Prompter } from "../../platform/host.ts";
import { teamAccounts } from "../../platform/team/team-account.ts";
import { ACCOUNT_FILE } from "../../spec/account-file.ts";
import { openFetch } from "../terminal/fetch.ts";
import { messageOf } from "../terminal/next-steps.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { accountFromEnvironment, incompleteAccount, inWords } from "./environment-account.ts";
import { useFileAccount } from "./file-account.ts";

export const terminalRuns = (terminal: Terminal, prompter: Prompter, allowLoopback: boolean): RunGround => ({
  guard: undefined,
  hasRunningSandbox: Boolean(terminal.environment.PACK_AUTH_SANDBOX),
  openNetwork: async () => ({ ...openFetch(terminal.environment), lookup: undefined, allowLoopback }),
  async storedAccounts(entry, onDamaged) {
    // The keyring is not touched: continuous integration may have none.
    const folder = userDataFolder(terminal.environment);
    const all = folder === undefined ? [] : await accountFiles(join(folder, "accounts")).list(onDamaged);
    return all.filter(({ pack }) => pack === packKey(entry));
  },
  environmentAccount(definition, name) {
    const { incomplete, ...found } = accountFromEnvironment(definition, name, terminal.environment);
    if (found.account === undefined && incomplete.length > 0) throw incompleteAccount(incomplete);
    return found;
  },
  useFileAccount: (pack, account, signal) => useFileAccount(terminal, prompter, pack, account, signal),
  noAccount({ name, entry, missingVariables }) {
    if (name === undefined)
      return new PackAuthError("account-required", "There is no account.", { hint: accountHint(entry, missingVariables) });
    if (missingVariables.length === 0)
      return new InputError("account", `There is no account ${name}: the pack has no authentication, and takes none.`);
    const places = `stored, in the environment or in a ${ACCOUNT_FILE} beside ${basename(entry)}`;
    return new InputError("account", `There is no account ${name}, ${places}.`, connectHint(missingVariables));
  },
});

const connectHint = (missingVariables: readonly string[]): string =>
  `Connect one with pack-auth connect, or set ${inWords(missingVariables)} in the environment; see pack-auth run --help.`;

/** Returns how to get an account for the pack. */
export const accountHint = (entry: string, missingVariables: readonly string[]): string =>
  connectHint(missingVariables) + fileAccountsHint(entry);

/** The most labels in a hint. */
const MOST_LABELS = 10;

/**
 * Returns the sentence that names the accounts of the account file after a hint about other accounts, or why the file is broken. Empty if it
 * has no account.
 */
function fileAccountsHint(entry: string): string {
  const { accounts, problem } = teamAccounts(entry);
  if (problem !== undefined) return ` ${messageOf(problem)}`;
  const labels = accounts.map(({ label }) => label);
  if (labels.length === 0) return "";
  return ` Or choose an account of ${ACCOUNT_FILE} with --account: ${labels.slice(0, MOST_LABELS).join(", ")}${labels.length > MOST_LABELS ? ", …" : ""}.`;
}
