// The requests of a run in one grid: target, time, response, and where a credential was applied.
import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { RequestTrace } from "../../../protocol/run.ts";
import type { Actions } from "../actions.ts";
import { iconView } from "../icons.ts";
import { jsonText, spaced } from "../result/json-text.ts";
import { sourceLink } from "../source-link.ts";
import type { PanelState } from "../state.ts";
import { toCurl } from "./curl.ts";
import { echoView } from "./echoes.ts";
import { toHar } from "./har.ts";
import { statusOf, wentOut } from "./request-status.ts";
import { underWayView } from "./under-way.ts";

export function requestsView(state: PanelState, actions: Actions): TemplateResult {
  const { requests } = state;
  if (requests.length === 0)
    return html`${underWayView(state)}<p class="empty" data-testid="requests">${state.report === undefined && !state.running ? "The requests of a run are listed here." : state.running ? "No request was answered yet." : "No requests."}</p>`;
  // Requests are reported when they end, so they are sorted by their start.
  const inOrder = requests.toSorted((a, b) => a.startedAt - b.startedAt || a.id - b.id);
  const from = inOrder[0]?.startedAt ?? 0;
  const span = Math.max(1, ...requests.map(({ startedAt, duration }) => startedAt + (duration ?? 0) - from));
  return html`${underWayView(state)}<div class="views">
      <button type="button" class="text-button" data-testid="save-har" @click=${() => actions.post({ type: "save", name: "requests.har", text: toHar(requests) })}>${"Save HAR"}</button>
      <span class="help">${"All credentials are masked."}</span>
    </div>
    <div class="requests" data-testid="requests">
      <div class="request head" aria-hidden="true"><span>${"Method"}</span><span>${"Status"}</span><span class="figure">${"Time"}</span><span class="figure">${"Size"}</span><span>${"URL"}</span></div>
      <ul>
        ${inOrder.map((request) => requestView(request, from, span, state, actions))}
      </ul>
    </div>`;
}

function requestView(request: RequestTrace, from: number, span: number, state: PanelState, actions: Actions): TemplateResult {
  const start = (100 * (request.startedAt - from)) / span;
  const width = Math.max(0.5, (100 * (request.duration ?? 0)) / span);
  const { text, kind } = statusOf(request);
  return html`<li data-testid="request-row">
    <details>
      <summary class="request">
        <span class="method">${request.method}</span>
        <span class="status ${kind}">${text}</span>
        <span class="figure">${request.duration === undefined ? "" : `${request.duration} ms`}</span>
        <span class="figure">${request.size === undefined ? "" : size(request.size)}</span>
        <span class="where">
          <span class="url" title=${request.url}>${request.url}</span>
          ${marksOf(request)}
        </span>
        <span class="track" aria-hidden="true"><span class="bar" style="margin-inline-start: ${start}%; width: ${Math.min(width, 100 - start)}%"></span></span>
      </summary>
      ${request.warnings.map((warning) => html`<p class="problem">${warning}</p>`)}
      ${request.throughProxy ? html`<p class="problem">${"A proxy resolved the host's name: where it leads was not checked."}</p>` : nothing}
      <p><button type="button" class="text-button" data-testid="copy-curl" @click=${() => actions.post({ type: "copy", text: toCurl(request), what: "the command" })}>${"Copy as cURL"}</button>${responseButtons(request, actions)}</p>
      <h2>${wentOut(request) ? "Request" : "Request (not sent)"}</h2>
      ${headersView(request.requestHeaders)} ${request.requestBody === undefined ? nothing : bodyView(request.requestBody)}
      ${request.responseHeaders === undefined ? nothing : html`<h2>${"Response"} ${request.status}</h2>${headersView(request.responseHeaders)}${bodyView(request.responseBody)}`}
    </details>
    ${request.failureReason === undefined ? nothing : html`<p class="request why"><span><span class="problem">${request.failureReason}</span> ${sourceLink(request.calledFrom, actions)}</span></p>`}
    ${echoView(request, state, actions)}
  </li>`;
}

/** Buttons for a JSON response. */
function responseButtons({ id, status = 0, responseBody = "", echoed }: RequestTrace, actions: Actions): TemplateResult | typeof nothing {
  if (echoed !== undefined || status < 200 || !/^\s*[[{]/.test(responseBody)) return nothing;
  return html`<button type="button" class="text-button" data-testid="make-schema" @click=${() => actions.post({ type: "makeSchema", request: id })}>${"Make a schema"}</button>
    <button type="button" class="text-button" data-testid="use-answer" @click=${() => actions.post({ type: "useAnswer", request: id })}>${"Use as sandbox answer"}</button>`;
}

/** Badges for how a request was answered, and where a credential went. A request that was not sent carried no credential. */
function marksOf(request: RequestTrace): TemplateResult | typeof nothing {
  if (!wentOut(request)) return nothing;
  return html`${request.message === undefined ? nothing : html`<span class="badge" data-testid="request-message">${request.message}</span>`}
    ${request.redirectedFrom === undefined ? nothing : html`<span class="badge">${"redirected"}</span>`}
    ${request.cached ? html`<span class="badge">${"cached"}</span>` : nothing}
    ${request.merged ? html`<span class="badge" title=${"An identical request was in progress. The platform sends such requests once."}>${"merged"}</span>` : nothing}
    ${request.sandbox && request.failureReason === undefined ? html`<span class="badge">${"sandbox"}</span>` : nothing}
    ${request.credentials.map((mark) => html`<span class="credential" data-testid="credential-mark" title=${"The account's credential was added here"}>${iconView("key")}${mark.carrier} → ${mark.host}</span>`)}`;
}

function headersView(headers: Readonly<Record<string, string>>): TemplateResult {
  return html`<dl>${Object.entries(headers).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function size(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function bodyView(body = ""): TemplateResult {
  return html`<pre>${guard([body], () => {
    try {
      return jsonText(spaced(body));
    } catch {
      return body;
    }
  })}</pre>`;
}
