// `packAuth.addOAuthCredentials`: client ID and secret, once per pack and setter (auth-spec 5.5.4).
import * as vscode from "vscode";
import { packKey } from "../../platform/accounts.ts";
import { addOAuthCredentials } from "../../platform/oauth-credentials.ts";
import { packName } from "../packs.ts";
import { redirectSettings } from "../platform-host.ts";
import type { Services } from "../services.ts";
import { choosePack } from "./choose-pack.ts";
import type { ConnectArgument } from "./connect-account.ts";

export async function addCredentials(services: Services, argument?: ConnectArgument): Promise<void> {
  const entry = await choosePack(services, argument);
  if (entry === undefined) return;
  try {
    const added = await addOAuthCredentials(
      {
        scope: argument?.scope ?? "user",
        packName: packName(entry),
        host: services.host(),
        accounts: services.accounts,
        redirect: redirectSettings(),
      },
      packKey(entry),
    );
    if (added !== undefined) void vscode.window.showInformationMessage(`The OAuth credentials of ${packName(entry)} are stored.`);
  } catch (error) {
    await services.showError(error, entry);
  }
}
