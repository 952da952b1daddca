// Who needs an account for want of a word of its own: what a configuration's defaultConnectionRequirement is about.

import { ENUMS } from "../../../spec/fields.ts";
import type { PackModel } from "../model/pack.ts";
import type { ObjectValue } from "../model/values.ts";
import { valueIn } from "./config.ts";

/** Whether a formula or a table may take the default. Where none does, the platform never looks at it. */
export const mayUseDefault = (pack: PackModel): boolean =>
  !pack.complete.runnables || pack.runnables.some(({ definition }) => !hasOwnRequirement(pack, definition));

function hasOwnRequirement(pack: PackModel, definition: ObjectValue): boolean {
  const value = valueIn(pack, definition, "connectionRequirement");
  if (value?.kind === "member") return Object.hasOwn(ENUMS.ConnectionRequirement, value.name);
  return value?.kind === "string" && value.value !== "";
}
