// The pending requests of a run, shown until it has a result.
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { RequestUnderWay } from "../../../protocol/run.ts";
import "../clock.ts";
import type { PanelState } from "../state.ts";

/** The most requests that are shown. */
const MOST = 20;

export function underWayView({ running, underWay, requests }: PanelState): TemplateResult | typeof nothing {
  if (!running || (underWay.length === 0 && requests.length === 0)) return nothing;
  const responseSummary = requests.length === 0 ? "" : `${requests.length} answered. `;
  const waiting = underWay.length === 0 ? "" : `${underWay.length} under way:`;
  return html`<section class="under-way" data-testid="under-way" aria-label=${"Requests so far"}>
    <p class="help">${"Requests:"} ${responseSummary}${waiting}</p>
    <ul>
      ${repeat(underWay.slice(0, MOST), ({ id }) => id, requestView)}
    </ul>
  </section>`;
}

const requestView = ({ method, url, time }: RequestUnderWay): TemplateResult =>
  html`<li><span class="method">${method}</span> <span class="url">${url}</span> <pack-auth-clock .waited=${time}></pack-auth-clock></li>`;
