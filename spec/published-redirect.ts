// The address to which a provider redirects the browser once a pack is published (sdk-facts-2, section 11). Each pack has its own address,
// which contains the pack's ID. In a single-tenant deployment, a pack has another ID, and its address is undocumented (sdk-facts-3, section
// 16).
import { DEFAULT_ORIGIN, idAt, PACK_FILE, packIdOf, parsePackFile } from "./pack-file.ts";

/** The redirect addresses of a published pack, for registration at the provider; or a hint how the author finds the address. */
export type PublishedRedirect =
  | {
      readonly address: string;
      /** Former addresses, which the platform calls legacy and still accepts. */
      readonly legacy: readonly string[];
    }
  | { readonly address?: undefined; readonly whereToFind: string };

/** Returns the addresses from the file that the Packs SDK's commands keep beside the pack. `read` returns the text of a file there. */
export function publishedRedirect(read: (name: string) => string | undefined): PublishedRedirect {
  const file = parsePackFile(read(PACK_FILE));
  const tenant = tenantOf(file.options?.apiEndpoint);
  if (tenant !== undefined) {
    const id = idAt(file, tenant);
    return {
      whereToFind: id !== undefined ? `Pack ${id} at ${tenant}: its dialog Add OAuth credentials shows the redirect address.` : NO_PACK_ID,
    };
  }
  const packId = packIdOf(file.packId);
  if (packId === undefined) return { whereToFind: file.isBroken ? BROKEN_FILE : NO_PACK_ID };
  return {
    address: `https://docs.superhuman.com/packsAuth/oauth2/${packId}`,
    legacy: [`https://coda.io/packsAuth/oauth2/${packId}`, "https://coda.io/packsAuth/oauth2"],
  };
}

/**
 * Returns the host of an endpoint other than the default of the Packs SDK's commands, at which the pack has another ID. The pattern admits
 * no markup of a hover.
 */
const tenantOf = (endpoint: unknown): string | undefined =>
  typeof endpoint === "string" && endpoint !== DEFAULT_ORIGIN
    ? /^https:\/\/([a-z\d.-]+(?::\d+)?)(?:[/?#]|$)/i.exec(endpoint)?.[1]?.toLowerCase()
    : undefined;

const BROKEN_FILE = `Correct the file ${PACK_FILE}, which is no JSON object: the published pack's redirect address has the pack's id.`;

/** How the author finds the address while the pack has no ID. */
const NO_PACK_ID = "Run packs create or packs link: the published pack's redirect address has the pack's id.";
