// The error for a stored client ID and secret that this passphrase does not open: new ones would replace them.
import { packName } from "../../platform/bundle/entry-file.ts";
import { PackAuthError } from "../../platform/errors.ts";

export const sealedClient = (entry: string): PackAuthError =>
  new PackAuthError("credentials-missing", `The passphrase does not open the client ID and secret of ${packName(entry)}.`, {
    hint: "Set PACK_AUTH_PASSPHRASE to the passphrase that they were stored with, or remove them with pack-auth credentials --remove.",
  });
