// `pack-auth credentials`: shows, replaces or removes the client ID and secret of the OAuth application. It never shows the secret.
import type { PartOf } from "../../operations/operations.ts";
import { act } from "../frame/acts.ts";
import { type VerbHelp, verb } from "../frame/options.ts";
import { ENTRY_OPTIONS } from "../frame/pack-entry.ts";
import { REDIRECT_OPTION } from "../frame/redirect.ts";
import { formatMessage, printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

const ADD = act("credentials add", "<pack>", {
  options: { ...REDIRECT_OPTION, ...ENTRY_OPTIONS },
  part(stored, { terminal, values }) {
    if (values.json !== true) describe(stored, terminal);
  },
  print: ({ clientId }, { errorOutput }) =>
    errorOutput.write(
      clientId === undefined
        ? formatMessage`Nothing was changed.\n`
        : formatMessage`Stored client ID ${printable(clientId)}. It is not tried yet: pack-auth connect tries it.\n`,
    ),
});

const REMOVE = act("credentials remove", "<pack>", {
  // A client that cannot be read is removed too.
  print: (removal, terminal) => (removal.clientId !== undefined || !removal.isRemoved) && describe(removal, terminal),
  end({ pack, isRemoved }, { errorOutput }) {
    if (isRemoved)
      errorOutput.write(formatMessage`Removed it. Accounts of ${printable(pack)} cannot be refreshed until you add another one.\n`);
    return 0;
  },
});

const help: VerbHelp = {
  usage: "credentials <pack> [options]",
  about: `${ADD.about} Press Ctrl-D to leave them unchanged.
<pack> is the file that builds the pack, or its folder.

Credentials that you enter here are not tried. pack-auth connect asks for them too, and stores them after a sign-in that worked.`,
  options: { remove: { help: "remove the stored credentials without asking" }, ...ADD.options },
  more: `Exit code: 0 it worked, 1 it failed, 2 the command is wrong, 130 it was cancelled.

Examples:
  pack-auth credentials .
  pack-auth credentials packs/crm --system --remove
`,
};

export const credentials = verb(help, (options, terminal) =>
  (options.values.remove === true ? REMOVE : ADD).call("credentials", options, terminal),
);

function describe({ pack, clientId, hasSecret, issuer, tokenEndpoints }: PartOf<"credentials add">, { output }: Terminal): void {
  const origin = issuer === undefined ? "" : `, registered by ${issuer}`;
  const places = tokenEndpoints.length === 0 ? "" : `, for ${tokenEndpoints.join(" and ")}`;
  const more = `, ${hasSecret ? "with" : "without"} a secret${origin}${places}`;
  const text = clientId === undefined ? `No client ID is stored for ${pack}.` : `Client ID ${clientId} is stored for ${pack}${more}.`;
  output.write(formatMessage`${printable(text)}\n`);
}
