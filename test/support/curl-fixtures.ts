// cURL commands, and what set-up reads in each: a configuration, a question, or the reason why there is none. All but one are a JSON table.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { PackAuthError } from "../../platform/errors.ts";
import type { Question, SetupOutcome } from "../../platform/setup/outcome.ts";
import { type ReaderContext, Unanswered } from "../../platform/setup/reader.ts";
import type { TextWithSlots } from "../../protocol/setup.ts";
import { root } from "./packs.ts";

/** The secret of each command, of a form that no other text has. */
export const CANARY = "c4n4ryS3cretV4lue9c4n4ry";

const curlFixture = z.strictObject({
  command: z.string(),
  answers: z.record(z.string(), z.string()).exactOptional(),
  /** What {@link inShort} says of the outcome. */
  outcome: z.string(),
  /** The credential as JSON, without its kind; absent if none was pasted. */
  credential: z.looseObject({}).exactOptional(),
});
const file = join(root, "test/platform/setup/cases/curl-commands.json");

/** The commands by title. */
export const CURL_FIXTURES: Readonly<Record<string, z.infer<typeof curlFixture>>> = {
  ...z.record(z.string(), curlFixture).parse(JSON.parse(readFileSync(file, "utf8"))),
  "20 MB": {
    command: `curl ${"x".repeat(20_000_000)}`,
    outcome:
      "unreadable: The text has 20000005 characters; a cURL command of at most 100000 is read. Paste the command without its long body.",
  },
};

/** The context of a reader that has these answers. */
export function answering(answers: Readonly<Record<string, string>>): ReaderContext {
  const unanswered = (question: Question): never => {
    throw new Unanswered(question);
  };
  return {
    choose: (question) => {
      const answer = answers[question.id];
      return answer !== undefined && question.options.some(({ value }) => value === answer)
        ? answer
        : unanswered({ kind: "choice", ...question });
    },
    ask: (question) => {
      const answer = answers[question.id];
      return answer !== undefined && question.problem(answer) === undefined ? answer : unanswered({ kind: "text", ...question });
    },
    mayLookUp: (question) => unanswered({ kind: "look-up", id: `look-up ${question.host}`, ...question }),
    fetch: () => assertNothingSent(),
    signal: AbortSignal.timeout(60_000),
  };
}

const assertNothingSent = (): never => {
  throw new Error("A reader of a command sends nothing.");
};

/** Returns the outcome of a reader, or the error that it throws. */
export async function attempt(read: () => SetupOutcome | Promise<SetupOutcome>): Promise<SetupOutcome | PackAuthError> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Unanswered) return { kind: "question", question: error.question };
    if (error instanceof PackAuthError) return error;
    throw error;
  }
}

const textOf = (text: TextWithSlots): string =>
  text
    .map((piece) =>
      typeof piece === "string"
        ? piece
        : "endpoint" in piece
          ? "{endpoint}"
          : "parameter" in piece
            ? `<${piece.parameter}>`
            : `[${piece.credential}]`,
    )
    .join("");

/** Returns an outcome in one line, without the hint of an error that says only how to begin. */
export function inShort(outcome: SetupOutcome | PackAuthError): string {
  if (outcome instanceof PackAuthError) {
    const hint = /^Paste /.test(outcome.hint ?? "") && !/one whose|without its/.test(outcome.hint ?? "") ? "" : ` ${outcome.hint}`;
    return `unreadable: ${outcome.message}${hint}`;
  }
  if (outcome.kind === "question")
    return `ask ${outcome.question.id}${outcome.question.kind === "choice" ? `: ${outcome.question.options.map(({ value }) => value).join(", ")}` : ""}`;
  if (outcome.kind === "impossible") return `impossible ${outcome.reason}: ${outcome.origin}`;
  const { type, fields, domains, formula, remarks } = outcome.proposal;
  const request = formula?.request;
  return [
    [type, ...fields.map(({ name, value }) => `${name}=${JSON.stringify(value)}`)].join(" "),
    domains.map(({ domain }) => domain).join(","),
    [
      request === undefined
        ? "no formula"
        : [
            `${formula?.name}: ${request.method} ${textOf(request.url)}`,
            ...request.headers.map(({ name, value }) => `${name}: ${textOf(value)}`),
            ...(request.body === undefined ? [] : [textOf(request.body)]),
          ].join(" "),
      ...remarks
        .filter((remark) => !remark.startsWith("The command has no value for") && !remark.startsWith("No other type"))
        .map((remark) => `(${remark})`),
    ].join(" "),
  ].join("; ");
}
