// `pack-auth init`: sets up the authentication of a pack from evidence.
import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { OutputOf, PartOf } from "../../operations/operations.ts";
import { hintIn } from "../../platform/errors.ts";
import { LARGEST_EVIDENCE } from "../../platform/setup/evidence-kind.ts";
import { IMPOSSIBLE } from "../../platform/setup/impossible.ts";
import { originLines } from "../../platform/setup/origins.ts";
import type { Question } from "../../platform/setup/outcome.ts";
import { PROOF_STEPS } from "../../platform/setup/prove.ts";
import { pageByName } from "../../platform/setup/readers/provider.ts";
import { NOTHING_STORED, showConnected } from "../accounts/connect.ts";
import type { RawInput } from "../frame/operation-inputs.ts";
import { JSON_OPTION, operationVerb, type ShownCall, writeJson } from "../frame/operation-verb.ts";
import type { OptionSpecs } from "../frame/options.ts";
import { ENTRY_OPTIONS } from "../frame/pack-entry.ts";
import { stop } from "../frame/verb.ts";
import { messageOf, nextStepText } from "../terminal/next-steps.ts";
import { formatMessage, joined, printable } from "../terminal/printable.ts";
import { readStandardInput } from "../terminal/read-standard-input.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { diffLines } from "./diff.ts";

const options = {
  from: { argument: "SOURCE", help: "a file, a URL, the name of a provider, or - for standard input" },
  answer: { argument: "ID=VALUE", isList: true, help: "the answer to a question; for several questions, write it again" },
  json: { help: `${JSON_OPTION.json.help}, and ask nothing` },
  "allow-loopback": { help: "let look-ups reach this machine" },
  ...ENTRY_OPTIONS,
} as const satisfies OptionSpecs;

const help = {
  usage: "init [folder] --from <file|url|name|-> [options]",
  options,
  more: `[folder] is the pack's folder or file (default: .). Without a pack there, a new one is written.
Without a terminal nothing is asked: the first open question is printed with its ID, and the exit code is 2.

Exit code: 0 written, 1 not possible on the platform or not proved, 2 an open question or a wrong command, 130 cancelled.

Examples:
  pack-auth init --from request.txt
  pbpaste | pack-auth init my-pack --from - --yes
  pack-auth init --from https://acme.example/openapi.json --look-up acme.example
`,
};

type Output = NonNullable<OutputOf<"setUp">>;

const EXIT_CODES: Readonly<Record<Output["kind"], number>> = { question: 2, impossible: 1, unproven: 1, preview: 2, written: 0 };

export const init = operationVerb("setUp", help, {
  complete: completeInputs,
  asksNothing: ({ terminal, values }) => values.json === true || terminal.stdin.isTTY !== true,
  stopped: "Nothing was written.",
  showsStopped: true,
  showError(error, { terminal, values }) {
    if (values.json !== true) return undefined;
    const { code, message } = error;
    writeJson(terminal, { outcome: "failed", code, message, hint: hintIn(error, nextStepText) });
    return 1;
  },
  part: showPart,
  show(output, { terminal, values }) {
    if (output.kind === "written" && output.isAccount)
      return output.connected === undefined ? stop(terminal, NOTHING_STORED) : showConnected(output.connected, terminal, false);
    if (values.json) writeJson(terminal, { outcome: output.kind, ...jsonOf(output, terminal) });
    else showOutcome(output, terminal);
    return EXIT_CODES[output.kind];
  },
});

/** Returns the inputs with the evidence, which is a file or another text, and with the answers by their ID. Throws UsageError. */
async function completeInputs({ evidenceFile: from, answers = [], ...rest }: RawInput, terminal: Terminal): Promise<RawInput> {
  if (typeof from !== "string")
    throw new UsageError("Add --from with a file, a URL, the name of a provider, or -. See pack-auth init --help.");
  return {
    ...rest,
    answers: Object.fromEntries((answers as readonly string[]).map(readAnswer)),
    ...(await evidenceOf(from, terminal)),
  };
}

