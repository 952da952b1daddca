// `pack-auth connect`: signs in on a terminal. It asks for secrets, and never accepts them as arguments.

import { defined } from "../base/defined.ts";
import { isCalled, withId } from "../platform/accounts/account-name.ts";
import { type Account, packKey } from "../platform/accounts/accounts.ts";
import { packName } from "../platform/bundle/entry-file.ts";
import { type Connected, type ConnectOptions, connect } from "../platform/connect/connect.ts";
import { connectedText } from "../platform/connect/connected-text.ts";
import { PackAuthError } from "../platform/errors.ts";
import { scopesWith } from "../platform/runs/scopes.ts";
import type { Credential } from "../platform/secrets/credential.ts";
import type { PackDefinition } from "../protocol/definition.ts";
import type { AuthScope } from "../protocol/run.ts";
import type { readOptions, VerbHelp } from "./options.ts";
import { ENTRY_OPTIONS, entryArgument } from "./pack-entry.ts";
import { redirectFrom } from "./redirect.ts";
import { sandboxSide } from "./sandbox-side.ts";
import { sealedClient } from "./sealed-client.ts";
import { failureText, whereLines } from "./terminal/failure.ts";
import { terminalReach } from "./terminal/host.ts";
import { formatMessage, joined, printable } from "./terminal/printable.ts";
import { tryStorageFolder } from "./terminal/storage-folder.ts";
import { UsageError } from "./usage-error.ts";
import { stop, type VerbSession, verb } from "./verb.ts";

export const CONNECT = {
  usage: "connect <pack> [options]",
  about: `Signs in with the pack's authentication, and saves the account. Its secrets are encrypted with a key in the system's keyring.
<pack> is the file that builds the pack, or its folder.`,
  options: {
    system: { help: "connect the system authentication instead of a user's" },
    again: { argument: "LABEL", help: "sign in again to this account; its ID does as well" },
    "scopes-of": {
      argument: "NAME",
      help: "sign in again for the scopes that this formula or table also\nneeds (its extraOAuthScopes), and for those that the account has",
    },
    sandbox: { help: "use the sandbox that PACK_AUTH_SANDBOX names; see pack-auth sandbox --help" },
    redirect: { argument: "ADDRESS", help: "the redirect address to register at the provider (default: http://localhost:3000/oauth)" },
    "no-browser": { help: "print the sign-in address instead of opening the browser" },
    "allow-loopback": { help: "let a pack that declares localhost send requests to this machine" },
    ...ENTRY_OPTIONS,
  },
  more: `Environment:
  PACK_AUTH_SECRET_STORE   keyring (default), or file (encrypted with a passphrase)
  PACK_AUTH_PASSPHRASE     the passphrase; without it a command asks for it on the terminal
  PACK_AUTH_HOME           folder of the accounts and their encrypted secrets

Exit code: 0 saved, 1 it failed, or the API refused the credential, 2 the command is wrong, 130 it was cancelled.

Examples:
  pack-auth connect .
  pack-auth connect packs/crm --system
`,
} as const satisfies VerbHelp;

const NOTHING_STORED = "Nothing was stored.";

export const connectVerb = verb(
  CONNECT,
  ({ positionals, values, ...session }) => connectEntry(session, entryArgument(session.terminal, "connect", positionals), values),
  NOTHING_STORED,
);

type ConnectValues = NonNullable<ReturnType<typeof readOptions<(typeof CONNECT)["options"]>>>["values"];

