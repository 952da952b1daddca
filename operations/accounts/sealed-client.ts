// The error for a stored client ID and secret that this passphrase does not open: new ones would replace them.
import { packName } from "../../platform/bundle/entry-file.ts";
import { PackAuthError } from "../../platform/errors.ts";

export const sealedClient = (entry: string): PackAuthError =>
  new PackAuthError("credentials-missing", `The passphrase does not open the client ID and secret of ${packName(entry)}.`, {
    hint: "Unlock them, or remove them and enter new ones.",
    nextStep: { do: "setPassphrase" },
  });
