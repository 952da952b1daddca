// Where the platform has a provider send the browser back to, once a pack is published (sdk-facts-2, section 11): each pack has an address
// of its own, with the pack's id.

import { t } from "@vscode/l10n";

/** The redirect addresses of a published pack, to be registered at the provider. */
export interface PublishedRedirect {
  readonly address: string;
  /** Those of before, which the platform calls legacy and still takes. */
  readonly legacy: readonly string[];
}

/** By the id in the file that the Packs SDK's commands keep beside the pack; undefined where there is none. `read` gives the text of a file there. */
export function publishedRedirect(read: (name: string) => string | undefined): PublishedRedirect | undefined {
  const id = idIn(read(".coda-pack.json"));
  return id === undefined
    ? undefined
    : {
        address: `https://docs.superhuman.com/packsAuth/oauth2/${id}`,
        legacy: [`https://coda.io/packsAuth/oauth2/${id}`, "https://coda.io/packsAuth/oauth2"],
      };
}

/** A folder whose pack is not registered can have -1. */
function idIn(text: string | undefined): number | undefined {
  try {
    const { packId } = JSON.parse(text ?? "{}") as { readonly packId?: unknown };
    return typeof packId === "number" && Number.isSafeInteger(packId) && packId > 0 ? packId : undefined;
  } catch {
    return undefined;
  }
}

/** Where the address is found as long as there is no id. */
export const NO_PACK_ID = t`Run packs create or packs link: the published pack's redirect address has the pack's id.`;
