// The person in front of the window, for agents' tools. An agent cannot answer for the person: the questions are the editor's own modal
// dialogs, which the automatic approval of the chat does not reach.

import type { ConsentQuestion } from "../../operations/consent-question.ts";
import type { Consent, Person, Prompts } from "../../operations/person.ts";
import type { Prompter } from "../../platform/host.ts";

interface PersonOptions extends Prompts {
  /** Returns the pressed button; undefined if the person closed the question. */
  askModal(message: string, detail: string, ...buttons: readonly string[]): Promise<string | undefined>;
  /** Returns milliseconds of a clock that nobody sets. */
  now?(): number;
}

const REFUSE = "Do not allow";

/** Milliseconds in which nobody reads a question. A key that was meant for the editor may press a button in that time. */
const TOO_SOON = 700;

export function personAtWindow({ askModal, prompter, openBrowser, now = () => performance.now() }: PersonOptions): Person {
  /** Ends when the last question is closed. A modal question cannot be closed by code, so the next one waits for it. */
  let last: Promise<unknown> = Promise.resolve();

  async function ask({ agree, ...question }: ConsentQuestion, signal: AbortSignal): Promise<Consent> {
    for (;;) {
      if (signal.aborted) return "unanswered";
      const shownAt = now();
      const button = await askModal(cut(question.title, LONGEST_TITLE), detailOf(question), agree, REFUSE);
      if (button === undefined) return "unanswered";
      if (now() - shownAt >= TOO_SOON) return button === agree ? "agreed" : "refused";
    }
  }

  return {
    ask(question, signal) {
      const answer = last.then(() => ask(question, signal));
      last = answer.catch(() => {});
      // An answer after the abort comes too late to count.
      return Promise.race([answer, unansweredAfter(signal)]);
    },
    withPrompts: (_notice, work) => work({ prompter: fromAgent(prompter), openBrowser }),
  };
}

const unansweredAfter = (signal: AbortSignal): Promise<Consent> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve("unanswered");
    signal.addEventListener("abort", () => resolve("unanswered"), { once: true });
  });

/** Adds to each title that an agent asked. */
function fromAgent({ input, pick }: Prompter): Prompter {
  const titled = <Options extends { readonly title: string }>(options: Options): Options => ({
    ...options,
    title: `An agent asked: ${options.title}`,
  });
  return { input: (options) => input(titled(options)), pick: (options) => pick(titled(options)) };
}

const LONGEST_TITLE = 300;
/** Characters and lines of one fact. The dialog has to fit in the window with its buttons. */
const LONGEST_FACT = 800;
const MOST_LINES = 15;

/** Returns facts and warnings as the text of a dialog. Further lines of a fact are indented, so that they cannot pass for another fact. */
function detailOf({ facts, warnings }: Pick<ConsentQuestion, "facts" | "warnings">): string {
  const shownFacts = facts.map(({ label, text }) => ({ label, text, shown: cutLines(cut(text, LONGEST_FACT)) }));
  const isCut = shownFacts.some(({ text, shown }) => shown !== text);
  return [
    ...shownFacts.map(({ label, shown }) => `${label}: ${shown.replaceAll("\n", "\n    ")}`),
    "",
    ...warnings,
    ...(isCut ? ["Not everything fits here. Do not allow what you cannot read."] : []),
  ].join("\n");
}

const cut = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit)}… (${(text.length - limit).toLocaleString("en")} more characters)`;

function cutLines(text: string): string {
  const lines = text.split("\n");
  return lines.length <= MOST_LINES
    ? text
    : `${lines.slice(0, MOST_LINES).join("\n")}\n… (${(lines.length - MOST_LINES).toLocaleString("en")} more lines)`;
}
