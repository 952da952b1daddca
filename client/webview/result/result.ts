// The result: as a table, as a preview with rendered values, as a tree, or as JSON. It can be copied, saved or opened as a document.
import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { getOrInsert } from "../../../base/get-or-insert.ts";
import { isRecord } from "../../../base/is-record.ts";
import type { McpTool } from "../../../protocol/mcp.ts";
import type { RunReport } from "../../../protocol/run.ts";
import type { Actions } from "../actions.ts";
import { errorView } from "../error.ts";
import { signInAgainView } from "../form/account-field.ts";
import { iconButton } from "../icons.ts";
import { underWayView } from "../requests/under-way.ts";
import { type PanelState, progressOf, type ResultView } from "../state.ts";
import { tabList } from "../tabs.ts";
import { jsonText } from "./json-text.ts";
import { valueView } from "./rendered.ts";
import { cellText, countOfRows, isDate, membersOf, type Row, type Table, tableOf, toCsv, toTsv, VALUE } from "./rows.ts";
import { arrangedRows, tableView } from "./table.ts";
import { contentView, toolsView } from "./tools.ts";
import { treeView } from "./tree.ts";

const NAMES: Readonly<Record<ResultView, string>> = { table: "Table", preview: "Preview", tree: "Tree", json: "JSON" };

const VIEWS = (Object.keys(NAMES) as ResultView[]).map((id) => ({ id, name: NAMES[id] }));

/** The views of a single value, such as a string or a number, which has no table. */
const VIEWS_OF_ONE = VIEWS.map((view) => (view.id === "table" ? { ...view, name: "Value" } : view));

/** Caches the table of each result. */
const tables = new WeakMap<readonly unknown[], Table>();
const tableFor = (items: readonly unknown[]): Table => getOrInsert(tables, items, tableOf);

/** The most characters that a page can show at once; Open shows the whole text. */
const MOST_TEXT = 500_000;

export function resultView(state: PanelState, actions: Actions): TemplateResult {
  const { report } = state;
  if (report === undefined)
    return html`<p class="empty" data-testid="result">${state.running ? `${progressOf(state)}${state.rows === undefined ? "" : " so far"}` : state.runnable?.kind === "mcpServer" ? "Run to see the server's tools, or the answer of a tool." : "Run the formula to see its result here."}</p>
      ${underWayView(state)}`;
  const { outcome } = report;
  if (outcome.status === "failed")
    return html`<div data-testid="result">${errorView(outcome.error, actions)}${signInAgainView(state, (outcome.error.remedies ?? []).length > 0, actions)}</div>`;
  if (outcome.status === "cancelled" && !outcome.rows)
    return html`<p class="empty" data-testid="result">${cancelledAfter(outcome.rows)}</p>${warningsView(report, state, actions)}`;
  if (report.target.kind === "mcpTool" && outcome.value === null)
    return html`<div data-testid="result">${contentView(report.content ?? [], null)}${warningsView(report, state, actions)}</div>`;
  if (outcome.value === undefined || outcome.value === null)
    return html`<p class="empty" data-testid="result">${"The formula returned nothing. Its cell stays empty."}</p>${warningsView(report, state, actions)}`;
  const { value } = outcome;
  const isRows = hasRows(value, state);
  const name = "name" in report.target ? report.target.name : "result";
  const format = isRows ? "csv" : showsValues(state) && isSingle(value) ? "txt" : "json";
  return html`<div data-testid="result">
    <div class="views">
      ${tabList({ label: "How to show the result", kind: "view", tabs: isSingle(value) ? VIEWS_OF_ONE : VIEWS, selected: state.view, controls: "view", select: actions.setView })}
      ${
        isRows && Array.isArray(value)
          ? html`<input
              type="search"
              data-testid="filter"
              aria-label=${report.target.kind === "mcpServer" ? "Filter the tools" : "Filter the rows"}
              placeholder=${"Filter"}
              .value=${state.filter}
              @input=${(event: Event) => actions.setFilter((event.target as HTMLInputElement).value)}
            />`
          : nothing
      }
      <span class="buttons">
        ${iconButton("copy", "copy", isRows ? "Copy the rows" : "Copy", () => actions.post({ type: "copy", text: textOf(value, state, toTsv), what: isRows ? "the rows" : "the result" }))}
        ${iconButton("save", "save", `Save as ${format.toUpperCase()}`, () => actions.post({ type: "save", name: `${name}.${format}`, text: textOf(value, state, toCsv) }))}
        ${iconButton("open-result", "open", "Open in an editor", () => actions.post({ type: "openResult" }))}
      </span>
    </div>
    ${warningsView(report, state, actions)}
    <div role="tabpanel" id="view" class="view" aria-labelledby="view-${state.view}">${body(state, value, actions)}</div>
    ${contentView(report.content ?? [], value)}
  </div>`;
}

