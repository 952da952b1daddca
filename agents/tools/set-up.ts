// Proposes a configuration from evidence, as edits. What the evidence leaves open is a question to the agent; a look-up is one to the person.
import { basename, extname } from "node:path";
import { z } from "zod";
import { defined } from "../../base/defined.ts";
import { AGENT_WARNING } from "../../operations/consent-question.ts";
import { entryInside, pathInside, shownPath } from "../../operations/inside.ts";
import { entryFile } from "../../platform/bundle/entry-file.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { EVIDENCE_KINDS } from "../../platform/setup/evidence-kind.ts";
import { explainImpossible } from "../../platform/setup/impossible.ts";
import { type Answers, isLookUpId, type LookUpQuestion, type Question, type SetupOutcome } from "../../platform/setup/outcome.ts";
import { propose } from "../../platform/setup/propose.ts";
import { EMPTY_PACK } from "../../spec/toolkit.ts";
import { agentTool, type ToolCall } from "../agent-tool.ts";
import { fromOutside, outsideText } from "../outside.ts";
import { edit, packPath } from "../schemas.ts";

const LONGEST_EVIDENCE = 20 * 1024 * 1024;

export const setUp = agentTool({
  title: "Set up authentication",
  description:
    "Works out a pack's authentication. The evidence is a cURL command, an OpenAPI or Swagger description, an OAuth issuer, an MCP server, an address or a provider's name. Returns edits to apply, a question to answer and call again, or why the platform cannot do it. Prefer it to writing a configuration from memory. Remove real secrets from the evidence: they are never stored, and the person enters them at connect.",
  input: z.strictObject({
    pack: packPath,
    evidence: z.string().max(LONGEST_EVIDENCE).describe("The command, the description, the URL, or the name of a provider."),
    kind: z.enum(EVIDENCE_KINDS).optional().describe("By default it is recognised."),
    answers: z.record(z.string(), z.string()).default({}).describe("Answers to the questions of earlier calls, by their ID."),
  }),
  output: z.strictObject({
    status: z.enum(["proposed", "question", "impossible"]),
    question: z
      .strictObject({
        id: z.string(),
        text: outsideText,
        options: z
          .array(z.strictObject({ value: z.string(), label: outsideText, detail: outsideText.optional() }))
          .describe("Answer with the value of one. If there are none, answer with a text."),
        example: z.string().optional(),
      })
      .optional(),
    reason: outsideText.optional().describe("Why the platform cannot do it, and what to do instead."),
    type: z.string().optional(),
    formula: z.string().optional().describe("The name of the formula that the edits add. Run it in the sandbox."),
    edits: z
      .array(edit.extend({ oldText: edit.shape.oldText.optional() }))
      .describe("Apply all of them, then check and run. An edit without oldText replaces its range, whose text may contain a secret."),
    findings: z.array(z.strictObject({ rule: z.string(), severity: z.string(), message: z.string() })).describe("What a check will find."),
    notes: z.array(outsideText),
  }),
  runsCode: false,
  isReadOnly: true,
  isOpenWorld: true,
  async call({ pack, evidence, kind, answers }, call) {
    const { host } = call.session;
    const entry = newEntry(host.folder, pack) ?? entryInside(host.folder, pack);
    const outcome = await proposeWithPerson({ text: evidence, ...defined({ kind }) }, answers, call);
    const nothing = { edits: [], findings: [], notes: [] };
    if (outcome.kind === "impossible")
      return { status: "impossible" as const, reason: fromOutside(explainImpossible(outcome)), ...nothing };
    if (outcome.kind === "question") return { status: "question" as const, question: questionFor(outcome.question), ...nothing };
    const { proposal, credential } = outcome;
    const isNew = entryFile(entry) === undefined;
    const written = await host.sources.writeSetup(entry, proposal, isNew ? EMPTY_PACK : undefined);
    if ("problem" in written) throw new PackAuthError("setup-unproven", "Nothing was proposed.", { hint: written.problem });
    const { files, findings, formulaName } = written;
    for (const { path } of files) pathInside(host.folder, path);
    return {
      status: "proposed" as const,
      type: proposal.type,
      ...defined({ formula: formulaName }),
      edits: files.flatMap(({ path, edits, text }) =>
        isNew
          ? [{ path: shownPath(host.folder, path), range: AT_START, oldText: "", newText: text }]
          : edits.map((each) => ({ path: shownPath(host.folder, path), ...each })),
      ),
      findings: findings.map(({ rule, severity, message }) => ({ rule, severity, message })),
      notes: [
        ...(isNew ? [] : files).flatMap(({ path, edits }) =>
          edits
            .filter(({ oldText }) => oldText === undefined)
            .map(({ range: { start, end } }) =>
              fromOutside(
                `The lines ${start.line + 1} to ${end.line + 1} of ${basename(path)} may contain a secret, so they are not repeated.`,
              ),
            ),
        ),
        ...proposal.remarks.map((remark) => fromOutside(remark)),
        ...(credential === undefined
          ? []
          : [fromOutside("The evidence had a credential. It was not stored. Ask the person to sign in with connect.")]),
      ],
    };
  },
});

const AT_START = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Returns the path of a pack that does not exist yet; undefined if there is one. */
function newEntry(folder: string, path: string): string | undefined {
  const place = pathInside(folder, path);
  if (entryFile(place) !== undefined) return undefined;
  return extname(place) === ".ts" ? place : pathInside(folder, `${path}/pack.ts`);
}

/** A question is never one that only a person may answer. */
type AgentOutcome =
  | Exclude<SetupOutcome, { readonly kind: "question" }>
  | { readonly kind: "question"; readonly question: Exclude<Question, LookUpQuestion> };

/** Asks the person for each look-up; the answer holds for the session. */
async function proposeWithPerson(
  evidence: Parameters<typeof propose>[0],
  agentAnswers: Answers,
  { session, signal, progress }: ToolCall,
): Promise<AgentOutcome> {
  const { platform, allowLoopback } = await session.host.openAccounts();
  const host = { fetch: platform.fetch, ...defined({ lookUp: platform.lookUp, allowLoopback }) };
  if (Object.values(agentAnswers).some((answer) => /\bconstant\b/i.test(answer)))
    throw new PackAuthError("consent-refused", "Only a person says that a value is no secret.", {
      hint: "Answer user, pack or parameter, or leave the answer out.",
    });
  // An agent cannot answer for the person.
  const answers = Object.entries(agentAnswers).filter(([id]) => !isLookUpId(id));
  for (;;) {
    const outcome = await propose(evidence, Object.fromEntries([...answers, ...session.lookUps]), host, signal);
    if (outcome.kind !== "question") return outcome;
    const { question } = outcome;
    if (question.kind === "text" && question.fallback !== undefined && agentAnswers[question.id] === undefined)
      answers.push([question.id, question.fallback]);
    else if (question.kind !== "look-up") return { kind: "question", question };
    else {
      progress("Waiting for the person");
      session.lookUps.set(question.id, await askPerson(question, session, signal));
    }
  }
}

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

function questionFor(question: Exclude<Question, LookUpQuestion>) {
  return {
    id: question.id,
    text: fromOutside(question.text),
    options:
      question.kind === "text"
        ? []
        : question.options.map(({ value, label, detail }) => ({
            value,
            label: fromOutside(label),
            ...(detail === undefined ? {} : { detail: fromOutside(detail) }),
          })),
    ...(question.kind === "text" ? { example: question.example } : {}),
  };
}
