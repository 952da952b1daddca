// Compares the published pack's OAuth configuration with its source: the operation `drift`, and the beginning of a hand-over.
import { z } from "zod";
import { packKey } from "../../platform/accounts/accounts.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { type Drift, driftOf, oauthScopeOf } from "../../platform/production/drift.ts";
import type { HandOver } from "../../platform/production/hand-over.ts";
import { publishedPack } from "../../platform/public-api/published-pack.ts";
import { sealedClient } from "../accounts/sealed-client.ts";
import { packInput } from "../inputs.ts";
import { operation } from "../operation.ts";
import type { World } from "../world.ts";

/** Returns undefined if the person entered no API token. */
export const drift = operation({
  about: `Compares the OAuth configuration of the published pack with this source: client ID, secret, scopes, addresses, token prefix. It only
reads. The platform masks the client ID, so only its visible characters are compared.`,
  input: z.strictObject({ pack: packInput }),
  missing: {},
  run: async ({ pack }, world) => (await comparePublished(pack, world))?.drift,
});

export interface Comparison {
  readonly drift: Drift;
  /** Where a client would be handed over to; undefined if the pack has no OAuth2 configuration. */
  readonly target: (Omit<HandOver, "agree" | "whileSending"> & { readonly isDynamic: boolean }) | undefined;
}

/** Returns undefined if the person entered no API token. Throws PackAuthError. */
export async function comparePublished(path: string, world: World): Promise<Comparison | undefined> {
  const entry = world.entryOf(path);
  const { definition } = await world.openPack(entry);
  const scope = oauthScopeOf(definition);
  const auth = scope && definition[`${scope}Authentication`];
  if (scope === undefined || auth === undefined) return { drift: driftOf(undefined, definition, undefined), target: undefined };
  const published = publishedPack(entry);
  const api = await world.openApi(published, "Compare with the published pack");
  if (api === undefined) return undefined;
  const { accounts } = await world.openStore();
  const key = packKey(entry);
  if (await accounts.hasSealedClient(key, scope)) throw sealedClient(entry);
  const client = await accounts.clientCredentials(key, scope);
  return {
    drift: driftOf(await api.oauthConfig(published.packId, world.signal), definition, client),
    target: {
      entry,
      packName: packName(entry),
      scope,
      auth,
      accounts,
      api,
      published,
      isDynamic: auth.useDynamicClientRegistration === true,
    },
  };
}
