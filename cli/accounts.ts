// `pack-auth accounts`: lists, refreshes and removes the connected accounts. It never shows a secret.

import { join, resolve } from "node:path";
import { defined } from "../base/defined.ts";
import { accountFiles } from "../platform/accounts/account-files.ts";
import { isCalled } from "../platform/accounts/account-name.ts";
import { unusable } from "../platform/accounts/account-state.ts";
import type { Account } from "../platform/accounts/accounts.ts";
import { entryFile, packName } from "../platform/bundle/entry-file.ts";
import { removeAccount } from "../platform/connect/remove-account.ts";
import { PackAuthError } from "../platform/errors.ts";
import { canonicalPath, isSameFile } from "../platform/files/file-names.ts";
import type { StateStore } from "../platform/host.ts";
import { refreshAccount } from "../platform/oauth/refresh.ts";
import { scopeRows } from "../platform/runs/scope-rows.ts";
import { teamState } from "../platform/team/use-team-account.ts";
import { stateText } from "../protocol/account-state.ts";
import { ACCOUNT_FILE } from "../spec/account-file.ts";
import type { VerbHelp } from "./options.ts";

import { fileAccounts, teamHost } from "./run/file-account.ts";
import { warnOfDamaged } from "./run/pack-accounts.ts";
import { sandboxSide } from "./sandbox-side.ts";

import type { CliHost } from "./terminal/host.ts";
import { formatMessage, printable } from "./terminal/printable.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { UsageError } from "./usage-error.ts";
import { type VerbSession, verb } from "./verb.ts";

export const ACCOUNTS = {
  usage: "accounts [list | refresh LABEL | remove LABEL] [options]",
  about: `Lists, refreshes and removes the accounts of pack-auth connect.

  list             lists label, type, endpoint, pack, expiry and state of each account (default), and the accounts of
                   packauth.accounts.json: of the pack in this folder or of --pack, and of packs with an account
  refresh LABEL    gets a new access token now (OAuth)
  remove LABEL     removes the account, and revokes its tokens if the provider supports that

In place of LABEL you can give the account's ID, which list --json prints.`,
  options: {
    pack: { argument: "PACK", help: "the account's pack (its entry file or folder name), if several accounts have one label" },
    json: { help: "print the list as JSON" },
  },
  more: `Exit code: 0 it worked, 1 it failed, 2 the command is wrong.
`,
} as const satisfies VerbHelp;

export const accounts = verb(ACCOUNTS, async ({ positionals, values, ...session }) => {
  const { terminal } = session;
  const [action = "list", label, ...extraArguments] = positionals;
  if (!["list", "refresh", "remove"].includes(action)) throw new UsageError(`Use list, refresh or remove. There is no accounts ${action}.`);
  if (extraArguments.length > 0 || (action === "list") !== (label === undefined))
    throw new UsageError(`accounts ${action} needs ${action === "list" ? "no label" : "one label"}. See pack-auth accounts --help.`);
  const host = await session.openHost({ mayLackStore: label === undefined });
  if (label === undefined) return list(terminal, host, values.json === true, entryFile(resolve(terminal.folder, values.pack ?? ".")));
  const account = find(terminal, await host.accounts.list(), label, values.pack);
  return action === "remove" ? remove(terminal, host, account) : refresh(session, host, account);
});

function find({ folder }: Terminal, all: readonly Account[], label: string, pack: string | undefined): Account {
  const matches = all.filter(
    (each) =>
      isCalled(each, label) && (pack === undefined || isSameFile(each.entry, resolve(folder, pack)) || packName(each.entry) === pack),
  );
  const [account, ...otherAccounts] = matches;
  if (account === undefined) throw new UsageError(`There is no account ${label}. See pack-auth accounts.`);
  if (otherAccounts.length > 0)
    throw new UsageError(
      `Choose one by its ID, or its pack with --pack. Several accounts are called ${label}: ${matches.map(({ id, entry }) => `${id} (${packName(entry)})`).join(", ")}.`,
    );
  return account;
}

