// Which published pack a source belongs to: its ID, and the origin of its platform.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { DEFAULT_ORIGIN, idAt, PACK_FILE, packIdOf, parsePackFile } from "../../spec/pack-file.ts";
import { PackAuthError } from "../errors.ts";
import { readRegularFile } from "../files/regular-file.ts";
import { apiOrigin, hostOf } from "./api-origin.ts";

export interface PublishedPack {
  readonly packId: number;
  /** Such as `https://coda.io`. A file of the workspace names it, so no token goes there before a person agreed. */
  readonly origin: string;
}

/** Throws pack-id-missing, or api-host-unapproved if the file beside the entry names something else than an https origin. */
export function publishedPack(entry: string): PublishedPack {
  const path = join(dirname(entry), PACK_FILE);
  // A folder, or a file of many megabytes, is no missing file.
  const file = parsePackFile(readRegularFile(path) ?? (existsSync(path) ? "" : undefined));
  if (file.isBroken)
    throw new PackAuthError("pack-id-missing", `The file ${PACK_FILE} is no JSON object.`, {
      hint: "Correct the file, or restore it. packs create would create another pack.",
    });
  const endpoint = file.options?.apiEndpoint ?? DEFAULT_ORIGIN;
  const origin = apiOrigin(typeof endpoint === "string" ? endpoint : "", `options.apiEndpoint in ${PACK_FILE}`);
  const host = hostOf(origin);
  const packId = origin === DEFAULT_ORIGIN ? packIdOf(file.packId) : idAt(file, host);
  if (packId === undefined)
    throw new PackAuthError("pack-id-missing", `The pack has no ID at ${host}.`, {
      hint: `Run packs create for a new pack, or packs link for one that exists. They write the ID to ${PACK_FILE}.`,
    });
  return { packId, origin };
}
