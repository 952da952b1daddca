// The pack's console, and the differences after upload.
import { html, nothing, type TemplateResult } from "lit";
import { UPLOAD_VERDICT_TEXTS } from "../../protocol/verdict.ts";
import type { Actions } from "./actions.ts";
import { sourceLink } from "./source-link.ts";
import type { PanelState } from "./state.ts";

export function consoleView(state: PanelState): TemplateResult {
  if (state.console.length === 0) return html`<p class="empty" data-testid="console">${"Nothing was logged."}</p>`;
  return html`<ul class="console" data-testid="console">
    ${state.console.map((entry) => html`<li class=${entry.level}><time>${new Date(entry.time).toLocaleTimeString()}</time> <span class="level">${entry.level}</span> <span class="message">${entry.message}</span></li>`)}
  </ul>`;
}

export function afterUploadView(state: PanelState, actions: Actions): TemplateResult {
  const platformDifferences = state.report?.platformDifferences ?? [];
  if (platformDifferences.length === 0)
    return html`<p class="empty" data-testid="after-upload">${state.report === undefined ? "Differences after upload are listed here." : "No differences after upload were found."}</p>`;
  return html`<ul class="notes" data-testid="after-upload">
    ${platformDifferences.map(({ message, location, verdict }) => html`<li>${verdict === undefined ? nothing : html`<strong>${UPLOAD_VERDICT_TEXTS[verdict]}.</strong> `}${message} ${sourceLink(location, actions)}</li>`)}
  </ul>`;
}
