// The last runs: show, repeat, name, pin and remove them, and compare two of them.
import { html, nothing, type TemplateResult } from "lit";
import type { HistoryEntry } from "../../protocol/panel.ts";
import type { Actions } from "./actions.ts";
import { REPETITIONS } from "./form/repetitions.ts";
import { iconButton } from "./icons.ts";
import { countOfRows } from "./result/rows.ts";
import type { PanelState } from "./state.ts";

/** The label of each status. */
export const STATUS: Readonly<Record<HistoryEntry["status"], string>> = { succeeded: "OK", failed: "Failed", cancelled: "Cancelled" };

export function historyView(state: PanelState, actions: Actions): TemplateResult {
  if (state.history.length === 0) return html`<p class="empty" data-testid="history">${"The last 50 runs are listed here."}</p>`;
  return html`<div class="views">
      <button type="button" class="text-button" data-testid="compare" ?disabled=${state.chosen.length !== 2} @click=${actions.compare}>${"Compare the two chosen"}</button>
      <span class="help" role="status">${state.chosen.length === 2 ? "" : `${state.chosen.length} of 2 chosen`}</span>
    </div>
    <ul class="history" data-testid="history">
      ${state.history.map((entry) => entryView(entry, state, actions))}
    </ul>`;
}

function entryView(entry: HistoryEntry, state: PanelState, actions: Actions): TemplateResult {
  const when = timeOf(entry.startedAt);
  const title = entry.name ?? inputText(entry);
  const chosen = state.chosen.includes(entry.id);
  return html`<li data-testid="history-row" aria-current=${entry.id === state.recalled}>
    <input
      type="checkbox"
      aria-label=${`Choose ${title} of ${when} to compare`}
      .checked=${chosen}
      ?disabled=${!entry.hasReport || (!chosen && state.chosen.length === 2)}
      @change=${() => actions.choose(entry.id, !chosen)}
    />
    <button type="button" class="link" data-testid="recall" ?disabled=${!entry.hasReport} title="${entry.hasReport ? "Show this run" : "Its result was too large to store"}: ${title}, ${when}" @click=${() => actions.post({ type: "recall", id: entry.id })}>${title}</button>
    <span class=${entry.status === "failed" ? "bad" : ""}>${STATUS[entry.status]}</span>
    <span class="size">${entry.rows === undefined ? nothing : `${countOfRows(entry.rows)} · `}${`${entry.duration} ms`}</span>
    <span class="help account" title=${entry.account ?? nothing}>${entry.account ?? ""}</span>
    <time class="help" datetime=${new Date(entry.startedAt).toISOString()} title=${new Date(entry.startedAt).toLocaleString()}>${when}</time>
    <span class="buttons">
      ${iconButton("run-again", "run", "Run again", () => actions.runAgain(entry.id))}
      ${iconButton("pin", "pin", "Pin", () => actions.post({ type: "pin", id: entry.id, pinned: !entry.pinned }), { pressed: entry.pinned })}
      ${iconButton("rename", "rename", "Name", () => actions.post({ type: "rename", id: entry.id }))}
      ${iconButton("forget", "remove", "Remove", () => actions.post({ type: "forget", id: entry.id }))}
    </span>
  </li>`;
}

/** Returns the time of a run of today, and the date of an older run. */
function timeOf(startedAt: number): string {
  const then = new Date(startedAt);
  return then.toDateString() === new Date().toDateString() ? then.toLocaleTimeString() : then.toLocaleDateString();
}

/** Returns a summary of the entered values. */
function inputText({ input }: HistoryEntry): string {
  const texts = Object.entries(input.values).flatMap(([key, value]) =>
    value === "" || key === REPETITIONS ? [] : [`${key.replace(/^#/, "")}: ${value}`],
  );
  const text = texts.join(", ");
  return text === "" ? "without parameters" : text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
