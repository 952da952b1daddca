// `pack-auth accounts`: lists, refreshes and removes the connected accounts. It never shows a secret.
import { defined } from "../../base/defined.ts";
import type { OutputOf } from "../../operations/operations.ts";
import { isUnreadable } from "../../platform/accounts/account-state.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { scopeRows } from "../../platform/runs/scope-rows.ts";
import { stateText } from "../../protocol/account-state.ts";
import { ACCOUNT_FILE } from "../../spec/account-file.ts";
import { act, verbOfActs } from "../frame/acts.ts";
import { ENTRY_OPTIONS } from "../frame/pack-entry.ts";
import { formatMessage, printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

type Listed = OutputOf<"accounts list">;

const ACTS = {
  list: act("accounts list", "list", { json: jsonOf, print: writeRows, end: reportUnreadable }),
  refresh: act("accounts refresh", "refresh LABEL", {
    options: ENTRY_OPTIONS,
    print({ label, expiresAt }, { output }) {
      const until = expiresAt === undefined ? "" : `, until ${expiresAt}`;
      output.write(formatMessage`Refreshed ${printable(label)}${printable(until)}.\n`);
    },
  }),
  remove: act("accounts remove", "remove LABEL", {
    print: ({ label }, { output }) => output.write(formatMessage`Removed ${printable(label)}.\n`),
    end(removal, { errorOutput }) {
      if (removal.revoked !== false) return 0;
      const reason = removal.problem === undefined ? "" : `: ${removal.problem}`;
      errorOutput.write(formatMessage`Its tokens stay valid at the provider until they expire${printable(reason)}.\n`);
      return 0;
    },
  }),
};

export const accounts = verbOfActs("accounts", ACTS, {
  about: "Lists, refreshes and removes the accounts of pack-auth connect. The default is list.",
  more: `In place of LABEL you can give the account's ID, which list --json prints.

Exit code: 0 it worked, 1 it failed, or credentials of a listed account cannot be read, 2 the command is wrong.
`,
});

export const accountJson = ({ account, state }: Listed["accounts"][number]) => ({
  id: account.id,
  label: account.label,
  pack: account.entry,
  scope: account.scope,
  type: account.type,
  ...defined({ endpoint: account.endpoint, expiresAt: expiryOf(account) }),
  sandbox: account.sandboxOrigin !== undefined,
  ...state,
  scopes: scopeRows(account),
});

function jsonOf({ accounts: stored, fileAccounts }: Listed) {
  const rows = fileAccounts.map(({ account, state }) => ({ id: account.id, ...account.inFile, pack: account.entry, ...state }));
  return { accounts: stored.map(accountJson), fileAccounts: rows };
}

const expiryOf = ({ expiresAt }: Listed["accounts"][number]["account"]): string | undefined =>
  expiresAt === undefined ? undefined : new Date(expiresAt).toISOString();

function writeRows({ accounts: stored, fileAccounts }: Listed, { output, errorOutput }: Terminal): void {
  if (stored.length + fileAccounts.length === 0)
    errorOutput.write(formatMessage`No account is connected. Connect one with pack-auth connect <pack>.\n`);
  const write = (parts: readonly (string | false | undefined)[]): void =>
    output.write(formatMessage`${printable(parts.filter(Boolean).join(" · "))}\n`);
  for (const { account, state } of stored) {
    const { label, entry, type, scope, sandboxOrigin, endpoint } = account;
    const marks = [scope === "system" && "system", sandboxOrigin !== undefined && "sandbox"];
    write([label, packName(entry), type, ...marks, endpoint, expiryOf(account), stateText(state)]);
  }
  for (const { account, state } of fileAccounts)
    write([
      account.label,
      packName(account.entry),
      account.scope === "system" && "system",
      account.endpoint,
      `from ${ACCOUNT_FILE}, not stored`,
      ...Object.entries(account.inFile.secrets).map(([name, reference]) => `${name}: ${reference}`),
      state.state === "ready" ? "accepted" : stateText(state),
    ]);
}

/** Says which credentials cannot be read, and how to read them. Returns the exit code of a list. */
function reportUnreadable({ accounts: stored }: Listed, { errorOutput }: Terminal): number {
  const unreadable = stored.filter(({ state }) => isUnreadable(state));
  const [first] = unreadable;
  if (first === undefined || first.state.state === "ready") return 0;
  const labels = unreadable.map(({ account }) => account.label).join(", ");
  const { reason, nextStep } = first.state;
  errorOutput.write(formatMessage`pack-auth: These accounts cannot be used: ${printable(`${labels} (${reason}). ${nextStep}`)}\n`);
  return 1;
}
