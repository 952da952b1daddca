// A link to a place in a source of the pack.
import { html, nothing, type TemplateResult } from "lit";
import type { SourceLocation } from "../../protocol/run.ts";
import type { Actions } from "./actions.ts";

export const fileName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;

export const sourceLink = (location: SourceLocation | undefined, actions: Actions): TemplateResult | typeof nothing =>
  location === undefined
    ? nothing
    : html`<button type="button" class="link" @click=${() => actions.post({ type: "open", location })}>${fileName(location.path)}:${location.line + 1}</button>`;
