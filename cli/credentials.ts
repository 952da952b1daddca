// `pack-auth credentials`: shows, replaces or removes the client ID and secret of the OAuth application. It never shows the secret.

import { defined } from "../base/defined.ts";
import { packKey } from "../platform/accounts/accounts.ts";
import { packName } from "../platform/bundle/entry-file.ts";
import { authenticationOf } from "../platform/connect/choose-flow.ts";
import { addOAuthCredentials } from "../platform/connect/oauth-credentials.ts";
import type { Pack } from "../platform/process/pack.ts";
import type { ClientCredentials } from "../platform/secrets/credential.ts";
import type { AuthenticationDefinition } from "../protocol/definition.ts";
import type { AuthScope } from "../protocol/run.ts";
import { isOAuthType } from "../spec/auth-types.ts";
import type { VerbHelp } from "./options.ts";
import { ENTRY_OPTIONS, entryArgument } from "./pack-entry.ts";
import { redirectFrom } from "./redirect.ts";
import { sealedClient } from "./sealed-client.ts";

import type { CliHost } from "./terminal/host.ts";
import { STOPPED } from "./terminal/interrupt.ts";
import { formatMessage, printable } from "./terminal/printable.ts";
import { tryStorageFolder } from "./terminal/storage-folder.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { UsageError } from "./usage-error.ts";
import { verb } from "./verb.ts";

export const CREDENTIALS = {
  usage: "credentials <pack> [options]",
  about: `Shows the stored OAuth client ID of the pack, and asks for another client ID and secret. Press Ctrl-D to leave them unchanged.
<pack> is the file that builds the pack, or its folder.

Credentials that you enter here are not tried. pack-auth connect asks for them too, and stores them after a sign-in that worked.`,
  options: {
    system: { help: "use the system authentication instead of the users'" },
    remove: { help: "remove the stored credentials without asking" },
    redirect: { argument: "ADDRESS", help: "the redirect address to register at the provider (default: http://localhost:3000/oauth)" },
    ...ENTRY_OPTIONS,
  },
  more: `Exit code: 0 it worked, 1 it failed, 2 the command is wrong, 130 it was cancelled.

Examples:
  pack-auth credentials .
  pack-auth credentials packs/crm --system --remove
`,
} as const satisfies VerbHelp;

export const credentials = verb(CREDENTIALS, async ({ terminal, signal, positionals, values, openPack, openHost }) => {
  const redirect = redirectFrom(values.redirect);
  const entry = entryArgument(terminal, "credentials", positionals);
  const scope: AuthScope = values.system === true ? "system" : "user";
  // The check comes first, so that nothing is printed about credentials that the pack cannot have.
  const oauth = values.remove === true ? undefined : oauthOf(await openPack(entry, values), scope);
  const host = await openHost();
  const stored = await host.accounts.clientCredentials(packKey(entry), scope);
  const isSealed = await host.accounts.hasSealedClient(packKey(entry), scope);
  if (isSealed && oauth !== undefined) throw sealedClient(entry);
  if (!isSealed) terminal.output.write(formatMessage`${printable(described(stored, packName(entry)))}\n`);
  if (oauth === undefined) return stored !== undefined || isSealed ? await remove(terminal, host, entry, scope) : 0;
  tryStorageFolder(host.storageFolder);
  await host.secrets.assertStorable?.();
  const { type, tokenUrl } = oauth;
  const common = { scope, packName: packName(entry), host, accounts: host.accounts, redirect, signal };
  const added = await addOAuthCredentials({ ...common, type, ...defined({ tokenUrl }) }, packKey(entry));
  terminal.errorOutput.write(
    added === undefined
      ? formatMessage`Nothing was changed.\n`
      : formatMessage`Stored client ID ${printable(added.clientId)}. It is not tried yet: pack-auth connect tries it.\n`,
  );
  return signal.aborted ? STOPPED : 0;
});

function described(stored: ClientCredentials | undefined, pack: string): string {
  if (stored === undefined) return `No client ID is stored for ${pack}.`;
  const { clientId, clientSecret, tokenEndpoints = [], registration } = stored;
  const origin = registration === undefined ? "" : `, registered by ${registration.issuer}`;
  const places = tokenEndpoints.length === 0 ? "" : `, for ${tokenEndpoints.join(" and ")}`;
  return `Client ID ${clientId} is stored for ${pack}, ${clientSecret === undefined ? "without" : "with"} a secret${origin}${places}.`;
}

async function remove(terminal: Terminal, host: CliHost, entry: string, scope: AuthScope): Promise<number> {
  await host.accounts.removeClientCredentials(packKey(entry), scope);
  terminal.errorOutput.write(
    formatMessage`Removed it. Accounts of ${printable(packName(entry))} cannot be refreshed until you add another one.\n`,
  );
  return 0;
}

/** Returns the authentication that the credentials are for. Throws UsageError if it does not use OAuth. */
function oauthOf(pack: Pack, scope: AuthScope): AuthenticationDefinition {
  const auth = authenticationOf(pack, scope);
  if (isOAuthType(auth.type)) return auth;
  throw new UsageError(`The ${scope} authentication of ${packName(pack.entry)} is ${auth.type}, which has no client ID.`);
}