/** Returns whether the view shows values instead of JSON. */
const showsValues = ({ view }: PanelState): boolean => view === "table" || view === "preview";

const hasRows = (value: unknown, state: PanelState): value is Row | readonly unknown[] => showsValues(state) && !isSingle(value);

/** Returns the shown result as text, to copy or save it. */
function textOf(value: unknown, state: PanelState, ofRows: typeof toTsv): string {
  if (!hasRows(value, state)) return showsValues(state) ? cellText(value) : JSON.stringify(value, null, 2);
  if (isRecord(value)) return ofRows(membersOf(value));
  const table = tableFor(value);
  return ofRows({ ...table, rows: arrangedRows(table, state).rows });
}

const cancelledAfter = (rows: number | undefined): string => (rows === undefined ? "Cancelled." : `Cancelled after ${countOfRows(rows)}.`);

/** Returns whether the value is a string, a number or similar, which has no rows. */
const isSingle = (value: unknown): boolean => typeof value !== "object" || isDate(value);

const singleView = (content: unknown): TemplateResult =>
  html`<div class="value" data-testid="result-table" tabindex="0">${content === "" ? html`<span class="help">${"An empty string."}</span>` : content}</div>`;

/** Shows values that do not match the schema, and rows that a run of a table left out. */
function warningsView(
  { outcome, warnings = [], sync, target }: RunReport,
  state: PanelState,
  actions: Actions,
): TemplateResult | typeof nothing {
  const remarks = [
    ...(outcome.status === "cancelled" && outcome.rows ? [cancelledAfter(outcome.rows)] : []),
    ...(target.kind === "update" ? ["This is what executeUpdate returned for the row. Run to see the table again."] : []),
    ...(sync?.limitReached ? ["The table has more rows than the maximum."] : []),
    ...(target.kind === "syncTable" && target.previousCompletion !== undefined
      ? ["These rows are new since the completion of the previous run."]
      : []),
    ...(sync !== undefined && sync.deleted.length > 0 ? [`${countOfRows(sync.deleted.length)} reported as deleted.`] : []),
  ];
  const knowsNew = isRecord(sync?.completion) && (sync.completion.incrementalContinuation ?? undefined) !== undefined;
  if (warnings.length === 0 && remarks.length === 0 && !knowsNew) return nothing;
  return html`${remarks.map((note) => html`<p class="help">${note}</p>`)}
  ${
    knowsNew
      ? html`<p class="help">${"The table returned a completion. The platform's next sync continues from it."}
          <button type="button" class="text-button" data-testid="read-new" ?disabled=${state.running} @click=${actions.readNew}>${"Read what is new"}</button></p>`
      : nothing
  }
  ${
    warnings.length === 0
      ? nothing
      : html`<details class="warnings" data-testid="result-warnings">
          <summary>${warnings.length === 1 ? "1 value does not match the schema" : `${warnings.length} values do not match the schema`}</summary>
          <ul>
            ${warnings.map(({ path, message }) => html`<li><code>${path || "the result"}</code> ${message}</li>`)}
          </ul>
        </details>`
  }`;
}

/** Renders one object: its members by name and value, at full length. */
const membersView = (value: Row, actions: Actions, schema: unknown): TemplateResult =>
  html`<table class="members" data-testid="result-table" aria-label=${"Result"}>
    <tbody>
      ${Object.entries(value).map(([name, member]) => html`<tr><th scope="row">${name}</th><td>${valueView(member, schema, name, { actions, isLine: false })}</td></tr>`)}
    </tbody>
  </table>`;

function body(state: PanelState, value: unknown, actions: Actions): TemplateResult {
  const schema = state.view === "preview" ? (state.report?.schema ?? state.runnable?.definition.schema ?? {}) : undefined;
  switch (state.view) {
    case "table":
    case "preview":
      if (state.report?.target.kind === "mcpServer") return toolsView(value as readonly McpTool[], state.filter, actions);
      if (Array.isArray(value)) return tableView(tableFor(value), state, actions, schema);
      if (isRecord(value) && !isDate(value)) return membersView(value, actions, schema);
      return singleView(valueView(value, schema, VALUE, { actions, isLine: false }));
    case "tree":
      return html`<div data-testid="result-tree" class="tree">${treeView(undefined, value, true)}</div>`;
    case "json":
      return html`${guard([value], () => {
        const text = JSON.stringify(value, null, 2);
        return html`<pre data-testid="result-json" tabindex="0">${jsonText(text.slice(0, MOST_TEXT))}</pre>
          ${text.length > MOST_TEXT ? html`<p class="help">${`These are the first ${MOST_TEXT.toLocaleString()} of ${text.length.toLocaleString()} characters. Open shows all of them.`}</p>` : nothing}`;
      })}`;
  }
}
