// What a reader of evidence gets. A reader is written straight through: what it asks and nobody has answered yet ends it, and it is called
// again with the answer.
import type { Fetch } from "../host.ts";
import type { ChoiceQuestion, LookUpQuestion, Question, SetupOutcome, TextQuestion } from "./outcome.ts";

/** Reads one kind of evidence. Throws PackAuthError evidence-unreadable, and {@link Unanswered} through the context's methods. */
export type EvidenceReader = (text: string, context: ReaderContext) => SetupOutcome | Promise<SetupOutcome>;

export interface ReaderContext {
  /** Returns the answer. Throws {@link Unanswered} if there is none, or none that the question accepts. */
  choose(question: Omit<ChoiceQuestion, "kind">): string;
  ask(question: Omit<TextQuestion, "kind">): string;
  /** Returns whether the person allows the look-up. */
  mayLookUp(question: Omit<LookUpQuestion, "kind" | "id">): boolean;
  /**
   * Sends a request without a credential to a host that a person allowed. https only, no private address, no redirect to another host.
   */
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
}

/** A question without an answer; it ends a reader. */
export class Unanswered extends Error {
  readonly question: Question;

  constructor(question: Question) {
    super(`The question ${question.id} has no answer.`);
    this.name = "Unanswered";
    this.question = question;
  }
}
