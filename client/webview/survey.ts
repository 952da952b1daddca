// The results for every account, or for the bad days: one row each.
import { html, nothing, type TemplateResult } from "lit";
import { type DrilledDay, isBad, type Verdict } from "../../protocol/drill.ts";
import type { AccountRun } from "../../protocol/matrix.ts";
import type { AllAccountsRun } from "../../protocol/panel.ts";
import type { Actions } from "./actions.ts";
import { sourceLink } from "./source-link.ts";

export const SURVEYS: Readonly<Record<AllAccountsRun["kind"], string>> = { allAccounts: "All accounts", drill: "Drill" };

const OUTCOMES: Readonly<Record<AccountRun["status"], string>> = {
  succeeded: "succeeded",
  failed: "failed",
  cancelled: "cancelled",
  "not run": "not run",
};

const VERDICTS: Readonly<Record<Verdict, string>> = {
  recovers: "recovers",
  "asks to sign in": "asks to sign in",
  "says why": "says why",
  "passes the error on": "passes the error on",
  "useless error": "useless error",
  "wrong data in silence": "wrong data in silence",
};

export const allAccountsRunView = (allAccountsRun: AllAccountsRun, isRunning: boolean, actions: Actions): TemplateResult =>
  html`<div class="survey" data-testid="survey">
    ${allAccountsRun.kind === "drill" ? scenariosView(allAccountsRun.rows, actions) : accountsView(allAccountsRun.rows)}
    ${isRunning ? html`<p role="status">${allAccountsRun.kind === "drill" ? "Testing ten problems in parallel…" : "Running…"}</p>` : nothing}
  </div>`;

function accountsView(rows: readonly AccountRun[]): TemplateResult {
  const first = rows.find(({ status }) => status === "succeeded");
  return tableView(["Account", "Outcome", "Time", "Result"], rows, (run) => [
    run.account,
    html`<span class=${run.status === "failed" ? "bad" : ""}>${OUTCOMES[run.status]}</span>`,
    run.duration === undefined ? "" : `${run.duration} ms`,
    run.error !== undefined
      ? html`${run.error.message}${run.error.hint === undefined ? nothing : html`<span class="help">${run.error.hint}</span>`}`
      : run === first
        ? html`<details><summary>${"the first"}</summary><pre tabindex="0">${formatValue(run.value)}</pre></details>`
        : differences(run, first),
  ]);
}

/** The most characters of a result that are shown. */
const LONGEST = 20_000;

const formatValue = (value: unknown): string => (JSON.stringify(value, null, 2) ?? "").slice(0, LONGEST);

function differences({ differences: paths, more, value }: AccountRun, first: AccountRun | undefined): TemplateResult | string {
  if (paths === undefined) return "";
  if (paths.length === 0) return `as ${first?.account ?? ""}`;
  const pathList = paths.map((path) => (path === "" ? "all of it" : path)).join(", ");
  return html`<details><summary>${`differs from ${first?.account ?? ""}`}: ${pathList}${more === true ? ", …" : ""}</summary><pre tabindex="0">${formatValue(value)}</pre></details>`;
}

const scenariosView = (rows: readonly DrilledDay[], actions: Actions): TemplateResult =>
  tableView(["Problem", "Verdict", "What the user sees"], rows, (day) => [
    day.title,
    html`<span class=${isBad(day) ? "verdict bad" : "verdict"}>${day.verdict === undefined ? "does not apply" : VERDICTS[day.verdict]}</span>`,
    html`${day.sees}${day.remedy === undefined ? nothing : html`<span class="help">${day.remedy} ${sourceLink(day.location, actions)}</span>`}`,
  ]);

function tableView<Row>(heads: readonly string[], rows: readonly Row[], cells: (row: Row) => readonly unknown[]): TemplateResult {
  if (rows.length === 0) return html``;
  return html`<table>
    <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>
      ${rows.map((row) => {
        const [name, ...otherCells] = cells(row);
        return html`<tr><th scope="row">${name}</th>${otherCells.map((cell) => html`<td>${cell}</td>`)}</tr>`;
      })}
    </tbody>
  </table>`;
}
