// What the panel keeps over a reload of the window: the form that it shows, and those of the formulas that it showed before. Pure.
import { defined } from "../../base/defined.ts";
import type { FormMemory, PanelMemory, RunnableArgument } from "../../protocol/panel.ts";
import type { PanelState } from "./state.ts";

/** Forms of other formulas that are kept. */
const MOST = 30;

export const keyOf = ({ entry, kind, name }: RunnableArgument): string => `${kind}:${name}:${entry}`;

/** `shown`: the result to come back to, where none is shown yet. */
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

/** The form of a formula as it was left, here or before a reload. */
export const formOf = (memory: PanelMemory | undefined, target: RunnableArgument): FormMemory | undefined =>
  memory === undefined || keyOf(memory.target) === keyOf(target) ? memory : memory.otherForms?.[keyOf(target)];

function otherFormsOf(before: PanelMemory | undefined, key: string): Readonly<Record<string, FormMemory>> {
  if (before === undefined) return {};
  const { target, otherForms = {}, isPinned: _, ...form } = before;
  const left = keyOf(target);
  const retainedForms = Object.entries(otherForms).filter(([other]) => other !== left);
  return Object.fromEntries([...retainedForms, [left, form] as const].filter(([other]) => other !== key).slice(-MOST));
}
