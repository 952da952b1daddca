// An error for people: what happened, what to do, and links to its origin.
import "@vscode-elements/elements/dist/vscode-button/index.js";
import { html, nothing, type TemplateResult } from "lit";
import type { ErrorReport } from "../../protocol/run.ts";
import type { Actions } from "./actions.ts";
import { iconView } from "./icons.ts";
import { fileName } from "./source-link.ts";

/**
 * Returns the name of an error that the pack threw, if the name adds something to the message. Pack Auth's own codes only repeat the
 * message.
 */
const nameOf = ({ code, userVisible }: ErrorReport): string | undefined =>
  userVisible || code === "Error" || /^[a-z0-9-]+$/.test(code) ? undefined : code;

/** The most words of a headline. A longer message appears below a headline that names its source. */
const MOST_WORDS = 8;

const isShort = (text: string): boolean => text.split(/\s+/).length <= MOST_WORDS;

/** `text`: the whole message after the name of the thrown error. */
function headlineOf(error: ErrorReport, text: string): string {
  const { code, message, userVisible } = error;
  const status = code === "StatusCodeError" ? /^[1-5]\d\d\b/.exec(message)?.[0] : undefined;
  if (status !== undefined) return `The API answered ${status}`;
  if (isShort(text)) return text;
  if (userVisible === true) return "The pack reports an error";
  const name = nameOf(error);
  if (name !== undefined) return `The pack threw ${name}`;
  const [sentence = ""] = text.split(/(?<=[.!?])\s/, 1);
  return isShort(sentence) ? sentence : "The run failed";
}

export function errorView(error: ErrorReport, actions: Actions): TemplateResult {
  const { configPath, diagnosis, hint, message, remedies = [], stack = [] } = error;
  const name = nameOf(error);
  const text = name === undefined ? message : `${name}: ${message}`;
  const headline = headlineOf(error, text);
  return html`<div class="banner" role="alert" data-testid="error">
    ${iconView("error")}
    <div>
      <p class="what">${headline}</p>
      ${headline === text ? nothing : html`<p class="words">${text}</p>`}
      ${hint === undefined ? nothing : html`<p>${hint}</p>`}
      ${
        remedies.length === 0
          ? nothing
          : html`<p class="beside">
              ${remedies.map((remedy, index) => html`<vscode-button ?secondary=${index > 0} data-testid="remedy" @click=${() => actions.post({ type: "remedy", remedy })}>${remedy.label}</vscode-button>`)}
            </p>`
      }
      ${diagnosis === undefined ? nothing : html`<p><button type="button" class="link" data-testid="explain" @click=${() => actions.post({ type: "explain", diagnosis })}>${`Explain ${diagnosis}`}</button></p>`}
      ${configPath === undefined ? nothing : html`<p><button type="button" class="link" @click=${() => actions.post({ type: "openConfiguration", configPath })}>${`Open ${configPath}`}</button></p>`}
      ${
        stack.length === 0
          ? nothing
          : html`<ul class="stack" aria-label=${"Where it was thrown"}>
              ${stack.map(({ location, text }) => (location === undefined ? html`<li>${text}</li>` : html`<li><button type="button" class="link" data-testid="frame" title=${location.path} @click=${() => actions.post({ type: "open", location })}>${text.replace(location.path, fileName(location.path))}</button></li>`))}
            </ul>`
      }
    </div>
  </div>`;
}
