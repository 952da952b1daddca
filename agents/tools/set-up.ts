// Proposes a configuration from evidence, as edits. What the evidence leaves open is a question to the agent; a look-up is one to the person.
import { basename } from "node:path";
import { defined } from "../../base/defined.ts";
import { quote } from "../../base/quote.ts";
import { AGENT_WARNING } from "../../operations/consent-question.ts";
import { shownPath } from "../../operations/inside.ts";
import { type EvidenceInput, proposeSetup } from "../../operations/setup/propose-setup.ts";
import { setUp as operation } from "../../operations/setup/set-up.ts";
import type { World } from "../../operations/world.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { explainImpossible } from "../../platform/setup/impossible.ts";
import { type Answers, isLookUpId, type LookUpQuestion, type Question } from "../../platform/setup/outcome.ts";
import { type AnswerQuestion, fallbackTo } from "../../platform/setup/propose.ts";
import type { ToolCall } from "../agent-tool.ts";
import { operationTool, runOperation } from "../operation-tool.ts";
import { nameOrMarked, OUTSIDE_NOTE, sentences } from "../outside.ts";

export const setUp = operationTool(operation, {
  title: "Set up authentication",
  note: `Returns edits: apply all, then check and run the formula. Or a question: call again with the id and the value of an option, or with their text. Or why the platform cannot do it. An edit without oldText replaces a text that may contain a secret. Prefer it to writing a configuration from memory. Remove real secrets from the evidence: they are never stored, and the person enters them at connect. ${OUTSIDE_NOTE}`,
  runsCode: false,
  isReadOnly: true,
  isOpenWorld: true,
  async call(input, call) {
    const answers = { ...ownAnswers(input.answers), ...Object.fromEntries(call.session.lookUps) };
    // The first half of the operation: the agent applies the edits itself.
    const run = (evidence: EvidenceInput, world: World) => proposeSetup(evidence, world, answerWithPerson(call));
    const outcome = await runOperation({ input: operation.input, run }, { ...input, answers }, call);
    const { folder } = call.session.host;
    const nothing = { edits: [], findings: [], notes: [] };
    if (outcome.kind === "impossible") return { status: "impossible", reason: sentences(explainImpossible(outcome)), ...nothing };
    if (outcome.kind === "question") return { status: "question", question: questionFor(outcome.question), ...nothing };
    const { proposal, credential, isNew, written } = outcome;
    const { files, findings, formulaName } = written;
    return {
      status: "proposed",
      type: proposal.type,
      ...defined({ formula: formulaName }),
      edits: files.flatMap(({ path, edits, text }) =>
        isNew
          ? [{ path: shownPath(folder, path), range: AT_START, oldText: "", newText: text, fromOutside: true }]
          : edits.map((each) => ({ path: shownPath(folder, path), ...each, fromOutside: true })),
      ),
      // A rule quotes a text of the source as JSON does, and the source is made from the evidence.
      findings: findings.map(({ message, rule, severity }) => ({
        rule,
        severity,
        message: sentences(message.replace(/"([^"]*)"/g, (_, text: string) => quote(text))),
      })),
      notes: [
        ...(isNew ? [] : files).flatMap(({ path, edits }) =>
          edits
            .filter(({ oldText }) => oldText === undefined)
            .map(
              ({ range: { start, end } }) =>
                `The lines ${start.line + 1} to ${end.line + 1} of ${basename(path)} may contain a secret, so they are not repeated.`,
            ),
        ),
        ...proposal.remarks.map((remark) => sentences(remark)),
        ...(credential === undefined ? [] : ["The evidence had a credential. It was not stored. Ask the person to sign in with connect."]),
      ],
    };
  },
});

const AT_START = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Returns the agent's answers without those that only a person gives. Throws consent-refused. */
function ownAnswers(answers: Answers): Answers {
  if (Object.values(answers).some((answer) => /\bconstant\b/i.test(answer)))
    throw new PackAuthError("consent-refused", "Only a person says that a value is no secret.", {
      hint: "Answer user, pack or parameter, or leave the answer out.",
    });
  return Object.fromEntries(Object.entries(answers).filter(([id]) => !isLookUpId(id)));
}

/** Asks the person for each look-up; the answer holds for the session. */
const answerWithPerson =
  ({ session, signal, progress }: ToolCall): AnswerQuestion =>
  async (question, answers) => {
    if (question.kind !== "look-up") return fallbackTo(question, answers);
    progress("Waiting for the person");
    const answer = await askPerson(question, session, signal);
    session.lookUps.set(question.id, answer);
    return answer;
  };

async function askPerson({ host, text }: LookUpQuestion, session: ToolCall["session"], signal: AbortSignal): Promise<"yes" | "no"> {
  const consent = await session.consent.ask(
    {
      title: `Let the agent look something up at ${host}?`,
      facts: [
        { label: "Host", text: host },
        { label: "Request", text },
      ],
      warnings: [AGENT_WARNING, "The request has no credential. Its address comes from the agent, and the host sees it."],
      agree: "Look it up",
    },
    signal,
  );
  if (consent === "unanswered")
    throw new PackAuthError("consent-refused", "The person has not answered.", { hint: "Call setup again when the person is there." });
  return consent === "agreed" ? "yes" : "no";
}

function questionFor(question: Question) {
  return {
    id: nameOrMarked(question.id),
    text: sentences(question.text),
    options:
      question.kind === "choice"
        ? question.options.map(({ value, label, detail }) => ({
            value: nameOrMarked(value),
            label: sentences(label),
            ...(detail === undefined ? {} : { detail: sentences(detail) }),
          }))
        : [],
    ...(question.kind === "text" ? { example: question.example } : {}),
  };
}
