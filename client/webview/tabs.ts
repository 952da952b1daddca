// A list of tabs with one selected. Arrow keys move between tabs (WAI-ARIA, tabs pattern).
import { html, type TemplateResult } from "lit";
import { neighbour } from "./arrow-keys.ts";

interface TabItem<Id extends string> {
  readonly id: Id;
  readonly name: string;
  /** Content after the name. */
  readonly mark?: unknown;
}

interface TabList<Id extends string> {
  readonly label: string;
  /** The prefix of the elements' IDs and test IDs: `kind-id`. */
  readonly kind: string;
  readonly tabs: readonly TabItem<Id>[];
  readonly selected: Id;
  /** The ID of the element that shows the selected content. */
  readonly controls: string;
  select(id: Id): void;
}

export function tabList<Id extends string>({ label, kind, tabs, selected, controls, select }: TabList<Id>): TemplateResult {
  const move = (event: KeyboardEvent): void => {
    const index = tabs.findIndex(({ id }) => id === selected);
    const next = neighbour(tabs, index, event.key);
    if (next === undefined) return;
    event.preventDefault();
    select(next.id);
    document.getElementById(`${kind}-${next.id}`)?.focus();
  };
  return html`<div role="tablist" aria-label=${label} @keydown=${move}>
    ${tabs.map(
      ({ id, name, mark = "" }) =>
        html`<button type="button" role="tab" id="${kind}-${id}" data-testid="${kind}-${id}" aria-selected=${id === selected} aria-controls=${controls} tabindex=${id === selected ? 0 : -1} @click=${() => select(id)}>${name}${mark}</button>`,
    )}
  </div>`;
}
