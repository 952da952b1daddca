// Where the platform has a provider send the browser back to, once a pack is published (sdk-facts-2, section 11): each pack has an address
// of its own, with the pack's id. A pack of a single tenant has another id there, and its address is not documented (sdk-facts-3, section 16).

/** The redirect addresses of a published pack, to be registered at the provider; or where its author finds the address. */
export type PublishedRedirect =
  | {
      readonly address: string;
      /** Those of before, which the platform calls legacy and still takes. */
      readonly legacy: readonly string[];
    }
  | { readonly address?: undefined; readonly whereToFind: string };

/** By the file that the Packs SDK's commands keep beside the pack. `read` gives the text of a file there. */
export function publishedRedirect(read: (name: string) => string | undefined): PublishedRedirect {
  const { packId, environmentPackIds, options } = packFile(read(".coda-pack.json"));
  const tenant = tenantOf(options?.apiEndpoint);
  if (tenant !== undefined) {
    const id = environmentPackIds?.[tenant];
    return {
      whereToFind: isPackId(id) ? `Pack ${id} at ${tenant}: its dialog Add OAuth credentials shows the redirect address.` : NO_PACK_ID,
    };
  }
  if (!isPackId(packId)) return { whereToFind: NO_PACK_ID };
  return {
    address: `https://docs.superhuman.com/packsAuth/oauth2/${packId}`,
    legacy: [`https://coda.io/packsAuth/oauth2/${packId}`, "https://coda.io/packsAuth/oauth2"],
  };
}

/** The host of another endpoint than that of the Packs SDK's commands: the pack has another id there. Nothing in it is markup of a hover. */
const tenantOf = (endpoint: unknown): string | undefined =>
  typeof endpoint === "string" && endpoint !== "https://coda.io"
    ? /^https:\/\/([a-z\d.-]+(?::\d+)?)(?:[/?#]|$)/i.exec(endpoint)?.[1]?.toLowerCase()
    : undefined;

/** A folder whose pack is not registered can have -1. */
const isPackId = (id: unknown): id is number => typeof id === "number" && Number.isSafeInteger(id) && id > 0;

/** As the Packs SDK writes it; a person may have written anything else. */
interface PackFile {
  readonly packId?: unknown;
  readonly environmentPackIds?: Readonly<Record<string, unknown>> | null;
  readonly options?: { readonly apiEndpoint?: unknown } | null;
}

function packFile(text: string | undefined): PackFile {
  try {
    return (JSON.parse(text ?? "{}") as PackFile | null) ?? {};
  } catch {
    return {};
  }
}

/** Where the address is found as long as there is no id. */
const NO_PACK_ID = "Run packs create or packs link: the published pack's redirect address has the pack's id.";
