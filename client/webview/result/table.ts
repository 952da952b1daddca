// The result as a table of any length: only visible rows are in the document. Headers sort the rows. Arrow keys move between rows, and a
// selected row is shown in full (WAI-ARIA, grid pattern).
import { html, nothing, type TemplateResult } from "lit";
import type { RowUpdate } from "../../../protocol/run.ts";
import type { Actions } from "../actions.ts";
import type { PanelState } from "../state.ts";
import { valueView } from "./rendered.ts";
import { arrange, cellText, type Row, type Table } from "./rows.ts";
import { treeView } from "./tree.ts";
import "./row-editor.ts";
import { type OptionsQuestion, propertiesWithOptions } from "./row-options.ts";
import "./windowed-rows.ts";

/** The number of rows that determine the column widths. */
const SAMPLE = 50;

interface Arranged {
  readonly rows: readonly Row[];
  readonly columns: string;
}

/** Caches the arrangement for each table, filter and order, because 10,000 rows would be too slow at every keystroke in the form. */
const arranged = new WeakMap<Table, { key: string; value: Arranged }>();

export function arrangedRows(table: Table, state: PanelState): Arranged {
  const key = JSON.stringify([state.filter, state.order]);
  const cachedEntry = arranged.get(table);
  if (cachedEntry?.key === key) return cachedEntry.value;
  const value = { rows: arrange(table, state.filter, state.order), columns: columnWidths(table) };
  arranged.set(table, { key, value });
  return value;
}

function columnWidths({ columns, rows }: Table): string {
  const sample = rows.slice(0, SAMPLE);
  return columns
    .map((column) => {
      const widest = Math.max(column.length + 2, ...sample.map((row) => cellText(row[column]).length));
      return `${Math.min(Math.max(widest, 6), 40) + 4}ch`;
    })
    .join(" ");
}

const kindOf = (value: unknown): "number" | typeof nothing => (typeof value === "number" ? "number" : nothing);

const rowId = (index: number): string => `row-${index}`;

/** With a `schema` the values are rendered as it requires. */
export function tableView(table: Table, state: PanelState, actions: Actions, schema?: unknown): TemplateResult {
  if (table.rows.length === 0) return html`<p class="empty" data-testid="result-table">${"No rows."}</p>`;
  const { rows, columns } = arrangedRows(table, state);
  const selected = state.row === undefined ? undefined : rows[state.row];
  const place = { actions, isLine: true };
  const rowView = (index: number): TemplateResult => html`<div
    role="row"
    class="grid-row"
    id=${rowId(index)}
    aria-rowindex=${index + 2}
    aria-selected=${index === state.row}
    @click=${(event: Event) => {
      const grid = (event.currentTarget as HTMLElement).closest<HTMLElement>(".grid");
      actions.setRow(index);
      if (grid !== null) requestAnimationFrame(() => showRow(grid, index));
    }}
  >
    ${table.columns.map((column) => html`<div role="gridcell" class=${kindOf(rows[index]?.[column])}>${valueView(rows[index]?.[column], schema, column, place)}</div>`)}
  </div>`;
  return html`<div
      role="grid"
      class=${selected === undefined ? "grid" : "grid with-detail"}
      data-testid="result-table"
      aria-label=${"Result"}
      aria-rowcount=${rows.length + 1}
      aria-colcount=${table.columns.length}
      aria-activedescendant=${state.row === undefined ? nothing : rowId(state.row)}
      tabindex="0"
      style="--columns: ${columns}"
      @keydown=${(event: KeyboardEvent) => moveRow(event, state, rows.length, actions)}
    >
      <div role="rowgroup" class="grid-head">
        <div role="row" class="grid-row" aria-rowindex="1">${table.columns.map((column) => headerView(column, state, actions))}</div>
      </div>
      <pack-auth-rows role="rowgroup" class="grid-body" .count=${rows.length} .row=${rowView}></pack-auth-rows>
    </div>
    ${rows.length === 0 ? html`<p class="empty">${`No row contains “${state.filter}”.`}</p>` : nothing}
    ${
      selected === undefined
        ? nothing
        : html`<section class="detail" aria-label=${`Row ${(state.row ?? 0) + 1}`} data-testid="row-detail">
            <h2>${`Row ${(state.row ?? 0) + 1}`} <button type="button" @click=${() => actions.setRow(undefined)}>${"Close"}</button></h2>
            ${isEditable(state) ? html`<pack-auth-row-editor .row=${selected} .properties=${propertiesWithOptions(state.report?.schema)} .choices=${state.choices} ?disabled=${state.running} @ask=${({ detail }: CustomEvent<OptionsQuestion>) => actions.askOptions(detail.property, detail.row, detail.search)} @send=${(event: CustomEvent<RowUpdate>) => actions.update(event.detail)}></pack-auth-row-editor>` : nothing}
            <div class="tree">${treeView(undefined, selected, true)}</div>
          </section>`
    }`;
}

/** Returns whether the rows come from a two-way table. The result of an update is not editable. */
const isEditable = ({ runnable, report }: PanelState): boolean =>
  runnable?.kind === "syncTable" && runnable.definition.isTwoWay === true && report?.target.kind === "syncTable";

function headerView(column: string, state: PanelState, actions: Actions): TemplateResult {
  const order = state.order?.column === column ? state.order : undefined;
  const next = order === undefined ? { column, descending: false } : order.descending ? undefined : { column, descending: true };
  return html`<div role="columnheader" aria-sort=${order === undefined ? "none" : order.descending ? "descending" : "ascending"}>
    <button type="button" data-testid="sort-${column}" title=${`Sort by ${column}`} @click=${() => actions.setOrder(next)}>
      ${column}${order === undefined ? nothing : html`<span aria-hidden="true"> ${order.descending ? "↓" : "↑"}</span>`}
    </button>
  </div>`;
}

/** Rows of a page, for Page Up and Page Down. */
const PAGE = 15;

function moveRow(event: KeyboardEvent, state: PanelState, count: number, actions: Actions): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
  const from = state.row ?? -1;
  const to = { ArrowDown: from + 1, ArrowUp: from - 1, PageDown: from + PAGE, PageUp: from - PAGE, Home: 0, End: count - 1 }[event.key];
  if (to === undefined || count === 0) return;
  event.preventDefault();
  const row = Math.min(Math.max(to, 0), count - 1);
  const grid = event.currentTarget as HTMLElement;
  actions.setRow(row);
  // The row scrolls into view after the drawing, because the details of a row take part of the table's room.
  requestAnimationFrame(() => showRow(grid, row));
}

/** Scrolls to a row. All rows have the same height, so this works for rows outside the document too. */
function showRow(grid: HTMLElement, row: number): void {
  const head = grid.querySelector<HTMLElement>(".grid-head")?.offsetHeight ?? 0;
  const height = grid.querySelector<HTMLElement>(".grid-body .grid-row")?.offsetHeight ?? head;
  const top = row * height;
  if (top < grid.scrollTop) grid.scrollTop = top;
  else if (top + height > grid.scrollTop + grid.clientHeight - head) grid.scrollTop = top + height - grid.clientHeight + head;
}
