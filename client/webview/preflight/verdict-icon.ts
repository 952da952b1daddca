// An icon for each verdict, beside its word: a colour alone tells not everybody.
import { html, svg, type TemplateResult } from "lit";
import type { PreflightVerdict } from "../../../protocol/preflight.ts";

const SHAPES: Readonly<Record<PreflightVerdict, TemplateResult>> = {
  "will-be-rejected": svg`<circle cx="8" cy="8" r="6" /><path d="M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4" />`,
  "needs-approval": svg`<path d="M8 2.2 14.2 13H1.8z" /><path d="M8 6.3v3.3M8 11v.8" />`,
  "fails-when-run": svg`<path d="M5.2 2h5.6L14 5.2v5.6L10.8 14H5.2L2 10.8V5.2z" /><path d="M8 4.8v3.8M8 10.4v.8" />`,
  "differs-there": svg`<path d="M3 6h10M3 10h10M10 3 6 13" />`,
  "never-tried": svg`<circle cx="8" cy="8" r="6" stroke-dasharray="2.4 2" />`,
  "not-judged": svg`<circle cx="8" cy="8" r="6" /><path d="M6.2 6.4a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.8.6-.8 1.2M8 11v.8" />`,
  fits: svg`<circle cx="8" cy="8" r="6" /><path d="M5.2 8.2l2 2 3.6-4.2" />`,
};

/** Returns the icon, which screen readers skip. */
export const verdictIcon = (verdict: PreflightVerdict): TemplateResult =>
  html`<svg viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.2" stroke-linejoin="round">${SHAPES[verdict]}</svg>`;
