// Validates a bundle that the Packs SDK itself built, in a pack process.
import type { UploadValidation } from "../../protocol/validation.ts";
import type { PackBundle } from "../bundle/bundle.ts";
import type { PackOptions } from "./pack.ts";
import { loadError } from "./pack-errors.ts";
import { validateLoaded } from "./validate.ts";
import { openWorkshop } from "./workshop.ts";

/**
 * Validates a bundle that the Packs SDK itself built of the entry: a script that assigns `module.exports`. It runs in a process of its own.
 * Throws the errors of {@link validateLoaded}, toolkit-missing, pack-not-exported, or pack-throws-while-loading.
 */
export async function validateBundle(entry: string, code: string, options: PackOptions, signal?: AbortSignal): Promise<UploadValidation> {
  const workshop = await openWorkshop(entry, options, options.process);
  try {
    const { toolkit, toolkitVersion } = await workshop.validator();
    const bundle: PackBundle = {
      entry,
      code: asScript(code),
      toolkit,
      toolkitVersion,
      sourceMap: NO_MAP,
      fileOf: () => undefined,
      inputs: [],
    };
    const { process } = await workshop.load(bundle).catch((error: unknown) => {
      throw loadError(error, bundle);
    });
    try {
      return await validateLoaded(workshop, process, signal);
    } finally {
      process.dispose();
    }
  } finally {
    workshop.release();
  }
}

const NO_MAP = JSON.stringify({ version: 3, sources: [], names: [], mappings: "" });

/** The bundle is a script of the platform's runtime, where `module` and `global` are variables. */
const asScript = (code: string): string =>
  `(function (module, global) {${code}\nglobalThis.__packAuthExports = module.exports;\n})({ exports: {} }, globalThis);`;
