// Reads evidence and returns what to set up from it, what to ask, or why the platform cannot do it. The caller asks the question and calls
// again with the answer.
import { defined } from "../../base/defined.ts";
import type { PackAuthError } from "../errors.ts";
import { abortable, withinTime } from "../network/abortable.ts";
import { isOpaque } from "./curl/names.ts";
import type { EvidenceKind } from "./evidence-kind.ts";
import { type LookUpHost, lookUpAddress, lookUpFetch, readText } from "./look-up.ts";
import { type Answers, type ChoiceQuestion, isLookUpId, lookUpId, type Question, type SetupOutcome, type TextQuestion } from "./outcome.ts";
import { type EvidenceReader, type ReaderContext, Unanswered } from "./reader.ts";
import { readAddress } from "./readers/address.ts";
import { readCurl } from "./readers/curl.ts";
import { readIssuer } from "./readers/issuer.ts";
import { readMcpServer } from "./readers/mcp.ts";
import { openApiReader } from "./readers/openapi.ts";
import { readProvider } from "./readers/provider.ts";
import { isUrl, recogniseEvidence } from "./recognise.ts";
import { hasToken } from "./tokens.ts";
import { unreadable } from "./unreadable.ts";

export interface Evidence {
  readonly text: string;
  /** Absent if it is to be recognised. */
  readonly kind?: EvidenceKind;
}

/** Milliseconds for one call. */
const TIME_LIMIT = 60_000;
/** Bytes of a description that is fetched. Those of the largest APIs have about ten megabytes. */
const LARGEST_DESCRIPTION = 16 * 1024 * 1024;

const readDescription = openApiReader(readIssuer);

const READERS: Readonly<Record<EvidenceKind, EvidenceReader>> = {
  curl: readCurl,
  openapi: async (text, context) => readDescription(isUrl(text) ? await fetchDescription(text, context) : text, context),
  issuer: readIssuer,
  mcp: readMcpServer,
  address: readAddress,
  provider: readProvider,
};

/**
 * Returns the outcome for the answers so far. Throws evidence-unreadable, and the reason of the signal once that is aborted.
 */
export async function propose(evidence: Evidence, answers: Answers, host: LookUpHost, signal?: AbortSignal): Promise<SetupOutcome> {
  const limit = withinTime(TIME_LIMIT, signal);
  const unused = new Set(Object.keys(answers).filter((id) => !isLookUpId(id)));
  const context = readerContext(answers, unused, host, limit);
  const read = async (): Promise<SetupOutcome> => READERS[evidence.kind ?? chooseKind(evidence.text, context)](evidence.text, context);
  try {
    const outcome = withoutTokens(await abortable(read(), limit));
    if (outcome.kind === "proposal" && unused.size > 0)
      throw unreadable(unusedText(unused), "Leave the answer out, or take the ID from the question that set-up asks without it.");
    return outcome;
  } catch (error) {
    if (error instanceof Unanswered) {
      const { question } = error;
      const text = unused.size === 0 ? question.text : `${unusedText(unused)} ${question.text}`;
      return withoutTokens({ kind: "question", question: { ...question, text } });
    }
    if (limit.aborted && signal?.aborted !== true)
      throw unreadable(
        "This took longer than a minute, so it was stopped.",
        "Try again, or use less: one request, or a part of the description.",
      );
    throw error;
  }
}

/** Returns the answer to what a reader asks, or undefined to leave the question open. */
export type AnswerQuestion = (question: Question, answers: Answers) => Promise<string | undefined>;

/** Proposes until a question stays open or none is left. Throws the errors of {@link propose}, and those of `answer`. */
export async function proposeWithAnswers(
  evidence: Evidence,
  answers: Answers,
  answer: AnswerQuestion,
  host: LookUpHost,
  signal: AbortSignal,
): Promise<SetupOutcome> {
  const outcome = await propose(evidence, answers, host, signal);
  if (outcome.kind !== "question") return outcome;
  const reply = await answer(outcome.question, answers);
  return reply === undefined ? outcome : proposeWithAnswers(evidence, { ...answers, [outcome.question.id]: reply }, answer, host, signal);
}

/** Returns the answer where nobody is asked. One that was not accepted is not repeated. */
export const fallbackTo = (question: Question, answers: Answers): string | undefined =>
  question.kind === "text" && answers[question.id] === undefined ? question.fallback : undefined;

/**
 * Leaves out requests with a token of a published form: whatever a reader took the token for, it is in no file. Throws evidence-unreadable if
 * it is at another place.
 */
