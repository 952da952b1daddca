// The result as a table, as a JSON tree, or raw; and errors with links to the pack's own sources.
import { html, nothing, type TemplateResult } from "lit";
import type { ErrorReport } from "../../protocol/run.ts";
import type { Actions } from "./main.ts";
import type { PanelState, ResultView } from "./state.ts";

const MOST_ROWS = 1_000;

export function resultView(state: PanelState, actions: Actions): TemplateResult {
  const { report } = state;
  if (report === undefined)
    return html`<p class="empty" data-testid="result">${state.running ? (state.rows === undefined ? "Running…" : `Running… ${state.rows} rows so far`) : "Run the formula to see its result here."}</p>`;
  const { outcome } = report;
  if (outcome.status === "failed") return html`<div data-testid="result">${errorView(outcome.error, actions)}</div>`;
  if (outcome.value === undefined && outcome.status === "cancelled") return html`<p data-testid="result">Cancelled.</p>`;
  return html`<div data-testid="result">
    <div class="views" role="group" aria-label="How to show the result">
      ${(["table", "json", "raw"] as const).map((view) => html`<button type="button" data-testid="view-${view}" aria-pressed=${state.view === view} @click=${() => actions.setView(view)}>${VIEW_NAMES[view]}</button>`)}
      <button type="button" @click=${() => actions.copy(JSON.stringify(outcome.value, null, 2))}>Copy</button>
      <button type="button" @click=${actions.openResult}>Open</button>
    </div>
    ${state.view === "table" ? tableView(outcome.value) : state.view === "json" ? html`<div data-testid="result-json" class="tree">${treeView(undefined, outcome.value, true)}</div>` : html`<pre data-testid="result-raw">${JSON.stringify(outcome.value, null, 2)}</pre>`}
  </div>`;
}

const VIEW_NAMES: Readonly<Record<ResultView, string>> = { table: "Table", json: "JSON", raw: "Raw" };

function tableView(value: unknown): TemplateResult {
  const rows = Array.isArray(value) ? value : [value];
  if (rows.length === 0) return html`<p class="empty" data-testid="result-table">No rows.</p>`;
  const columns = [...new Set(rows.flatMap((row) => (isRecord(row) ? Object.keys(row) : [])))];
  const shown = rows.slice(0, MOST_ROWS);
  return html`<table data-testid="result-table">
      <thead>
        <tr>
          ${columns.length === 0 ? html`<th scope="col">Value</th>` : columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${shown.map((row) => html`<tr>${columns.length === 0 ? html`<td>${cell(row)}</td>` : columns.map((column) => html`<td>${cell(isRecord(row) ? row[column] : undefined)}</td>`)}</tr>`)}
      </tbody>
    </table>
    ${rows.length > shown.length ? html`<p class="help">The first ${MOST_ROWS} of ${rows.length} rows. Open shows them all.</p>` : nothing}`;
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function treeView(name: string | undefined, value: unknown, open: boolean): TemplateResult {
  const label = name === undefined ? nothing : html`<span class="key">${name}: </span>`;
  if (value === null || typeof value !== "object")
    return html`<div class="leaf">${label}<span class=${value === null ? "null" : typeof value}>${JSON.stringify(value) ?? "undefined"}</span></div>`;
  const entries = Object.entries(value);
  const brief = Array.isArray(value) ? `[${value.length}]` : `{${entries.length}}`;
  return html`<details ?open=${open}>
    <summary>${label}${brief}</summary>
    ${entries.slice(0, MOST_ROWS).map(([key, item]) => treeView(key, item, false))}
  </details>`;
}

export function errorView(error: ErrorReport, actions: Actions): TemplateResult {
  return html`<div class="error" role="alert" data-testid="error">
    <p><strong>${error.userVisible ? "" : `${error.code}: `}</strong>${error.message}</p>
    ${error.hint === undefined ? nothing : html`<p>${error.hint}</p>`}
    ${
      error.stack === undefined || error.stack.length === 0
        ? nothing
        : html`<ul class="stack">
            ${error.stack.map(({ location, text }) => (location === undefined ? html`<li>${text}</li>` : html`<li><button type="button" class="link" data-testid="frame" @click=${() => actions.open(location)}>${text}</button></li>`))}
          </ul>`
    }
  </div>`;
}

const isRecord = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === "object" && !Array.isArray(value);
