// `pack-auth api-token`: stores, lists and removes the tokens of the platform's public API. It never shows a token.

import { apiOrigin, hostOf } from "../platform/public-api/api-origin.ts";
import { addApiToken, apiTokenOrigins, removeApiToken } from "../platform/public-api/api-token.ts";
import { DEFAULT_ORIGIN } from "../spec/pack-file.ts";
import type { VerbHelp } from "./options.ts";

import { STOPPED } from "./terminal/interrupt.ts";
import { formatMessage, printable } from "./terminal/printable.ts";
import { tryStorageFolder } from "./terminal/storage-folder.ts";
import { UsageError } from "./usage-error.ts";
import { verb } from "./verb.ts";

export const API_TOKEN = {
  usage: "api-token [list | add | remove] [options]",
  about: `Stores and removes the tokens of the platform's public API, encrypted with a key in the system's keyring,
or with a passphrase if PACK_AUTH_SECRET_STORE is file.

  list      lists the hosts for which a token is stored (default)
  add       asks for the token of the host; it is hidden on a terminal, or read from standard input
  remove    removes the token of the host from this machine

A token is sent only to the host that it was entered for.`,
  options: { host: { argument: "HOST", help: "the platform's host (default: coda.io)" } },
  more: `In continuous integration nothing is stored: set PACK_AUTH_API_TOKEN, and PACK_AUTH_API_HOST unless the host is coda.io.

Exit code: 0 it worked, 1 it failed, 2 the command is wrong, 130 it was cancelled.

Examples:
  pack-auth api-token add
  pack-auth api-token add --host packs.example.com < token.txt
`,
} as const satisfies VerbHelp;

export const apiToken = verb(API_TOKEN, async ({ terminal, signal, positionals, values, openHost }) => {
  const [action = "list", ...extraArguments] = positionals;
  if (!["list", "add", "remove"].includes(action)) throw new UsageError(`Use list, add or remove. There is no api-token ${action}.`);
  if (extraArguments.length > 0)
    throw new UsageError("api-token takes no further argument, and never a token. See pack-auth api-token --help.");
  const origin = values.host === undefined ? DEFAULT_ORIGIN : apiOrigin(values.host, "--host");
  const name = printable(hostOf(origin));
  const host = await openHost();
  if (action === "list") {
    const origins = await apiTokenOrigins(host);
    if (origins.length === 0) terminal.errorOutput.write(formatMessage`No API token is stored. Store one with pack-auth api-token add.\n`);
    for (const each of origins) terminal.output.write(formatMessage`${printable(hostOf(each))}\n`);
    return 0;
  }
  if (action === "remove") {
    const isRemoved = await removeApiToken(host, origin);
    terminal.errorOutput.write(
      isRemoved
        ? formatMessage`Removed the API token of ${name}. Delete it there too: it stays valid.\n`
        : formatMessage`No API token is stored for ${name}.\n`,
    );
    return 0;
  }
  tryStorageFolder(host.storageFolder);
  await host.secrets.assertStorable?.();
  const token = await addApiToken(host, origin, { title: "API token of the platform", signal });
  if (token !== undefined) terminal.errorOutput.write(formatMessage`Stored the API token of ${name}. It is not tried yet.\n`);
  else terminal.errorOutput.write(formatMessage`Nothing was changed.\n`);
  return signal.aborted || token === undefined ? STOPPED : 0;
});
