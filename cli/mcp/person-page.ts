// Reaches the person at an MCP server, which has no terminal: questions are pages on this machine in the person's browser. The agent does
// not receive their address. docs/security.md says against whom this is no protection.
import { defined } from "../../base/defined.ts";
import type { ConsentQuestion } from "../../operations/consent-question.ts";
import type { Consent, Person } from "../../operations/person.ts";
import { PackAuthError } from "../../platform/errors.ts";
import type { Back, Prompter } from "../../platform/host.ts";
import { abortable, withinTime } from "../../platform/network/abortable.ts";
import { pageMark } from "../../platform/oauth/browser-page.ts";
import { type LoopbackPage, openLoopbackPage, type PageContent } from "./loopback-page.ts";
import { consentFields, inputFields, noticeHtml, type Problem, pickFields, STYLE } from "./page-html.ts";

interface BrowserOptions {
  /** Opens a URL in the person's browser. Returns false if that was not possible. */
  readonly openBrowser: (url: string) => Promise<boolean>;
  /** Milliseconds for each answer. */
  readonly timeLimit?: number;
  /** Milliseconds for each prompt of a sign-in, for which a person may have to fetch a token first. */
  readonly promptTimeLimit?: number;
}

/**
 * Returns the person until `close`. All questions are on one page, which opens again only if no browser shows it. One question at a time is
 * open. `work` of withPrompts must therefore not wait for `ask`.
 */
export function personInBrowser({
  openBrowser,
  timeLimit = 5 * 60_000,
  promptTimeLimit = 30 * 60_000,
}: BrowserOptions): Person & { close(): void } {
  const inTurn = createQueue();
  let page: LoopbackPage | undefined;
  /** An error of the opener may contain the address, so nobody receives it. */
  const open = async (url: string): Promise<boolean> => {
    try {
      return await openBrowser(url);
    } catch {
      return false;
    }
  };
  const openTab = async (notice: ConsentQuestion, time: number): Promise<Tab> => {
    page ??= await openLoopbackPage(STYLE);
    return new Tab(notice, page, time);
  };

  return {
    close: () => page?.close({ title: "Pack Auth", main: "<h1>Your agent has left.</h1><p>You can close this page.</p>" }),

    async ask(question, signal) {
      const consent = inTurn(async (): Promise<Consent> => {
        if (signal.aborted) return "unanswered";
        const tab = await openTab(question, timeLimit);
        try {
          const agreement = tab.ask({ fields: () => consentFields(question), read: () => ({ value: true }), signal });
          if (!tab.isShown && !(await open(tab.address))) throw unreachable();
          if ((await agreement) === true) return "agreed";
          return tab.lastAction === "cancel" ? "refused" : "unanswered";
        } finally {
          if (tab.lastAction === undefined) tab.close("This question is no longer asked.");
          else tab.close("This question was answered.", "good");
        }
      });
      return abortable(consent, signal).catch((error: unknown) => {
        if (signal.aborted) return "unanswered";
        throw error;
      });
    },

    withPrompts: (notice, work) =>
      inTurn(async () => {
        const tab = await openTab(notice, promptTimeLimit);
        let isComplete = false;
        try {
          if (!tab.isShown && !(await open(tab.address))) throw unreachable();
          const result = await work({
            prompter: prompterIn(tab),
            async openBrowser(url) {
              const isOpen = await open(url);
              if (isOpen) tab.wait("The sign-in continues in another tab.");
              return isOpen;
            },
          });
          isComplete = tab.lastAction !== "cancel";
          return result;
        } finally {
          if (isComplete) tab.close("Pack Auth has what it needs.", "good");
          else tab.close("Pack Auth asks nothing more.");
        }
      }),
  };
}

const unreachable = (): PackAuthError =>
  new PackAuthError("person-unreachable", "The person could not be asked: no browser opened.", {
    hint: "Run this in the editor, or connect the account with pack-auth connect in a terminal.",
  });

