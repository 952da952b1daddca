// The requests of a run: what went where, how long it took, and where a credential was applied.
import { html, nothing, type TemplateResult } from "lit";
import type { RequestTrace } from "../../protocol/run.ts";

export function requestsView(requests: readonly RequestTrace[]): TemplateResult {
  if (requests.length === 0) return html`<p class="empty">No requests.</p>`;
  return html`<ul class="requests" data-testid="requests">
    ${requests.map(
      (request) => html`<li data-testid="request-row">
        <details>
          <summary>
            <span class="method">${request.method}</span> <span class="url">${request.url}</span>
            <span class=${(request.status ?? 0) >= 400 ? "status bad" : "status"}>${request.status ?? "–"}</span>
            <span>${request.duration === undefined ? "" : `${request.duration} ms`}</span> <span>${request.size === undefined ? "" : size(request.size)}</span>
            ${request.sandbox ? html`<span class="badge">sandbox</span>` : nothing}
            ${request.credentials.map((mark) => html`<span class="credential" data-testid="credential-mark" title="The account's credential was put here">🔑 ${mark.carrier} → ${mark.host}</span>`)}
          </summary>
          ${request.warnings.map((warning) => html`<p class="problem">${warning}</p>`)}
          <h3>Request</h3>
          ${headersView(request.requestHeaders)} ${request.requestBody === undefined ? nothing : html`<pre>${request.requestBody}</pre>`}
          ${request.responseHeaders === undefined ? nothing : html`<h3>Response</h3>${headersView(request.responseHeaders)}<pre>${pretty(request.responseBody)}</pre>`}
        </details>
        ${request.refused === undefined ? nothing : html`<p class="problem">${request.refused}</p>`}
      </li>`,
    )}
  </ul>`;
}

function headersView(headers: Readonly<Record<string, string>>): TemplateResult {
  return html`<dl>${Object.entries(headers).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function size(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function pretty(body: string | undefined): string {
  try {
    return JSON.stringify(JSON.parse(body ?? ""), null, 2);
  } catch {
    return body ?? "";
  }
}
