// The panel's data that survives a reload of the window: the current form, and the forms of earlier formulas. Pure.
import { defined } from "../../base/defined.ts";
import type { FormMemory, PanelMemory, RunnableArgument } from "../../protocol/panel.ts";
import type { PanelState } from "./state.ts";

/** The most stored forms of other formulas. */
const MOST = 30;

export const keyOf = ({ entry, kind, name }: RunnableArgument): string => `${kind}:${name}:${entry}`;

/** `earlierRunId`: the result to restore if none is shown yet. */
export function memoryOf(state: PanelState, before: PanelMemory | undefined, earlierRunId: string | undefined): PanelMemory | undefined {
  const { target, values, runOnSave, account, isPinned } = state;
  if (target === undefined) return before;
  const entry = state.shownRunId ?? earlierRunId;
  return {
    target,
    values,
    runOnSave,
    isPinned,
    ...defined({ account, shownRunId: entry }),
    otherForms: otherFormsOf(before, keyOf(target)),
  };
}

/** Returns the form of a formula as the author left it, now or before a reload. */
export const formOf = (memory: PanelMemory | undefined, target: RunnableArgument): FormMemory | undefined =>
  memory === undefined || keyOf(memory.target) === keyOf(target) ? memory : memory.otherForms?.[keyOf(target)];

function otherFormsOf(before: PanelMemory | undefined, key: string): Readonly<Record<string, FormMemory>> {
  if (before === undefined) return {};
  const { target, otherForms = {}, isPinned: _, ...form } = before;
  const left = keyOf(target);
  const retainedForms = Object.entries(otherForms).filter(([other]) => other !== left);
  return Object.fromEntries([...retainedForms, [left, form] as const].filter(([other]) => other !== key).slice(-MOST));
}
