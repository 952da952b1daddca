// `packAuth.importToolkitCredentials`: imports the credentials that the SDK's own command stores in plain text, and offers to delete the
// file.
import { type Account, packKey } from "../../platform/accounts/accounts.ts";
import {
  forgetToolkitFile,
  hasToolkitCredentials,
  readToolkitCredentials,
  TOOLKIT_FILE,
} from "../../platform/accounts/toolkit-credentials.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { authenticationOf } from "../../platform/connect/choose-flow.ts";
import { connect } from "../../platform/connect/connect.ts";
import type { AuthScope } from "../../protocol/run.ts";
import type { Services } from "../services.ts";
import { showInformation, showProgress, showWarning } from "../shown/messages.ts";
import type { PackArgument } from "./choose-pack.ts";
import { inPack } from "./in-pack.ts";
import { showNotes } from "./show-notes.ts";

const OFFERED = "packAuth.importOffered";

const offered = ({ context }: Services): readonly string[] => context.globalState.get<readonly string[]>(OFFERED, []);

/** Returns true only once for each pack; afterwards the command remains. */
export const shouldOfferImport = (services: Services, entry: string): boolean =>
  hasToolkitCredentials(entry) && !offered(services).includes(packKey(entry));

export async function importOffered(services: Services, entry: string): Promise<void> {
  if (shouldOfferImport(services, entry)) await services.context.globalState.update(OFFERED, [...offered(services), packKey(entry)]);
}

export const importCredentials = (
  services: Services,
  argument?: PackArgument & { readonly scope?: AuthScope },
): Promise<Account | undefined> =>
  inPack(services, argument, "Connecting an account", async (entry) => {
    if (!hasToolkitCredentials(entry)) {
      void showInformation(`There is no ${TOOLKIT_FILE} beside ${packName(entry)}.`);
      return undefined;
    }
    const connected = await showProgress(`Connect ${packName(entry)}`, async (reportStep, signal) => {
      reportStep("building the pack…");
      const pack = await services.packs.saveAndOpen(entry);
      const scope = argument?.scope ?? (pack.definition.userAuthentication === undefined ? "system" : "user");
      return connect(pack, {
        scope,
        packName: packName(entry),
        host: services.host(reportStep),
        accounts: services.accounts,
        existingCredentials: readToolkitCredentials(entry, authenticationOf(pack, scope)),
        signal,
      });
    });
    if (connected === undefined) return undefined;
    showNotes(services, connected.signInNotes, entry);
    await offerToForget(entry, connected.account.label);
    return connected.account;
  });

async function offerToForget(entry: string, label: string): Promise<void> {
  const forget = "Delete the file";
  const choice = await showInformation(
    `Delete ${TOOLKIT_FILE} and let git ignore it? ${label} is in the secret store now, but the file still contains its credentials in plain text. The Packs SDK's own commands need the file.`,
    forget,
    "Keep it",
  );
  if (choice !== forget) return;
  const { wasCommitted, ignored } = await forgetToolkitFile(entry);
  if (wasCommitted)
    void showWarning(
      `Create new credentials at the provider. ${TOOLKIT_FILE} is deleted, but it is still in git's history, where everybody with the repository can read it.`,
    );
  else void showInformation(`${TOOLKIT_FILE} is deleted${ignored ? ", and added to .gitignore" : ""}.`);
}
