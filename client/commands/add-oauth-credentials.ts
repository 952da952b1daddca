// `packAuth.addOAuthCredentials`: asks for client ID and secret, once per pack and setter (auth-spec 5.5.4).

import * as vscode from "vscode";
import { defined } from "../../base/defined.ts";
import { packKey } from "../../platform/accounts/accounts.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { addOAuthCredentials } from "../../platform/connect/oauth-credentials.ts";
import type { Services } from "../services.ts";
import { showInformation } from "../shown/messages.ts";
import { redirectSettings } from "../window/settings.ts";
import type { ConnectArgument } from "./connect-account.ts";
import { inPack } from "./in-pack.ts";

/** Reads the authentication from the source. No code of the pack runs, so this works in untrusted workspaces too. */
export const addCredentials = (services: Services, argument?: ConnectArgument): Promise<void> =>
  inPack(services, argument, undefined, async (entry) => {
    const scope = argument?.scope ?? "user";
    const outline = await services.server.outline(vscode.Uri.file(entry).toString());
    const { type, tokenUrl } = outline?.authentications.find((auth) => auth.scope === scope) ?? {};
    const added = await addOAuthCredentials(
      {
        scope,
        packName: packName(entry),
        host: services.host(),
        accounts: services.accounts,
        redirect: redirectSettings(),
        ...defined({ type, tokenUrl }),
      },
      packKey(entry),
    );
    if (added !== undefined)
      void showInformation(`Connect an account to try the OAuth credentials of ${packName(entry)}. They are stored, but not tried yet.`);
  });
