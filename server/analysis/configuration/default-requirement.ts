// Which formulas and tables a configuration's defaultConnectionRequirement applies to: those without a requirement of their own.

import { ENUMS } from "../../../spec/fields.ts";
import type { PackModel } from "../model/pack.ts";
import type { ObjectValue } from "../model/values.ts";
import { valueIn } from "./config.ts";

/** Whether any formula or table may use the default. Otherwise the platform never reads it. */
export const mayUseDefault = (pack: PackModel): boolean =>
  !pack.complete.runnables || pack.runnables.some(({ definition }) => !hasOwnRequirement(pack, definition));

function hasOwnRequirement(pack: PackModel, definition: ObjectValue): boolean {
  const value = valueIn(pack, definition, "connectionRequirement");
  if (value?.kind === "member") return Object.hasOwn(ENUMS.ConnectionRequirement, value.name);
  return value?.kind === "string" && value.value !== "";
}
