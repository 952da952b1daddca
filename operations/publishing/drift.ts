// Compares the published pack's OAuth configuration with its source.
import { z } from "zod";
import { packInput } from "../inputs.ts";
import { operation } from "../operation.ts";
import { comparePublished } from "./compare-published.ts";

/** Returns undefined if the person entered no API token. */
export const drift = operation({
  about: `Compares the OAuth configuration of the published pack with this source: client ID, secret, scopes, addresses, token prefix. It only
reads. The platform masks the client ID, so only its visible characters are compared.`,
  input: z.strictObject({ pack: packInput }),
  missing: {},
  run: async ({ pack }, world) => (await comparePublished(pack, world))?.drift,
});
