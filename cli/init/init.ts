// `pack-auth init`: sets up the authentication of a pack from evidence. It shows what it would write, proves it at the sandbox, and writes
// it once the author agrees.
import { readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { defined } from "../../base/defined.ts";
import { entryFile } from "../../platform/bundle/entry-file.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { lookUp } from "../../platform/network/look-up.ts";
import { packageName, packFolder } from "../../platform/pack-template.ts";

import type { Credential } from "../../platform/secrets/credential.ts";
import { IMPOSSIBLE } from "../../platform/setup/impossible.ts";
import { originLines } from "../../platform/setup/origins.ts";
import type { SetupOutcome } from "../../platform/setup/outcome.ts";
import { answersOf, proveSetup, type SetupProof } from "../../platform/setup/prove.ts";
import { writeNewPack } from "../../platform/setup/write-new-pack.ts";
import type { Proposal } from "../../protocol/setup.ts";
import type { WrittenSetup } from "../../protocol/written-setup.ts";
import { EMPTY_PACK } from "../../spec/toolkit.ts";
import { replaceFile } from "../check/write-file.ts";
import { connectEntry } from "../connect.ts";
import { hasColours, painter } from "../terminal/colour.ts";
import { openFetch } from "../terminal/fetch.ts";
import { formatMessage, joined, printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { createTerminalPrompter } from "../terminal/terminal-prompter.ts";
import { UsageError } from "../usage-error.ts";
import { inSession, stop, type VerbSession } from "../verb.ts";
import { askYesOrNo, outcomeOf, questionLines } from "./ask.ts";
import { diffLines, edited } from "./diff.ts";
import { readEvidence } from "./evidence.ts";
import { type InitCall, readInitCall } from "./init-options.ts";

type TerminalPrompter = ReturnType<typeof createTerminalPrompter>;

export async function init(args: readonly string[], terminal: Terminal): Promise<number> {
  const call = readInitCall(args, terminal);
  if (call === undefined) return 0;
  const target = targetOf(terminal, call.path);
  const text = await readEvidence(terminal, call.from);
  return inSession(terminal, (session) => initPack({ ...session, call }, target, text), NOTHING_WRITTEN);
}

const NOTHING_WRITTEN = "Nothing was written.";

async function initPack(verbSession: VerbSession & { readonly call: InitCall }, target: Target, text: string): Promise<number> {
  const { terminal, call, signal, atEnd } = verbSession;
  const prompter = terminal.stdin.isTTY && !call.asJson ? createTerminalPrompter(terminal) : undefined;
  if (prompter !== undefined) atEnd(prompter.close);
  const session: Session = { ...verbSession, prompter };
  try {
    const { fetch, behindProxy } = openFetch(terminal.environment);
    const host = { fetch, allowLoopback: call.allowLoopback, ...(behindProxy ? {} : { lookUp }) };
    const outcome = await outcomeOf(text, call, host, prompter, signal);
    if (outcome === undefined) return stop(terminal, NOTHING_WRITTEN);
    if (outcome.kind === "question") return reportQuestion(terminal, outcome, call);
    if (outcome.kind === "impossible") return reportImpossible(terminal, outcome, call);
    const { proposal, credential } = outcome;
    const result = await setUp(proposal, target.entry, target.isNew, session);
    if (typeof result === "number") return result;
    return await offerAccount(proposal, result.isProved ? credential : undefined, credential !== undefined, target.entry, session);
  } catch (error) {
    if (signal.aborted || !call.asJson || !(error instanceof PackAuthError)) throw error;
    writeJson(terminal, "failed", { code: error.code, message: error.message, hint: error.hint });
    return 1;
  }
}

interface Target {
  readonly entry: string;
  readonly isNew: boolean;
}

/** Returns the pack of the folder or file; a new one if there is none. Throws UsageError. */
function targetOf({ folder }: Terminal, path: string): Target {
  const absolute = resolve(folder, path);
  const existing = entryFile(absolute);
  if (existing !== undefined) return { entry: existing, isNew: false };
  if (/\.[cm]?[jt]sx?$/.test(path)) throw new UsageError(`There is no file ${path}. For a new pack, name its folder.`);
  return { entry: join(absolute, "pack.ts"), isNew: true };
}

interface Session extends VerbSession {
  readonly call: InitCall;
  readonly prompter: TerminalPrompter | undefined;
}

/** Returns the exit code if nothing is written, else whether the sources are proved. */
async function setUp(
  proposal: Proposal,
  entry: string,
  isNew: boolean,
  { terminal, call, prompter, signal, ...session }: Session,
): Promise<number | { readonly isProved: boolean }> {
  const { writeSetup } = await import("../analysis.ts");
  const written = writeSetup(entry, proposal, isNew ? EMPTY_PACK : undefined);
  if ("problem" in written) {
    if (call.asJson) writeJson(terminal, "failed", { code: "setup-unproven", message: written.problem });
    else terminal.errorOutput.write(formatMessage`pack-auth: ${printable(written.problem)}\n`);
    return 1;
  }
  const former = new Map(written.files.map(({ path }) => [path, isNew ? undefined : readFileSync(path, "utf8")]));
  for (const { path, text, edits } of isNew ? [] : written.files)
    if (edited(former.get(path) ?? "", edits) !== text)
      throw new PackAuthError("storage-failed", `${path} is not UTF-8, or has just changed.`, { hint: "Save it as UTF-8, and try again." });
  if (!call.asJson) showDiff(terminal, written, former, proposal);
  const proof = await proveSetup(proposal, written, {
    openPack: (texts) => session.openPack(entry, call, defined({ texts })),
    openSandbox: session.openSandbox,
    signal,
  });
  const isUnproved = proof.problem?.code === "toolkit-missing";
  if (!call.asJson) showProof(terminal, proof);
  // The text of an existing file may have a secret at another place.
  const files = written.files.map(({ path, text, edits }) => (isNew ? { path, text } : { path, edits }));
  const report = { entry: relative(terminal.folder, entry), proposal, written: { ...written, files }, proof };
  if (proof.problem !== undefined && !isUnproved) {
    if (call.asJson) writeJson(terminal, "unproven", report);
    return 1;
  }
  if (!call.isAgreed) {
    if (prompter === undefined) {
      if (call.asJson) writeJson(terminal, "preview", report);
      else terminal.errorOutput.write(formatMessage`pack-auth: Nothing is written yet. Add --yes to write it.\n`);
      return 2;
    }
    const question = isUnproved ? "Write it without the proof at the sandbox?" : "Write it?";
    if ((await askYesOrNo(prompter, question, signal)) !== "yes") return stop(terminal, NOTHING_WRITTEN);
  }
  const paths = (isNew ? writeNew(entry, written, proposal) : await replaceAll(written, former)).map((path) =>
    relative(terminal.folder, path),
  );
  if (call.asJson) writeJson(terminal, "written", { ...report, paths });
  else terminal.output.write(formatMessage`Written: ${printable(paths.join(", "))}.\n`);
  if (isUnproved && !call.asJson)
    terminal.output.write(
      formatMessage`It is not proved yet, because the Packs SDK is missing. ${printable(proof.problem?.hint ?? "Install it")}.\n`,
    );
  return { isProved: !isUnproved };
}

function writeNew(entry: string, { files: [file] }: WrittenSetup, proposal: Proposal): readonly string[] {
  const folder = dirname(entry);
  return writeNewPack(folder, folder, packFolder(packageName(basename(folder)), file?.text ?? "", answersOf(proposal))).written;
}

/** Writes each file that is still what was read, and returns their paths. Throws storage-failed. */
async function replaceAll({ files }: WrittenSetup, former: ReadonlyMap<string, string | undefined>): Promise<readonly string[]> {
  for (const { path, text } of files) {
    const isWritten = await replaceFile(path, text, () => readFileSync(path, "utf8") === former.get(path)).catch((cause: unknown) => {
      throw new PackAuthError("storage-failed", `${path} could not be written.`, { hint: "Choose a file that you may write to.", cause });
    });
    if (!isWritten)
      throw new PackAuthError("storage-failed", `${path} has just changed, so it is left as it is.`, { hint: "Run init again." });
  }
  return files.map(({ path }) => path);
}

function showDiff(terminal: Terminal, { files }: WrittenSetup, former: ReadonlyMap<string, string | undefined>, proposal: Proposal): void {
  const paint = painter(hasColours(terminal.output, terminal.environment));
  for (const { path, text, edits } of files)
    for (const line of diffLines(relative(terminal.folder, path), former.get(path), text, edits)) {
      const colour = /^(?:---|\+\+\+|@@)/.test(line) ? "dim" : line.startsWith("-") ? "red" : "green";
      terminal.output.write(formatMessage`${paint(colour, line)}\n`);
    }
  terminal.output.write(formatMessage`\nWhere it comes from:\n`);
  for (const line of originLines(proposal)) terminal.output.write(formatMessage`  ${printable(line)}\n`);
  for (const remark of proposal.remarks) terminal.output.write(formatMessage`\n${printable(remark)}\n`);
}

const STEPS: Readonly<Record<SetupProof["steps"][number]["step"], string>> = {
  check: "checks clean",
  load: "loads",
  "sign-in": "signs in at the sandbox",
  run: "its formula runs there",
};

function showProof({ output, errorOutput }: Terminal, { steps, problem }: SetupProof): void {
  const lines = steps.map(({ step, passed }) => formatMessage`  ${printable(passed ? "✓" : "✗")} ${printable(STEPS[step])}\n`);
  output.write(formatMessage`\n${joined(lines)}`);
  if (problem !== undefined)
    errorOutput.write(formatMessage`pack-auth: ${printable([problem.message, problem.hint].filter(Boolean).join(" "))}\n`);
}

/** Says how to connect, and offers what was pasted as the account. */
async function offerAccount(
  proposal: Proposal,
  credential: Credential | undefined,
  isPasted: boolean,
  entry: string,
  session: Session,
): Promise<number> {
  const { terminal, call, prompter, signal } = session;
  const { scope, type } = proposal;
  if (type === "None" || call.asJson) return 0;
  if (credential !== undefined && prompter !== undefined) {
    if ((await askYesOrNo(prompter, "Save the credential that you pasted as your account?", signal)) === "yes") {
      // The sign-in has a prompter of its own.
      prompter.close();
      const { node, "workspace-esbuild": esbuild } = call;
      const options = defined({ node, "workspace-esbuild": esbuild, system: scope === "system" || undefined });
      return connectEntry(session, entry, options, credential);
    }
  }
  const command = `pack-auth connect ${relative(terminal.folder, entry)}${scope === "system" ? " --system" : ""}`;
  const pasted = isPasted ? " The credential that you pasted is stored nowhere." : "";
  terminal.output.write(formatMessage`Sign in with ${printable(command)}.${printable(pasted)}\n`);
  return 0;
}

function reportQuestion(terminal: Terminal, { question }: SetupOutcome & { readonly kind: "question" }, call: InitCall): number {
  if (call.asJson) writeJson(terminal, "question", { question });
  else for (const line of questionLines(question)) terminal.errorOutput.write(formatMessage`pack-auth: ${printable(line)}\n`);
  return 2;
}

function reportImpossible(terminal: Terminal, { reason, origin }: SetupOutcome & { readonly kind: "impossible" }, call: InitCall): number {
  const { title, because, wayOut } = IMPOSSIBLE[reason];
  if (call.asJson) writeJson(terminal, "impossible", { reason, origin, title, because, wayOut });
  else
    terminal.errorOutput.write(
      formatMessage`pack-auth: The platform cannot do ${printable(title)} (${printable(origin)}). ${printable(because)}\n${printable(wayOut)}\n`,
    );
  return 1;
}

const writeJson = ({ output }: Terminal, outcome: string, more: object): void =>
  output.writeJson(`${JSON.stringify({ version: 1, outcome, ...more }, null, 2)}\n`);
