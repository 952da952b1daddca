// The page "Ready for upload?" in the browser: the lines of a report by verdict, each with its source and one button.
import { html, nothing, render, type TemplateResult } from "lit";
import {
  ACTION_TEXTS,
  conclusionOf,
  type FromPreflightPage,
  type PreflightLine,
  type PreflightReport,
  type PreflightVerdict,
  type ToPreflightPage,
  VERDICT_TEXTS,
  VERDICTS,
} from "../../../protocol/preflight.ts";
import { UPLOAD_VERDICT_TEXTS } from "../../../protocol/verdict.ts";
import "./preflight.css";
import { verdictIcon } from "./verdict-icon.ts";

declare function acquireVsCodeApi(): { postMessage(message: FromPreflightPage): void };

const vscode = acquireVsCodeApi();
const post = (message: FromPreflightPage) => (): void => vscode.postMessage(message);

interface PageState {
  readonly pack: string;
  /** The step in progress; undefined while nothing is checked. */
  readonly step?: string;
  readonly report?: PreflightReport;
  /** Why the last check did not end. */
  readonly problem?: string;
}

let state: PageState = { pack: "" };

function receive(message: ToPreflightPage): PageState {
  const { pack } = message;
  switch (message.type) {
    // The former report stays while the pack is checked again.
    case "checking":
      return { pack, step: message.step, ...(state.report && { report: state.report }) };
    case "report":
      return { pack, report: message.report };
    case "ended":
      return { pack, problem: message.text };
  }
}

const countOf = ({ lines }: PreflightReport, verdict: PreflightVerdict): number => lines.filter((line) => line.verdict === verdict).length;

function summaryOf(report: PreflightReport): string {
  const rest = VERDICTS.flatMap((verdict) => {
    const count = verdict in UPLOAD_VERDICT_TEXTS ? 0 : countOf(report, verdict);
    return count === 0 ? [] : [`${count} ${VERDICT_TEXTS[verdict].toLowerCase()}`];
  });
  return `${[conclusionOf(report), ...rest].join(", ")}.`;
}

function statusText({ step, report, problem }: PageState): string {
  if (step !== undefined) return `${step}…`;
  return problem ?? (report === undefined ? "" : summaryOf(report));
}

const view = (): TemplateResult => {
  const { pack, step, report } = state;
  const isChecking = step !== undefined;
  return html`<header>
      <h1>Ready for upload?</h1>
      <p class="pack">${pack}</p>
      <p class="status" role="status" aria-live="polite" data-testid="status">${statusText(state)}</p>
      ${isChecking ? html`<div class="progress" aria-hidden="true"></div>` : nothing}
      <div class="buttons">
        ${
          isChecking
            ? html`<button type="button" class="secondary" data-testid="cancel" @click=${post({ type: "cancel" })}>Cancel</button>`
            : html`<button type="button" class="secondary" data-testid="check" @click=${post({ type: "check" })}>Check again</button>`
        }
        ${
          !isChecking && report?.isReady === true
            ? html`<button type="button" data-testid="upload" @click=${post({ type: "upload" })}>Upload</button>`
            : nothing
        }
      </div>
    </header>
    ${report === undefined ? nothing : VERDICTS.map((verdict) => groupView(report, verdict))}`;
};

function groupView({ lines }: PreflightReport, verdict: PreflightVerdict): TemplateResult | typeof nothing {
  const own = lines.flatMap((line, index) => (line.verdict === verdict ? [lineView(line, index)] : []));
  if (own.length === 0) return nothing;
  return html`<section class="verdict ${verdict}" aria-labelledby=${verdict} data-testid=${verdict}>
    <h2 id=${verdict}>${verdictIcon(verdict)}<span>${VERDICT_TEXTS[verdict]}</span></h2>
    <ul role="list">${own}</ul>
  </section>`;
}

function lineView({ text, location, action }: PreflightLine, index: number): TemplateResult {
  const name = location === undefined ? undefined : `${location.path.split(/[\\/]/).at(-1)}:${location.line + 1}`;
  return html`<li data-testid="line">
    <p id="line-${index}">${text}</p>
    ${
      name === undefined && action === undefined
        ? nothing
        : html`<p class="beside">
            ${name === undefined ? nothing : html`<button type="button" class="link" aria-describedby="line-${index}" @click=${post({ type: "openSource", line: index })}>${name}</button>`}
            ${action === undefined ? nothing : html`<button type="button" class="secondary" aria-describedby="line-${index}" @click=${post({ type: "act", line: index })}>${ACTION_TEXTS[action.kind]}</button>`}
          </p>`
    }
  </li>`;
}

function draw(): void {
  const root = document.getElementById("panel");
  if (root === null) return;
  const focused = document.activeElement;
  render(view(), root);
  // The button that was pressed may be gone. The one in its place gets the focus.
  if (focused?.isConnected === false) root.querySelector<HTMLElement>(".buttons button")?.focus();
}

window.addEventListener("message", (event: MessageEvent<ToPreflightPage>) => {
  state = receive(event.data);
  draw();
});
window.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && state.step !== undefined) post({ type: "cancel" })();
});
draw();
vscode.postMessage({ type: "ready" });