/** `credential`: one that the person pasted before, so that none is asked for. */
export async function connectEntry(
  { terminal, signal, openPack, openHost }: VerbSession,
  entry: string,
  values: ConnectValues,
  credential?: Credential,
): Promise<number> {
  const redirect = redirectFrom(values.redirect);
  const scope: AuthScope = values.system === true ? "system" : "user";
  const pack = await openPack(entry, values);
  const host = await openHost({ reach: terminalReach(terminal, values["no-browser"] !== true) });
  tryStorageFolder(host.storageFolder);
  if (values.sandbox !== true && (await host.accounts.hasSealedClient(packKey(pack.entry), scope))) throw sealedClient(pack.entry);
  await host.secrets.assertStorable?.();
  const accounts = (await host.accounts.list(packKey(pack.entry))).filter((account) => account.scope === scope);
  const existing = values.again === undefined ? undefined : find(accounts, values.again, scope);
  const more = values["scopes-of"] === undefined ? undefined : moreAccess(pack.definition, values["scopes-of"], existing, accounts);
  const connected = await connect(pack, {
    scope,
    packName: packName(pack.entry),
    host,
    accounts: host.accounts,
    redirect,
    // The command line has no workspaces, so its accounts are always shared.
    shared: true,
    signal,
    world: { behindProxy: host.behindProxy, allowLoopback: values["allow-loopback"] === true },
    ...defined({
      existing,
      sandbox: values.sandbox === true ? await sandboxSide(terminal, pack, scope) : undefined,
      existingCredentials: credential === undefined ? undefined : { credential },
    }),
    ...more,
  });
  if (connected === undefined) return stop(terminal, NOTHING_STORED);
  for (const { message, error, echo, ...where } of connected.signInNotes)
    if (echo === undefined)
      terminal.errorOutput.write(
        error === undefined
          ? joined([printable(message), ...(await whereLines(terminal, where, entry))].map((line) => formatMessage`${line}\n`))
          : formatMessage`${printable(message)}: ${await failureText(terminal, error, entry)}`,
      );
  terminal.output.write(formatMessage`${printable(connectedText(connected, packName(pack.entry)))}\n`);
  if (connected.isRefused) terminal.output.write(formatMessage`${printable(refusedText(connected))}\n`);
  else if (connected.unchecked !== undefined)
    terminal.output.write(formatMessage`${printable(checkText(pack.definition))} See pack-auth run --help.\n`);
  return connected.isRefused ? 1 : 0;
}

/** Suggests the next step after a refusal. If a note blames a field of the configuration, the credential may be right. */
const refusedText = ({ signInNotes }: Connected): string =>
  signInNotes.some(({ error }) => error instanceof PackAuthError && error.configPath?.includes("."))
    ? "After a change of the configuration check the account with pack-auth run <pack> Auth:getConnectionName. To sign in again see --again in pack-auth connect --help."
    : "Sign in again with a valid credential: see --again in pack-auth connect --help.";

/** A connector may have only its MCP server. */
const checkText = ({ formulas, syncTables, mcpServers: [server] = [] }: PackDefinition): string =>
  formulas.length + syncTables.length === 0 && server !== undefined
    ? `List the server's tools to check it: mcp:${server.name}.`
    : "Run one of the pack's formulas to check it.";

/**
 * Returns the account that gets more access, and all scopes of its new sign-in. Throws UsageError if the name or the account is ambiguous
 * or unknown.
 */
export function moreAccess(
  definition: PackDefinition,
  name: string,
  chosen: Account | undefined,
  accounts: readonly Account[],
): Pick<ConnectOptions, "existing" | "scopes"> {
  const kinds = [
    ...definition.formulas.flatMap((formula) => (formula.name === name ? (["formula"] as const) : [])),
    ...definition.syncTables.flatMap((table) => (table.name === name ? (["syncTable", "update"] as const) : [])),
  ];
  if (kinds.length === 0) throw new UsageError(`The pack has no formula or table ${name}.`);
  const [existing = undefined, ...otherAccounts] = chosen === undefined ? accounts : [chosen];
  if (otherAccounts.length > 0) throw new UsageError("The pack has several accounts. Choose one with --again LABEL.");
  const grantedScopes = existing?.scopesGranted ?? existing?.scopesRequested ?? [];
  const scopes = kinds.reduce<readonly string[]>(
    (all, kind) => scopesWith(all, definition, kind === "update" ? { kind, name, updates: [] } : { kind, name }),
    grantedScopes,
  );
  return { scopes, ...defined({ existing }) };
}

/**
 * Finds an account by its label. `accounts` contains one scope only, so that an account of the other scope is never replaced. Throws
 * UsageError.
 */
function find(accounts: readonly Account[], label: string, scope: AuthScope): Account {
  const [account, ...otherAccounts] = accounts.filter((each) => isCalled(each, label));
  if (account === undefined)
    throw new UsageError(`There is no ${scope} account ${label}. There are: ${accounts.map((each) => each.label).join(", ") || "none"}.`);
  if (otherAccounts.length > 0)
    throw new UsageError(
      `Choose one by its ID. Several accounts are called ${label}: ${[account, ...otherAccounts].map(withId).join(", ")}.`,
    );
  return account;
}