async function list(
  terminal: Terminal,
  { accounts: store, storageFolder, globalState, unreachable }: CliHost,
  asJson: boolean,
  here: string | undefined,
): Promise<number> {
  const stored = await store.list();
  const ofFiles = listFileAccounts(terminal, globalState, [...(here === undefined ? [] : [here]), ...stored.map(({ entry }) => entry)]);
  await accountFiles(join(storageFolder, "accounts")).list(warnOfDamaged(terminal));
  if (unreachable !== undefined && stored.length > 0) throw unreachable;
  const all = await Promise.all(
    stored.map(async (account) => {
      const state = await store.stateOf(account);
      return {
        id: account.id,
        label: account.label,
        pack: account.entry,
        scope: account.scope,
        type: account.type,
        ...defined({ endpoint: account.endpoint }),
        ...(account.expiresAt === undefined ? {} : { expiresAt: new Date(account.expiresAt).toISOString() }),
        sandbox: account.sandboxOrigin !== undefined,
        ...state,
        scopes: scopeRows(account),
      };
    }),
  );
  if (asJson) terminal.output.writeJson(`${JSON.stringify({ version: 1, accounts: all, fileAccounts: ofFiles }, null, 2)}\n`);
  else if (all.length + ofFiles.length === 0)
    terminal.errorOutput.write(formatMessage`No account is connected. Connect one with pack-auth connect <pack>.\n`);
  else {
    const write = (parts: readonly (string | false | undefined)[]): void =>
      terminal.output.write(formatMessage`${printable(parts.filter(Boolean).join(" · "))}\n`);
    for (const { label, pack, scope, type, endpoint, expiresAt, sandbox, ...state } of all)
      write([label, packName(pack), type, scope === "system" && "system", sandbox && "sandbox", endpoint, expiresAt, stateText(state)]);
    for (const { label, pack, scope, endpoint, secrets, ...state } of ofFiles)
      write([
        label,
        packName(pack),
        scope === "system" && "system",
        endpoint,
        `from ${ACCOUNT_FILE}, not stored`,
        ...Object.entries(secrets).map(([name, reference]) => `${name}: ${reference}`),
        state.state === "ready" ? "accepted" : stateText(state),
      ]);
  }
  return 0;
}

/** Returns the accounts of the account files beside the entries. Without the pack's definition, only the file's side of a yes is compared. */
const listFileAccounts = (terminal: Terminal, state: StateStore, entries: readonly string[]) =>
  [...new Set(entries.map(canonicalPath))].flatMap((pack) =>
    fileAccounts(terminal, pack).map((account) => ({
      id: account.id,
      ...account.inFile,
      pack,
      ...teamState(account, teamHost(terminal, state)),
    })),
  );

async function remove(terminal: Terminal, host: CliHost, account: Account): Promise<number> {
  const removal = await removeAccount(account.id, host);
  terminal.output.write(formatMessage`Removed ${printable(account.label)}.\n`);
  if (removal.revoked === false)
    terminal.errorOutput.write(
      formatMessage`Its tokens stay valid at the provider until they expire${removal.problem === undefined ? formatMessage`` : formatMessage`: ${printable(removal.problem)}`}.\n`,
    );
  return 0;
}

async function refresh({ terminal, openPack }: VerbSession, host: CliHost, account: Account): Promise<number> {
  const [stored, state] = await Promise.all([host.accounts.credential(account.id), host.accounts.stateOf(account)]);
  if (stored === undefined && state.state !== "ready")
    throw unusable(state, (reason) => `${account.label} cannot be refreshed: ${reason}.`);
  if (stored?.kind !== "oauth2")
    throw new PackAuthError("refresh-failed", `${account.label} has no token to refresh.`, { hint: "Sign in again." });
  const pack = await openPack(account.entry);
  const auth = pack.definition[`${account.scope}Authentication`];
  if (auth === undefined) throw new PackAuthError("sign-in-again", `The pack has no ${account.scope} authentication any more.`);
  const sandboxClient =
    account.sandboxOrigin === undefined ? undefined : (await sandboxSide(terminal, pack, account.scope)).clientCredentials;
  const fresh = await refreshAccount(account, auth, stored, { ...host, ...defined({ sandboxClient }) });
  if (fresh === undefined)
    throw new PackAuthError("refresh-failed", `The provider returned no refresh token for ${account.label}.`, { hint: "Sign in again." });
  terminal.output.write(
    formatMessage`Refreshed ${printable(account.label)}${fresh.expiresAt === undefined ? formatMessage`` : formatMessage`, until ${printable(new Date(fresh.expiresAt).toISOString())}`}.\n`,
  );
  return 0;
}
