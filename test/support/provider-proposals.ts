// The proposals of a provider's page: one for each way to sign in that it has.
import assert from "node:assert/strict";
import type { Answers } from "../../platform/setup/outcome.ts";
import { propose } from "../../platform/setup/propose.ts";
import type { Proposal } from "../../protocol/setup.ts";

const OFFLINE = { fetch: () => Promise.reject(new Error("A page needs no request.")) };

/** Returns a proposal for each choice of `way`. Each other question is answered with its first option, or its example. */
export async function providerProposals(id: string, answers: Answers = {}): Promise<readonly Proposal[]> {
  const outcome = await propose({ kind: "provider", text: id }, answers, OFFLINE);
  if (outcome.kind === "proposal") return [outcome.proposal];
  assert.equal(outcome.kind, "question", `${id}: ${JSON.stringify(outcome)}`);
  const { question } = outcome as Extract<typeof outcome, { kind: "question" }>;
  assert.ok(answers[question.id] === undefined, `${id}: ${question.id} is asked again`);
  assert.notEqual(question.kind, "look-up");
  if (question.kind === "choice") {
    const options = question.id === "way" ? question.options : question.options.slice(0, 1);
    return (await Promise.all(options.map(({ value }) => providerProposals(id, { ...answers, [question.id]: value })))).flat();
  }
  return providerProposals(id, {
    ...answers,
    [question.id]: question.kind === "text" ? question.example.replace("example.com", "acme.dev") : "",
  });
}
