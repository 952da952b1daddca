// Gets a new access token for an account.

import { z } from "zod";
import { defined } from "../../base/defined.ts";
import { quoteName } from "../../base/quote.ts";
import { unusable } from "../../platform/accounts/account-state.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { refreshAccount as refreshTokens } from "../../platform/oauth/refresh.ts";
import { operation } from "../operation.ts";
import { sandboxSignIn } from "../sandbox/sandbox-sign-in.ts";
import { namedAccount, namedAccountInputs } from "./named-account.ts";

export const refreshAccount = operation({
  about: "Gets a new access token now (OAuth).",
  input: z.strictObject(namedAccountInputs),
  missing: {},
  async run(input, world) {
    const store = await world.openStore();
    const { accounts, platform } = store;
    const account = await namedAccount(input, world, store);
    const { id, label, scope } = account;
    const [stored, state] = await Promise.all([accounts.credential(id), accounts.stateOf(account)]);
    if (stored === undefined && state.state !== "ready")
      throw unusable(state, (reason) => `${quoteName(label)} cannot be refreshed: ${reason}.`);
    if (stored?.kind !== "oauth2")
      throw new PackAuthError("refresh-failed", `${quoteName(label)} has no token to refresh.`, { nextStep: { do: "signInAgain" } });
    const pack = await world.openPack(account.entry);
    const auth = pack.definition[`${scope}Authentication`];
    if (auth === undefined) throw new PackAuthError("sign-in-again", `The pack has no ${scope} authentication any more.`);
    const sandboxClient = account.sandboxOrigin === undefined ? undefined : (await sandboxSignIn(world, pack, scope)).clientCredentials;
    const fresh = await refreshTokens(account, auth, stored, { ...platform, accounts, ...defined({ sandboxClient }) });
    if (fresh === undefined)
      throw new PackAuthError("refresh-failed", `The provider returned no refresh token for ${quoteName(label)}.`, {
        nextStep: { do: "signInAgain" },
      });
    const { expiresAt } = fresh;
    return { id, label, ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }) };
  },
});
