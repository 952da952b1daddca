// The client ID and secret of a pack's OAuth application: shows, stores and removes them.
import { z } from "zod";
import { defined } from "../../base/defined.ts";
import { packKey } from "../../platform/accounts/accounts.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { authenticationOf } from "../../platform/connect/choose-flow.ts";
import { addOAuthCredentials } from "../../platform/connect/oauth-credentials.ts";
import { PackAuthError } from "../../platform/errors.ts";
import type { ClientCredentials } from "../../platform/secrets/credential.ts";
import { isOAuthType } from "../../spec/auth-types.ts";
import { sealedClient } from "../accounts/sealed-client.ts";
import { input, packInput } from "../inputs.ts";
import type { Observer } from "../observer.ts";
import { operation } from "../operation.ts";

const clientInput = z.strictObject({
  pack: packInput,
  system: input(z.boolean().default(false), "Use the system authentication instead of the users'."),
});

/** A pack, with its stored client if there is one, but never the secret. */
export type ClientRow = ReturnType<typeof clientRow>;

const clientRow = (pack: string, { clientId, clientSecret, tokenEndpoints = [], registration }: Partial<ClientCredentials> = {}) => ({
  pack,
  tokenEndpoints,
  hasSecret: clientSecret !== undefined,
  ...defined({ clientId, issuer: registration?.issuer }),
});

export const addClient = operation({
  about: "Shows the stored OAuth client ID of the pack, and asks for another client ID and secret.",
  input: clientInput,
  missing: {},
  /** The stored client is a part. The output has no client ID if the person changes nothing. */
  async run({ pack: path, system }, world, person, { part }: Observer<ClientRow>) {
    const entry = world.entryOf(path);
    const [pack, key, scope] = [packName(entry), packKey(entry), system ? "system" : "user"] as const;
    // The check comes first, so that nothing is said of credentials that the pack cannot have.
    const { type, tokenUrl } = authenticationOf(await world.openPack(entry), scope);
    if (!isOAuthType(type))
      throw new PackAuthError("invalid-parameter", `The ${scope} authentication of ${pack} is ${type}, which has no client ID.`);
    const { accounts, platform, redirect } = await world.openStore();
    if (await accounts.hasSealedClient(key, scope)) throw sealedClient(entry);
    part(clientRow(pack, await accounts.clientCredentials(key, scope)));
    await platform.secrets.assertStorable?.();
    const common = { scope, packName: pack, accounts, signal: world.signal, type, ...defined({ redirect, tokenUrl }) };
    const notice = { title: `Store OAuth credentials of ${pack}?`, facts: [], warnings: [], agree: "Enter them" };
    const added = await person.withPrompts(notice, ({ prompter }) =>
      addOAuthCredentials({ ...common, host: { ...platform, prompter } }, key),
    );
    return { pack, ...defined({ clientId: added?.clientId }) };
  },
});

export const removeClient = operation({
  about: "Removes the stored OAuth client ID and secret of the pack.",
  input: clientInput,
  missing: {},
  /** Works without the pack's code, and for a client that cannot be read. */
  async run({ pack, system }, world) {
    const entry = world.entryOf(pack);
    const [key, scope] = [packKey(entry), system ? "system" : "user"] as const;
    const { accounts } = await world.openStore();
    const stored = await accounts.clientCredentials(key, scope);
    const isRemoved = stored !== undefined || (await accounts.hasSealedClient(key, scope));
    if (isRemoved) await accounts.removeClientCredentials(key, scope);
    return { ...clientRow(packName(entry), stored), isRemoved };
  },
});
