// Asks a person what the evidence leaves open, until there is a proposal.
import { defined } from "../../base/defined.ts";
import type { Question } from "../../platform/setup/outcome.ts";
import { type Evidence, proposeWithAnswers } from "../../platform/setup/propose.ts";
import type { Services } from "../services.ts";
import { askModal, showCancellable } from "../shown/messages.ts";
import { pick, prompter } from "../shown/questions.ts";
import { worldSettings } from "../window/settings.ts";
import { TITLE } from "./ask-evidence.ts";

/** Returns undefined if the person cancelled. Throws evidence-unreadable. */
export const answerQuestions = (services: Services, evidence: Evidence) =>
  showCancellable(TITLE, async (reportStep, signal) => {
    const { allowLoopback } = worldSettings();
    const { fetch, lookUp } = services.host(reportStep);
    const answer = async (question: Question): Promise<string | undefined> => {
      const reply = await ask(question, signal);
      reportStep("reading…");
      return reply;
    };
    reportStep("reading…");
    const outcome = await proposeWithAnswers(evidence, {}, answer, { fetch, allowLoopback, ...defined({ lookUp }) }, signal);
    return outcome.kind === "question" ? undefined : outcome;
  });

async function ask(question: Question, signal: AbortSignal): Promise<string | undefined> {
  switch (question.kind) {
    case "choice":
      return pick({ title: TITLE, placeholder: question.text, items: question.options, signal });
    case "text":
      return prompter.input({ title: TITLE, prompt: question.text, placeholder: question.example, validate: question.problem, signal });
    case "look-up": {
      const answer = await askModal(
        question.text,
        `Pack Auth sends a request to ${question.host}, without any credential.`,
        LOOK_UP,
        NOT_NOW,
      );
      return answer === undefined ? undefined : answer === LOOK_UP ? "yes" : "no";
    }
  }
}

const LOOK_UP = "Look it up";
const NOT_NOW = "Go on without it";
