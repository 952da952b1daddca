// The result: as a table, with its values rendered, as a tree, or raw; copied, saved or opened as a document.
import { html, nothing, type TemplateResult } from "lit";
import type { RunReport } from "../../protocol/run.ts";
import type { Actions } from "./actions.ts";
import { errorView } from "./error.ts";
import { valueView } from "./rendered.ts";
import { cellText, countOfRows, isDate, isRecord, type Table, tableOf, toCsv, toTsv, VALUE } from "./rows.ts";
import { type PanelState, progressOf, type ResultView } from "./state.ts";
import { arrangedRows, tableView } from "./table.ts";
import { treeView } from "./tree.ts";
import { underWayView } from "./under-way.ts";

const VIEWS: Readonly<Record<ResultView, string>> = { table: "Table", rendered: "Rendered", json: "JSON", raw: "Raw" };

/** The table of a result is made once. */
const tables = new WeakMap<object, Table>();

function tableFor(value: unknown): Table {
  if (value === null || typeof value !== "object") return tableOf(value);
  const known = tables.get(value) ?? tableOf(value);
  tables.set(value, known);
  return known;
}

/** As much of a text as a page can show at once; Open shows it all. */
const MOST_TEXT = 500_000;

export function resultView(state: PanelState, actions: Actions): TemplateResult {
  const { report } = state;
  if (report === undefined)
    return html`<p class="empty" data-testid="result">${state.running ? `${progressOf(state)}${state.rows === undefined ? "" : " so far"}` : "Run the formula to see its result here."}</p>
      ${underWayView(state)}`;
  const { outcome } = report;
  if (outcome.status === "failed") return html`<div data-testid="result">${errorView(outcome.error, actions)}</div>`;
  if (outcome.status === "cancelled" && !outcome.rows)
    return html`<p class="empty" data-testid="result">${cancelledAfter(outcome.rows)}</p>${warningsView(report, state, actions)}`;
  if (outcome.value === undefined || outcome.value === null)
    return html`<p class="empty" data-testid="result">The formula returned nothing: its cell stays blank.</p>${warningsView(report, state, actions)}`;
  const { value } = outcome;
  const table = tableFor(value);
  const shown = (): readonly Readonly<Record<string, unknown>>[] => arrangedRows(table, state).rows;
  const json = (): string => JSON.stringify(value, null, 2);
  const copied = (): [text: string, what: string] =>
    hasRows ? [toTsv(table.columns, shown()), "The rows"] : [asTable ? cellText(value) : json(), "The result"];
  const name = "name" in report.target && typeof report.target.name === "string" ? report.target.name : "result";
  const asTable = state.view === "table" || state.view === "rendered";
  const hasRows = asTable && !isSingle(value);
  return html`<div data-testid="result">
    <div class="views">
      <div role="group" aria-label="How to show the result">
        ${(Object.keys(VIEWS) as ResultView[]).map((view) => html`<button type="button" class="text-button" data-testid="view-${view}" aria-pressed=${state.view === view} @click=${() => actions.setView(view)}>${VIEWS[view]}</button>`)}
      </div>
      ${
        hasRows
          ? html`<input
              type="search"
              data-testid="filter"
              aria-label="Filter the rows"
              placeholder="Filter"
              .value=${state.filter}
              @input=${(event: Event) => actions.setFilter((event.target as HTMLInputElement).value)}
            />`
          : ""
      }
      <span class="buttons">
      <button type="button" class="text-button" data-testid="copy" @click=${() => actions.copy(...copied())}>Copy</button>
      <button type="button" class="text-button" data-testid="save-csv" @click=${() => actions.save(`${name}.csv`, toCsv(table.columns, shown()))}>Save CSV</button>
      <button type="button" class="text-button" data-testid="save-json" @click=${() => actions.save(`${name}.json`, json())}>Save JSON</button>
      <button type="button" class="text-button" data-testid="open-result" @click=${actions.openResult}>Open</button>
      </span>
    </div>
    ${warningsView(report, state, actions)} ${body(state, table, value, actions)}
  </div>`;
}

const cancelledAfter = (rows: number | undefined): string => (rows === undefined ? "Cancelled." : `Cancelled after ${countOfRows(rows)}.`);

/** A text, a number and the like: nothing that has rows. */
const isSingle = (value: unknown): boolean => value !== null && (typeof value !== "object" || isDate(value));

const singleView = (shown: unknown): TemplateResult =>
  html`<div class="value" data-testid="result-table" tabindex="0">${shown === "" ? html`<span class="help">An empty text.</span>` : shown}</div>`;

/** Where the value is not what the pack says of it, and what a table's run left out. */
function warningsView(
  { outcome, warnings = [], sync, target }: RunReport,
  state: PanelState,
  actions: Actions,
): TemplateResult | typeof nothing {
  const notes = [
    ...(outcome.status === "cancelled" && outcome.rows ? [cancelledAfter(outcome.rows)] : []),
    ...(target.kind === "update" ? ["What executeUpdate gave back for the row. Run to see the table again."] : []),
    ...(sync?.limitReached ? ["There are more rows than were asked for."] : []),
    ...(target.kind === "syncTable" && target.previousCompletion !== undefined
      ? ["What is new since the completion of the run before."]
      : []),
    ...(sync !== undefined && sync.deleted.length > 0 ? [`${countOfRows(sync.deleted.length)} reported as deleted.`] : []),
  ];
  const knowsNew = isRecord(sync?.completion) && (sync.completion.incrementalContinuation ?? undefined) !== undefined;
  if (warnings.length === 0 && notes.length === 0 && !knowsNew) return nothing;
  return html`${notes.map((note) => html`<p class="help">${note}</p>`)}
  ${
    knowsNew
      ? html`<p class="help">The table gave a completion: the platform's next sync goes on from it.
          <button type="button" class="text-button" data-testid="read-new" ?disabled=${state.running} @click=${actions.readNew}>Read what is new</button></p>`
      : nothing
  }
  ${
    warnings.length === 0
      ? nothing
      : html`<details class="warnings" data-testid="result-warnings">
          <summary>${warnings.length === 1 ? "1 value is" : `${warnings.length} values are`} not what the schema says</summary>
          <ul>
            ${warnings.map(({ path, message }) => html`<li><code>${path || "the result"}</code> ${message}</li>`)}
          </ul>
        </details>`
  }`;
}

function body(state: PanelState, table: Table, value: unknown, actions: Actions): TemplateResult {
  const schema = state.report?.schema ?? state.runnable?.definition.schema ?? {};
  switch (state.view) {
    case "table":
      return isSingle(value) ? singleView(cellText(value)) : tableView(table, state, actions);
    case "rendered":
      return isSingle(value) ? singleView(valueView(value, schema, VALUE, actions)) : tableView(table, state, actions, schema);
    case "json":
      return html`<div data-testid="result-json" class="tree">${treeView(undefined, value, true)}</div>`;
    case "raw": {
      const text = JSON.stringify(value, null, 2);
      return html`<pre data-testid="result-raw" tabindex="0">${text.slice(0, MOST_TEXT)}</pre>
        ${text.length > MOST_TEXT ? html`<p class="help">The first ${MOST_TEXT.toLocaleString()} of ${text.length.toLocaleString()} characters; Open shows them all.</p>` : ""}`;
    }
  }
}
