// What a panel runs: the formula or table that it was opened for, as the pack has it now, and what of it a click asks for.

import type { Pack } from "../../platform/process/pack.ts";
import { defined } from "../../protocol/defined.ts";
import type { FromPanel, Runnable, RunnableArgument } from "../../protocol/panel.ts";
import type { RunReport, RunTarget } from "../../protocol/run.ts";

/** Undefined where the pack has none of that name any more. */
export function findRunnable(pack: Pack, target: RunnableArgument): Runnable | undefined {
  if (target.kind === "formula") {
    const definition = pack.definition.formulas.find((formula) => formula.name === target.name);
    return definition === undefined ? undefined : { kind: "formula", definition };
  }
  const definition = pack.definition.syncTables.find((table) => table.name === target.name);
  return definition === undefined ? undefined : { kind: "syncTable", definition };
}

/** `shown`: the report in view, which an edit of a row and "what is new" go on from. */
export function targetOf(
  { kind, name }: RunnableArgument,
  { dynamicUrl, update, sinceShown }: FromPanel & { type: "run" | "debug" },
  shown: RunReport | undefined,
): RunTarget {
  if (kind === "formula") return { kind, name };
  const url = dynamicUrl === undefined ? {} : { dynamicUrl };
  if (update === undefined) {
    const completion = sinceShown === true ? shown?.sync?.completion : undefined;
    return { kind, name, ...url, ...defined({ previousCompletion: completion }) };
  }
  // A dynamic table's schema is the one that its rows came with.
  return {
    kind: "update",
    name,
    ...url,
    ...(dynamicUrl === undefined || shown === undefined ? {} : { schema: shown.schema }),
    updates: [update],
  };
}
