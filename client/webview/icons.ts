// Buttons that are an icon, with a name and a tooltip. The icons are drawn, because a font may lack the characters.
import { html, nothing, svg, type TemplateResult } from "lit";

const SHAPES = {
  copy: svg`<rect x="5.5" y="5.5" width="8" height="8" rx="1" /><path d="M3.5 10.5h-1v-8h8v1" />`,
  save: svg`<path d="M8 2.5v7.5M4.8 7 8 10.2 11.2 7M2.5 10.5v3h11v-3" />`,
  open: svg`<path d="M9.5 2.5h4v4M13.5 2.5 7.8 8.2M7 3.5H3v9.5h9.5V9" />`,
  run: svg`<path d="M4.5 2.8v10.4L13 8z" />`,
  pin: svg`<path d="M6 2.5h4M6.8 2.5v4.2L4.5 9.5h7L9.2 6.7V2.5M8 9.5v4" />`,
  rename: svg`<path d="M10.8 2.7 13.3 5.2 5.5 13H3v-2.5zM9 4.5 11.5 7" />`,
  remove: svg`<path d="M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9" />`,
  key: svg`<circle cx="5" cy="8" r="3" /><path d="M8 8h7M12 8v3M14.5 8v2.5" />`,
  assistant: svg`<path d="M8 2.2 9.5 6.5 13.8 8 9.5 9.5 8 13.8 6.5 9.5 2.2 8 6.5 6.5z" />`,
  again: svg`<path d="M13 8.2A5 5 0 1 1 11.4 4.5L13 6M13 2.6V6H9.6" />`,
  test: svg`<path d="M5.8 2.5h4.4M6.8 2.5v4.2L3 13.5h10L9.2 6.7V2.5M4.8 10.3h6.4" />`,
  error: svg`<circle cx="8" cy="8" r="6" /><path d="M8 4.5v4.3M8 10.6v1" />`,
};

type Icon = keyof typeof SHAPES;

export const iconView = (icon: Icon): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.2" stroke-linejoin="round">${SHAPES[icon]}</svg>`;

interface MoreOfButton {
  readonly pressed?: boolean;
  /** Further explanation in the tooltip. */
  readonly help?: string;
  /** Whether the button is disabled but stays focusable, so that the person who pressed it keeps the focus. */
  readonly isIdle?: boolean;
}

export const iconButton = (id: string, icon: Icon, name: string, action: () => void, more: MoreOfButton = {}): TemplateResult => {
  const { pressed = nothing, help, isIdle = false } = more;
  return html`<button type="button" class="icon-button ${isIdle ? "idle" : ""}" data-testid=${id} title=${help === undefined ? name : `${name}\n${help}`} aria-label=${name} aria-pressed=${pressed} aria-disabled=${isIdle} @click=${() => {
    if (!isIdle) action();
  }}>${iconView(icon)}</button>`;
};
