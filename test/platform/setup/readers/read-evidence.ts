// Calls a reader of evidence as a host does, with answers by the ID of their question.
import assert from "node:assert/strict";
import type { Answers, SetupOutcome } from "../../../../platform/setup/outcome.ts";
import { type EvidenceReader, type ReaderContext, Unanswered } from "../../../../platform/setup/reader.ts";
import type { Proposal } from "../../../../protocol/setup.ts";

export async function readEvidence(reader: EvidenceReader, text: string, answers: Answers = {}): Promise<SetupOutcome> {
  const context: ReaderContext = {
    choose(question) {
      const answer = answers[question.id];
      if (answer === undefined || !question.options.some(({ value }) => value === answer))
        throw new Unanswered({ kind: "choice", ...question });
      return answer;
    },
    ask(question) {
      const answer = answers[question.id];
      if (answer === undefined || question.problem(answer) !== undefined) throw new Unanswered({ kind: "text", ...question });
      return answer;
    },
    mayLookUp(question) {
      const answer = answers[`look-up ${question.host}`];
      if (answer === undefined) throw new Unanswered({ kind: "look-up", id: `look-up ${question.host}`, ...question });
      return answer === "yes";
    },
    fetch: () => Promise.reject(new Error("The reader sends a request.")),
    signal: new AbortController().signal,
  };
  try {
    return await reader(text, context);
  } catch (error) {
    if (error instanceof Unanswered) return { kind: "question", question: error.question };
    throw error;
  }
}

export function proposalOf(outcome: SetupOutcome): Proposal {
  assert.equal(outcome.kind, "proposal", JSON.stringify(outcome));
  return (outcome as Extract<SetupOutcome, { kind: "proposal" }>).proposal;
}

/** Returns an outcome in one line: the type with its fields, the question with its options, or the reason. */
export function summaryOf(outcome: SetupOutcome): string {
  if (outcome.kind === "impossible") return `impossible ${outcome.reason}: ${outcome.origin}`;
  if (outcome.kind === "proposal") {
    const { type, scope, fields } = outcome.proposal;
    const values = fields.map(({ name, value }) => ` ${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
    return `${scope === "system" ? "system " : ""}${type}${values.join("")}`;
  }
  const { question } = outcome;
  return `${question.id}?${question.kind === "choice" ? ` ${question.options.map(({ value }) => value).join(" | ")}` : ""}`;
}
