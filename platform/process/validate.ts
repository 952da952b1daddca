// Validates a pack with the Packs SDK's own upload validator, in a pack process. Invariant: without the validator's word, nothing is said
// to be accepted.
import type { UploadValidation } from "../../protocol/validation.ts";
import { VALIDATOR_FILENAME } from "../bundle/toolkit.ts";
import { PackAuthError } from "../errors.ts";
import type { PackProcess } from "./process.ts";
import type { Workshop } from "./workshop.ts";

/**
 * Validates the pack that a process has loaded and that no run uses. Throws time-limit, memory-limit or process-crashed, or the signal's
 * reason.
 */
export async function validateLoaded(workshop: Workshop, process: PackProcess, signal?: AbortSignal): Promise<UploadValidation> {
  const { validator, toolkitVersion } = await workshop.validator();
  const toolkit = toolkitVersion === undefined ? "The installed Packs SDK" : `The installed Packs SDK ${toolkitVersion}`;
  if (validator === undefined) return unchecked(`${toolkit} has no upload validator where newer versions have it.`);
  if (validator instanceof PackAuthError)
    return unchecked(`${toolkit} has an upload validator that cannot be built: ${validator.message.replace(/\.?$/, ".")}`);
  if (toolkitVersion === undefined)
    return unchecked("The installed Packs SDK does not name its version, which its upload validator needs.");
  const { isUsable, metadata, errors, warnings } = await process.validate(validator, VALIDATOR_FILENAME, toolkitVersion, signal);
  if (!isUsable) return unchecked(`${toolkit} has an upload validator that cannot be called.`);
  return { isChecked: true, toolkitVersion, metadata, errors, warnings };
}

const unchecked = (reason: string): UploadValidation => ({ isChecked: false, reason });
