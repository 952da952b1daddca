// `pack-auth api-token`: stores, lists and removes the tokens of the platform's public API. It never shows a token.
import { act, verbOfActs } from "../frame/acts.ts";
import { formatMessage, printable } from "../terminal/printable.ts";

const ACTS = {
  list: act("api-token list", "list", {
    print({ hosts }, { output, errorOutput }) {
      for (const host of hosts) output.write(formatMessage`${printable(host)}\n`);
      if (hosts.length === 0) errorOutput.write(formatMessage`No API token is stored. Store one with pack-auth api-token add.\n`);
    },
  }),
  add: act("api-token add", "add", {
    stopped: "Nothing was changed.",
    print: ({ host }, { errorOutput }) =>
      errorOutput.write(formatMessage`Stored the API token of ${printable(host)}. It is not tried yet.\n`),
  }),
  remove: act("api-token remove", "remove", {
    print: ({ host, isRemoved }, { errorOutput }) =>
      errorOutput.write(
        isRemoved
          ? formatMessage`Removed the API token of ${printable(host)}. Delete it there too: it stays valid.\n`
          : formatMessage`No API token is stored for ${printable(host)}.\n`,
      ),
  }),
};

export const apiToken = verbOfActs("api-token", ACTS, {
  about: `Stores and removes the tokens of the platform's public API, encrypted with a key in the system's keyring,
or with a passphrase if PACK_AUTH_SECRET_STORE is file. The default is list.`,
  more: `A token is hidden on a terminal, or read from standard input, and sent only to the host that it was entered for.
In continuous integration nothing is stored: set PACK_AUTH_API_TOKEN, and PACK_AUTH_API_HOST unless the host is coda.io.

Exit code: 0 it worked, 1 it failed, 2 the command is wrong, 130 it was cancelled.

Examples:
  pack-auth api-token add
  pack-auth api-token add --host packs.example.com < token.txt
`,
});