/** Returns a function that runs works one after another. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}

function prompterIn(tab: Tab): Prompter {
  const inTurn = createQueue();
  return {
    input: (options) =>
      inTurn(() =>
        tab.ask({
          fields: (problem) => inputFields(options, problem),
          read(answer) {
            const text = answer.get("text") ?? "";
            // The page does not contain a secret that was entered before.
            const value = options.secret && text === "" ? (options.value ?? "") : text;
            const problem = options.validate?.(value);
            return problem === undefined ? { value } : { problem, ...(options.secret ? {} : { text }) };
          },
          ...defined({ signal: options.signal, back: options.back }),
        }),
      ),
    pick: (options) =>
      inTurn(() =>
        tab.ask({
          fields: (problem) => pickFields(options, problem),
          read(answer) {
            const item = options.items.find((_, index) => answer.get("choice") === String(index));
            return item === undefined ? { problem: "Choose one of these." } : { value: item.value };
          },
          isWaiting: options.progress !== undefined,
          ...defined({ signal: options.signal, back: options.back }),
        }),
      ),
  };
}

interface Question<T> {
  /** HTML of the form. */
  fields(problem?: Problem): string;
  read(answer: URLSearchParams): { readonly value: T } | Problem;
  readonly isWaiting?: boolean;
  readonly back?: Back;
  readonly signal?: AbortSignal;
}

/** Plain text between two questions. */
const NEXT_STEP = "Wait for the next step.";

/** A tab of the person's browser, which shows the notice above each question. */
class Tab {
  readonly #notice: ConsentQuestion;
  readonly #page: LoopbackPage;
  readonly #timeLimit: number;
  readonly #closed = new AbortController();
  /** Whether a browser showed the page before this question. */
  readonly isShown: boolean;
  #isAsking = false;
  #status = NEXT_STEP;
  /** The button that the person pressed last. */
  lastAction: "answer" | "back" | "cancel" | undefined;

  constructor(notice: ConsentQuestion, page: LoopbackPage, timeLimit: number) {
    this.#notice = notice;
    this.#page = page;
    this.#timeLimit = timeLimit;
    this.isShown = page.isWatched();
    this.wait();
  }

  get address(): string {
    return this.#page.address;
  }

  /** Returns undefined if the person cancelled or went back, at an abort, and at the time-out. */
  ask<T>({ fields, read, isWaiting = false, back, signal }: Question<T>): Promise<T | undefined> {
    const over = withinTime(this.#timeLimit, AbortSignal.any([this.#closed.signal, ...(signal ? [signal] : [])]));
    return new Promise((resolve) => {
      if (over.aborted) return resolve(undefined);
      const end = (status: string, value?: T): void => {
        over.removeEventListener("abort", abort);
        this.#isAsking = false;
        this.wait(status);
        resolve(value);
      };
      const abort = (): void => end(NEXT_STEP);
      const show = (problem?: Problem): void => this.#show({ form: { fields: fields(problem), submit }, isWaiting });
      const submit = (answer: URLSearchParams): void => {
        const action = answer.get("action");
        if (action === "answer") {
          const reading = read(answer);
          if ("problem" in reading) show(reading);
          else {
            this.lastAction = action;
            end(NEXT_STEP, reading.value);
          }
        } else if (action === "cancel" || (action === "back" && back)) {
          this.lastAction = action;
          if (action === "back") back?.();
          // A sign-in in another tab may go on after its menu was closed.
          end(this.#status);
        } else show();
      };
      this.#isAsking = true;
      over.addEventListener("abort", abort, { once: true });
      show();
    });
  }

  /** Shows a status between questions. */
  wait(status = this.#status): void {
    this.#status = status;
    if (!this.#isAsking) this.#show({ isWaiting: true }, `<p role="status">${status}</p>`);
  }

  #show(content: Pick<PageContent, "form" | "isWaiting">, below = ""): void {
    this.#page.show({ title: this.#notice.title, main: noticeHtml(this.#notice) + below, ...content });
  }

  close(heading: string, kind?: "good"): void {
    this.#closed.abort();
    const main = `${kind ? pageMark(kind) : ""}<h1>${heading}</h1><p>Go back to your agent. While this page is open, the next question appears here.</p>`;
    this.#page.show({ title: "Pack Auth", main, isWaiting: true });
  }
}
