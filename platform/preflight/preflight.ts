// "Ready for upload?": what will become of a pack on the platform, one line for each thing that decides it. Nothing is sent, nobody is
// asked, and what could not be checked is never called ready.

import { defined } from "../../base/defined.ts";
import type { PreflightLine, PreflightReport, PreflightTopic, PreflightVerdict } from "../../protocol/preflight.ts";
import type { UploadValidation } from "../../protocol/validation.ts";
import { PackAuthError, wholeMessage } from "../errors.ts";
import { runRecordsOf } from "../evidence/run-record.ts";
import type { Pack } from "../process/pack.ts";
import { type PackSources, type PreflightFacts, type PreflightInput, sourcesIn } from "./preflight-input.ts";
import { accounts } from "./topics/accounts.ts";
import { approval, approvalsIn } from "./topics/approval.ts";
import { credentials } from "./topics/credentials.ts";
import { drills } from "./topics/drills.ts";
import { formulas } from "./topics/formulas.ts";
import { mistakes, mistakesIn } from "./topics/mistakes.ts";
import { platformDifferences } from "./topics/platform-differences.ts";
import { publishedConfiguration } from "./topics/published-configuration.ts";
import { redirectAddress } from "./topics/redirect-address.ts";
import { savedTests } from "./topics/saved-tests.ts";
import { validation } from "./topics/validation.ts";
import { verification } from "./topics/verification.ts";

type CheckTopic = (facts: PreflightFacts) => readonly PreflightLine[] | Promise<readonly PreflightLine[]>;

/** In the order of the page. */
const TOPICS: Readonly<Record<PreflightTopic, { readonly step: string; readonly check: CheckTopic }>> = {
  validation: { step: "Validating as the upload does", check: validation },
  mistakes: { step: "Reading the sources", check: mistakes },
  approval: { step: "Reading what needs approval", check: approval },
  "redirect-address": { step: "Reading the pack's ID", check: redirectAddress },
  credentials: { step: "Reading the authentication", check: credentials },
  verification: { step: "Reading the provider's page", check: verification },
  accounts: { step: "Reading the accounts", check: accounts },
  formulas: { step: "Reading the record of runs", check: formulas },
  "saved-tests": { step: "Running the saved tests", check: savedTests },
  drills: { step: "Reading the record of drills", check: drills },
  "platform-differences": { step: "Reading the record of runs", check: platformDifferences },
  "published-configuration": { step: "Reading the published configuration", check: publishedConfiguration },
};

/** Throws the signal's reason if it aborts, and every error that is no PackAuthError. */
export async function preflight(input: PreflightInput): Promise<PreflightReport> {
  const { entry, signal } = input;
  input.progress?.("Building the pack");
  let pack: Pack;
  try {
    pack = await input.open();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof PackAuthError)) throw error;
    const sources = await readSources(input, [entry]);
    return reportOf(entry, [unopened(error, input), ...mistakesIn(sources), ...approvalsIn(sources)]);
  }
  signal.throwIfAborted();
  const sources = await readSources(input, pack.bundle.inputs);
  const recordOf = input.storageFolder === undefined ? () => undefined : runRecordsOf({ storageFolder: input.storageFolder }, entry);
  let validation: Promise<UploadValidation> | undefined;
  const validate = (): Promise<UploadValidation> => (validation ??= pack.validate(signal));
  const facts: PreflightFacts = { input, pack, definition: pack.definition, sources, validate, recordOf };
  const lines: PreflightLine[] = [];
  for (const [topic, { step, check }] of Object.entries(TOPICS) as [PreflightTopic, (typeof TOPICS)[PreflightTopic]][]) {
    input.progress?.(step);
    try {
      lines.push(...(await check(facts)));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PackAuthError)) throw error;
      lines.push({ topic, verdict: "not-judged", text: wholeMessage(error, input.words), ...defined({ location: error.location }) });
    }
    signal.throwIfAborted();
  }
  return reportOf(entry, lines);
}

async function readSources(
  { sources: { folder, ...reader }, entry, signal, progress }: PreflightInput,
  files: readonly string[],
): Promise<PackSources> {
  progress?.("Reading the sources");
  const unread = (error: unknown): PackAuthError => {
    signal.throwIfAborted();
    if (error instanceof PackAuthError) return error;
    throw error;
  };
  const findings = await reader.check(sourcesIn(folder, files), signal).catch(unread);
  const outline = await reader.outline(entry, signal).catch(unread);
  return { folder, findings, outline: outline instanceof PackAuthError ? undefined : outline };
}

/** A fact that two topics learn is one line: the same text, or the validator's and the analysis' words about one line of code. */
function reportOf(entry: string, all: readonly PreflightLine[]): PreflightReport {
  const rejections = all.filter(({ topic, verdict }) => topic === "validation" && verdict === "will-be-rejected");
  const isRepeated = ({ topic, location: at }: PreflightLine): boolean =>
    topic === "mistakes" && at !== undefined && rejections.some(({ location }) => location?.path === at.path && location.line === at.line);
  const unique = all.filter((line) => !isRepeated(line));
  const lines = [
    ...new Map(unique.map((line) => [JSON.stringify([line.text, line.location]), line] as const).reverse()).values(),
  ].reverse();
  return { entry, isReady: lines.every(({ verdict }) => verdict !== "will-be-rejected"), lines };
}

/**
 * The verdicts on packs that no machine can build or load, or only Node can. Another error, such as a missing Packs SDK or Node, tells
 * nothing about the pack.
 */
const VERDICTS_ON_UNOPENED: Partial<Readonly<Record<PackAuthError["code"], PreflightVerdict>>> = {
  "pack-not-found": "will-be-rejected",
  "pack-does-not-bundle": "will-be-rejected",
  "pack-throws-while-loading": "will-be-rejected",
  "pack-not-exported": "will-be-rejected",
  "pack-fails-on-platform": "fails-when-run",
};

const unopened = (error: PackAuthError, { words }: PreflightInput): PreflightLine => {
  const location = error.location ?? error.stackFrames?.find((frame) => frame.location !== undefined)?.location;
  const isToolkit = error.remedies?.some(({ kind }) => kind === "installToolkit") === true;
  return {
    topic: "validation",
    verdict: VERDICTS_ON_UNOPENED[error.code] ?? "not-judged",
    text: wholeMessage(error, words),
    ...defined({ location, action: isToolkit ? ({ kind: "installToolkit" } as const) : undefined }),
  };
};
