// The HTML of questions to the person. All text of a question is text from outside: it is escaped, and never a link.
import { printable } from "../../base/printable.ts";
import type { ConsentQuestion } from "../../operations/consent-question.ts";
import type { Prompter } from "../../platform/host.ts";
import { escapeHtml } from "../../platform/oauth/escape-html.ts";

type InputOptions = Parameters<Prompter["input"]>[0];
type PickOptions = Parameters<Prompter["pick"]>[0];

/** Why an answer was not accepted. */
export interface Problem {
  readonly problem: string;
  /** What the person typed, unless it is secret. */
  readonly text?: string;
}

const html = (text: string): string => escapeHtml(printable(text));

export const noticeHtml = ({ title, facts, warnings }: ConsentQuestion): string =>
  [
    `<h1>${html(title)}</h1>`,
    facts.length > 0 && `<dl>${facts.map(({ label, text }) => `<dt>${html(label)}</dt><dd>${html(text)}</dd>`).join("")}</dl>`,
    warnings.length > 0 &&
      `<ul class="notice" role="list" aria-label="Warnings">${warnings.map((warning) => `<li>${html(warning)}</li>`).join("")}</ul>`,
  ]
    .filter(Boolean)
    .join("\n  ");

/** The refusal comes first, so that the Enter key in the form refuses. */
export const consentFields = ({ agree }: ConsentQuestion): string => buttonRow(button("cancel", "Do not allow"), button("answer", agree));

export function inputFields(options: InputOptions, problem: Problem | undefined): string {
  const { prompt, placeholder = "", value = "", secret = false, copy, link, back } = options;
  const hasFormer = secret && value !== "";
  const described = [problem && "problem", hasFormer && "former"].filter(Boolean).join(" ");
  return [
    stepHeading(options),
    copy && `<label for="copy">${html(copy.label)}</label><input id="copy" type="text" readonly value="${html(copy.text)}">`,
    link && `<p>${html(link.label)}: ${html(link.url)}</p>`,
    `<label for="text">${html(prompt)}</label>`,
    `<input id="text" name="text" type="${secret ? "password" : "text"}" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="${html(placeholder)}"${secret ? "" : ` value="${html(problem?.text ?? value)}"`}${described && ` aria-describedby="${described}"`}${problem ? ' aria-invalid="true"' : ""}>`,
    hasFormer && '<p id="former">Leave this empty to use what you entered before.</p>',
    problemHtml(problem),
    promptButtons(back),
  ]
    .filter(Boolean)
    .join("\n  ");
}

/** The choice is the index of an item. */
export function pickFields(options: PickOptions, problem: Problem | undefined): string {
  const { placeholder, items, progress, back } = options;
  const choices = items.map(
    ({ label, description, detail }, index) =>
      `<label class="choice"><input type="radio" name="choice" value="${index}"><span>${html(label)}${description ? ` <span class="muted">${html(description)}</span>` : ""}${detail ? `<br><span class="muted">${html(detail)}</span>` : ""}</span></label>`,
  );
  return [
    stepHeading(options),
    progress && progress !== placeholder && `<p role="status">${html(progress)}</p>`,
    `<fieldset${problem ? ' aria-describedby="problem"' : ""}><legend>${html(placeholder)}</legend>${choices.join("")}</fieldset>`,
    problemHtml(problem),
    promptButtons(back),
  ]
    .filter(Boolean)
    .join("\n  ");
}

const stepHeading = ({ title, step, totalSteps = 1 }: InputOptions | PickOptions): string =>
  `<h2>${html(title)}</h2>${step === undefined || totalSteps === 1 ? "" : `<p class="muted">Step ${step} of ${totalSteps}</p>`}`;

const problemHtml = (problem: Problem | undefined): string | undefined =>
  problem && `<p id="problem" class="bad" role="alert">${html(problem.problem)}</p>`;

const button = (action: "answer" | "back" | "cancel", label: string): string =>
  `<button${action === "answer" ? ' class="main"' : ""} name="action" value="${action}">${html(label)}</button>`;

const buttonRow = (...buttons: readonly string[]): string => `<div class="buttons">${buttons.join("")}</div>`;

/** The Enter key in a field continues: otherwise it would discard what the person typed. */
const promptButtons = (back: unknown): string =>
  buttonRow(button("answer", "Continue"), ...(back ? [button("back", "Back")] : []), button("cancel", "Cancel"));

export const STYLE = `
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1rem; margin: 1rem 0; }
  dt, .muted { color: var(--muted); }
  dd { margin: 0; white-space: pre-wrap; }
  ul.notice { margin: 1rem 0; list-style: none; }
  h2 { margin: 1.5rem 0 .5rem; padding-top: 1.25rem; border-top: 1px solid var(--line); font-size: 1.1rem; line-height: 1.3; }
  h2 + .muted { margin-top: -.25rem; }
  form { display: block; margin-top: 0; }
  label, legend { display: block; margin-top: .75rem; font-weight: 600; }
  legend { padding: 0; margin: .75rem 0 .5rem; }
  fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }
  input:is([type=text], [type=password]) { box-sizing: border-box; width: 100%; margin-top: .35rem; padding: .5rem .75rem; font: inherit;
    color: var(--text); background: var(--page); border: 1px solid var(--muted); border-radius: 8px; }
  ::placeholder { color: var(--muted); opacity: 1; }
  input[aria-invalid] { border-color: var(--bad); }
  input:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  .choice { display: flex; gap: .75rem; margin: 0 0 .5rem; padding: .6rem .75rem; font-weight: 400; cursor: pointer;
    border: 1px solid var(--line); border-radius: 8px; }
  .choice:has(:checked) { border-color: var(--accent); }
  .choice input { flex: none; width: 1rem; height: 1rem; margin: .25rem 0 0; accent-color: var(--accent); }
  .buttons { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
  @media (max-width: 26rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
`;
