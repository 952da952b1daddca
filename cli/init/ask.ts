// Asks what evidence leaves open, on a terminal or by the options of the call.
import type { Prompter } from "../../platform/host.ts";
import type { LookUpHost } from "../../platform/setup/look-up.ts";
import type { Question, SetupOutcome } from "../../platform/setup/outcome.ts";
import { propose } from "../../platform/setup/propose.ts";
import type { InitCall } from "./init-options.ts";

/** Returns the outcome once nothing is open, a question that nobody can be asked, or undefined if the person cancels. */
export async function outcomeOf(
  text: string,
  call: InitCall,
  host: LookUpHost,
  prompter: Prompter | undefined,
  signal: AbortSignal,
): Promise<SetupOutcome | undefined> {
  const answers: Record<string, string> = { ...call.answers };
  const evidence = { text, ...(call.kind === undefined ? {} : { kind: call.kind }) };
  for (;;) {
    const outcome = await propose(evidence, answers, host, signal);
    if (outcome.kind !== "question") return outcome;
    const { question } = outcome;
    if (call.isAgreed && question.kind === "text" && question.fallback !== undefined && answers[question.id] === undefined) {
      answers[question.id] = question.fallback;
      continue;
    }
    const isAllowed = question.kind === "look-up" && call.hosts.includes(question.host) && answers[question.id] !== "yes";
    if (!isAllowed && prompter === undefined) return outcome;
    const answer = isAllowed ? "yes" : await ask(question, prompter as Prompter, signal);
    if (answer === undefined) return undefined;
    answers[question.id] = answer;
  }
}

const TITLE = "Set up authentication";

function ask(question: Question, prompter: Prompter, signal: AbortSignal): Promise<string | undefined> {
  const { text, kind } = question;
  switch (kind) {
    case "choice":
      return prompter.pick({ title: text, placeholder: "Choose", items: question.options, signal });
    case "text":
      return prompter.input({ title: TITLE, prompt: text, placeholder: question.example, validate: question.problem, signal });
    case "look-up":
      return askYesOrNo(prompter, text, signal);
  }
}

export const askYesOrNo = (prompter: Prompter, text: string, signal: AbortSignal): Promise<"yes" | "no" | undefined> =>
  prompter.pick({
    title: text,
    placeholder: "Choose",
    items: [
      { label: "Yes", value: "yes" },
      { label: "No", value: "no" },
    ],
    signal,
  });

/** Returns lines about a question, and how to answer it by an option. */
export function questionLines(question: Question): readonly string[] {
  const { kind, id, text } = question;
  if (kind === "look-up") return [text, `Add --look-up ${question.host} to allow it, or --answer ${quoted(`${id}=no`)}.`];
  const options =
    kind === "choice"
      ? question.options.map(({ value, label, detail }) => `  ${value}: ${[label, detail].filter(Boolean).join(" · ")}`)
      : [];
  const example = kind === "choice" ? question.options[0]?.value : question.example;
  return [text, ...options, `Add --answer ${quoted(`${id}=${example}`)}, or the answer that is right.`];
}

/** Quotes a word for a shell if it needs that. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