function withoutTokens(outcome: SetupOutcome): SetupOutcome {
  if (outcome.kind !== "proposal") {
    if (hasToken(outcome)) throw misplacedToken();
    return outcome;
  }
  const { formula, userRequest, ...rest } = outcome.proposal;
  if (hasToken(rest)) throw misplacedToken();
  if (!hasToken([formula, userRequest])) return outcome;
  return {
    ...outcome,
    proposal: {
      ...rest,
      ...defined({ formula: hasToken(formula) ? undefined : formula, userRequest: hasToken(userRequest) ? undefined : userRequest }),
      remarks: [...rest.remarks, "A request is left out, because it contains a token. Write it by hand, without the token."],
    },
  };
}

const misplacedToken = (): PackAuthError =>
  unreadable(
    "The evidence has a token at a place that a configuration repeats, such as an address or a name.",
    "Remove the token. Revoke it if others may have seen it.",
  );

/** Says which answers no question asked for. An ID of another form may be a secret at the wrong place. */
const unusedText = (ids: ReadonlySet<string>): string =>
  `No question has the ID ${[...ids].map((id) => (/^[\w.-]{1,60}$/.test(id) && !isOpaque(id) ? id : "of the answer")).join(" or ")}.`;

function readerContext(answers: Answers, unused: Set<string>, host: LookUpHost, signal: AbortSignal): ReaderContext {
  const allowedHosts = new Set<string>();
  const answerTo = (id: string): string | undefined => {
    unused.delete(id);
    return Object.hasOwn(answers, id) ? answers[id] : undefined;
  };
  /** The question again, after the reason why its answer is not accepted. The answer is not repeated. */
  const unanswered = (question: ChoiceQuestion | TextQuestion, problem: string | undefined): Unanswered =>
    new Unanswered(
      problem === undefined ? question : { ...question, text: `The answer to ${question.id} is not accepted. ${problem} ${question.text}` },
    );
  const context: Omit<ReaderContext, "fetch"> = {
    choose(question) {
      const answer = answerTo(question.id);
      if (answer !== undefined && question.options.some(({ value }) => value === answer)) return answer;
      const values = question.options.map(({ value }) => value).join(", ");
      throw unanswered({ kind: "choice", ...question }, answer === undefined ? undefined : `It must be one of ${values}.`);
    },
    ask(question) {
      const answer = answerTo(question.id);
      const problem = answer === undefined ? undefined : question.problem(answer);
      if (answer !== undefined && problem === undefined) return answer;
      throw unanswered({ kind: "text", ...question }, problem);
    },
    mayLookUp(question) {
      const id = lookUpId(question.host);
      const answer = answerTo(id);
      if (answer !== "yes" && answer !== "no") throw new Unanswered({ kind: "look-up", id, ...question });
      if (answer === "yes") allowedHosts.add(question.host);
      return answer === "yes";
    },
    signal,
  };
  return { ...context, fetch: lookUpFetch(host, context, (name) => allowedHosts.has(name)) };
}

const URL_KINDS: ChoiceQuestion["options"] = [
  { value: "address", label: "An address of the API", detail: "It is tried without a credential, and its challenge is read." },
  { value: "issuer", label: "An OAuth 2.0 or OpenID Connect issuer" },
  { value: "mcp", label: "An MCP server" },
  { value: "openapi", label: "An OpenAPI or Swagger file" },
] satisfies readonly { value: EvidenceKind; label: string; detail?: string }[];

function chooseKind(text: string, context: ReaderContext): EvidenceKind {
  const kind = recogniseEvidence(text);
  if (kind !== undefined) return kind;
  if (!isUrl(text))
    throw unreadable(
      "This is no evidence that can be read.",
      "Use a cURL command, an OpenAPI file, a URL that begins with https://, or the name of a provider.",
    );
  return context.choose({ id: "kind", text: `What is at ${new URL(text.trim()).host}?`, options: URL_KINDS }) as EvidenceKind;
}

async function fetchDescription(text: string, context: ReaderContext): Promise<string> {
  const { url } = lookUpAddress(text);
  const response = await context.fetch(url.href, {
    headers: { accept: "application/json, application/yaml, */*" },
    signal: context.signal,
  });
  if (!response.ok)
    throw unreadable(
      `${url.host} answers ${response.status} instead of a description.`,
      "Check the address, or download the file and use that.",
    );
  return readText(response, url, LARGEST_DESCRIPTION);
}