function readAnswer(text: string): readonly [string, string] {
  const [, id, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (id === undefined || value === undefined)
    throw new UsageError("Write --answer ID=VALUE: the ID of the question, an equals sign and the answer.");
  return [id, value];
}

async function evidenceOf(from: string, terminal: Terminal): Promise<RawInput> {
  if (from === "-") return { evidence: await readStandardInput(terminal, false, LARGEST_EVIDENCE) };
  if (/^https?:\/\//i.test(from)) return { evidence: from };
  if (existsSync(resolve(terminal.folder, from))) return { evidenceFile: from };
  // A command may contain a credential, and other programs of the machine see the arguments of this one.
  if (/\s/.test(from.trim()) && pageByName(from) === undefined)
    throw new UsageError("--from names no file. Put the command into a file, or pipe it to --from -.");
  if (/[\\/]|\.(?:json|ya?ml|txt|sh|curl)$/i.test(from)) throw new UsageError(`There is no file ${from}.`);
  return { evidence: from };
}

function showPart(part: PartOf<"setUp">, { terminal, values, paint }: ShownCall<typeof options>): void {
  if (values.json) return;
  const { output, errorOutput, folder } = terminal;
  if (part.kind === "change") {
    for (const { path, former, text, edits } of part.written.files)
      for (const line of diffLines(relative(folder, path), part.isNew ? undefined : former, text, edits)) {
        const colour = /^(?:---|\+\+\+|@@)/.test(line) ? "dim" : line.startsWith("-") ? "red" : "green";
        output.write(formatMessage`${paint(colour, line)}\n`);
      }
    output.write(formatMessage`\nWhere it comes from:\n`);
    for (const line of originLines(part.proposal)) output.write(formatMessage`  ${printable(line)}\n`);
    for (const remark of part.proposal.remarks) output.write(formatMessage`\n${printable(remark)}\n`);
    return;
  }
  const { steps, problem } = part.proof;
  if (part.kind === "proof") {
    const lines = steps.map(({ step, passed }) => formatMessage`  ${printable(passed ? "✓" : "✗")} ${printable(PROOF_STEPS[step])}\n`);
    output.write(formatMessage`\n${joined(lines)}`);
    if (problem !== undefined) errorOutput.write(formatMessage`pack-auth: ${printable(messageOf(problem))}\n`);
    return;
  }
  output.write(formatMessage`Written: ${printable(part.paths.map((path) => relative(folder, path)).join(", "))}.\n`);
  if (problem !== undefined)
    output.write(formatMessage`It is not proved yet, because the Packs SDK is missing. ${printable(problem.hint ?? "Install it")}.\n`);
}

function showOutcome(outcome: Output, { output, errorOutput, folder }: Terminal): void {
  const say = (text: string): void => errorOutput.write(formatMessage`pack-auth: ${printable(text)}\n`);
  if (outcome.kind === "question") for (const line of questionLines(outcome.question)) say(line);
  if (outcome.kind === "impossible") {
    const { title, because, wayOut } = IMPOSSIBLE[outcome.reason];
    say(`The platform cannot do ${title} (${outcome.origin}). ${because}\n${wayOut}`);
  }
  if (outcome.kind === "preview") say("Nothing is written yet. Add --yes to write it.");
  if (outcome.kind !== "written" || outcome.proposal.type === "None") return;
  const command = `pack-auth connect ${relative(folder, outcome.entry)}${outcome.proposal.scope === "system" ? " --system" : ""}`;
  const pasted = outcome.credential === undefined ? "" : " The credential that you pasted is stored nowhere.";
  output.write(formatMessage`Sign in with ${printable(command)}.${printable(pasted)}\n`);
}

/** Returns the report of an outcome. It has no credential. */
function jsonOf(outcome: Output, { folder }: Terminal): object {
  if (outcome.kind === "question") return { question: outcome.question };
  if (outcome.kind === "impossible") {
    const { title, because, wayOut } = IMPOSSIBLE[outcome.reason];
    return { reason: outcome.reason, origin: outcome.origin, title, because, wayOut };
  }
  const { entry, isNew, proposal, written, proof } = outcome;
  // The text of an existing file may have a secret at another place.
  const files = written.files.map(({ path, text, edits }) => (isNew ? { path, text } : { path, edits }));
  const report = { entry: relative(folder, entry), proposal, written: { ...written, files }, proof };
  return outcome.kind === "written" ? { ...report, paths: outcome.paths.map((path) => relative(folder, path)) } : report;
}

/** Returns lines about a question, and how to answer it by an option. */
function questionLines(question: Question): readonly string[] {
  const { kind, id, text } = question;
  if (kind === "look-up") return [text, `Add --look-up ${question.host} to allow it, or --answer ${quoted(`${id}=no`)}.`];
  const choices =
    kind === "choice"
      ? question.options.map(({ value, label, detail }) => `  ${value}: ${[label, detail].filter(Boolean).join(" · ")}`)
      : [];
  const example = kind === "choice" ? question.options[0]?.value : question.example;
  return [text, ...choices, `Add --answer ${quoted(`${id}=${example}`)}, or the answer that is right.`];
}

/** Quotes a word for a shell if it needs that. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
