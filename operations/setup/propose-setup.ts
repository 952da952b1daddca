// Works out the authentication of a pack from evidence, and what the pack's sources become. Nothing is written.
import { extname, join } from "node:path";
import { z } from "zod";
import { defined } from "../../base/defined.ts";
import { entryFile } from "../../platform/bundle/entry-file.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { readRegularFile } from "../../platform/files/regular-file.ts";
import { lookUp } from "../../platform/network/look-up.ts";
import { EVIDENCE_KINDS, LARGEST_EVIDENCE } from "../../platform/setup/evidence-kind.ts";
import type { LookUpHost } from "../../platform/setup/look-up.ts";
import type { SetupOutcome } from "../../platform/setup/outcome.ts";
import { type AnswerQuestion, proposeWithAnswers } from "../../platform/setup/propose.ts";
import type { WrittenSetup } from "../../protocol/written-setup.ts";
import { EMPTY_PACK } from "../../spec/toolkit.ts";
import { input, packInput } from "../inputs.ts";
import type { Network } from "../run/run-ground.ts";
import type { World } from "../world.ts";

export const evidenceInputs = {
  pack: packInput,
  evidence: input(z.string().max(LARGEST_EVIDENCE).optional(), "The command, the description, the URL, or the name of a provider."),
  evidenceFile: input(z.string().optional(), "A file with the command or the description, in place of `evidence`.", { option: "from" }),
  kind: input(z.enum(EVIDENCE_KINDS).optional(), "What the evidence is (default: it is recognised)."),
  answers: input(z.record(z.string(), z.string()).default({}), "Answers to questions of earlier calls, by their ID.", { option: "answer" }),
};

export type EvidenceInput = z.output<z.ZodObject<typeof evidenceInputs>>;

interface ProposedSetup extends Extract<SetupOutcome, { readonly kind: "proposal" }> {
  readonly entry: string;
  /** Whether there is no such pack yet. */
  readonly isNew: boolean;
  readonly written: WrittenSetup;
}

/** Throws evidence-unreadable and setup-unproven, and the errors of `answer`. */
export async function proposeSetup(
  { pack, kind, answers, ...evidence }: EvidenceInput,
  world: World,
  answer: AnswerQuestion,
): Promise<Exclude<SetupOutcome, { readonly kind: "proposal" }> | ProposedSetup> {
  const entry = newEntry(pack, world) ?? world.entryOf(pack);
  const text = textOf(evidence, world);
  const outcome = await proposeWithAnswers(
    { text, ...defined({ kind }) },
    answers,
    answer,
    lookUpHost(await world.runs.openNetwork()),
    world.signal,
  );
  if (outcome.kind !== "proposal") return outcome;
  // While a person answered, there may have been time to write one.
  const isNew = entryFile(entry) === undefined;
  const written = await world.sourcesOf().writeSetup(entry, outcome.proposal, isNew ? EMPTY_PACK : undefined);
  if ("problem" in written) throw new PackAuthError("setup-unproven", written.problem);
  for (const { path } of written.files) world.pathOf(path);
  return { ...outcome, entry, isNew, written };
}

/** A proxy resolves names itself, so their addresses are not checked here. */
const lookUpHost = ({ fetch, lookup = lookUp, behindProxy, allowLoopback }: Network): LookUpHost => ({
  fetch,
  allowLoopback,
  ...(behindProxy ? {} : { lookUp: lookup }),
});

/** Returns the path of a pack that does not exist yet; undefined if there is one. */
function newEntry(path: string, world: World): string | undefined {
  const place = world.pathOf(path);
  if (entryFile(place) !== undefined) return undefined;
  return extname(place) === ".ts" ? place : world.pathOf(join(path, "pack.ts"));
}

function textOf({ evidence, evidenceFile }: Pick<EvidenceInput, "evidence" | "evidenceFile">, world: World): string {
  if (evidence !== undefined && evidenceFile === undefined) return evidence;
  if (evidence !== undefined || evidenceFile === undefined)
    throw new PackAuthError("invalid-parameter", "Set-up needs either evidence or evidenceFile.");
  const text = readRegularFile(world.pathOf(evidenceFile), LARGEST_EVIDENCE);
  if (text === undefined)
    throw new PackAuthError("invalid-parameter", `${evidenceFile} cannot be read.`, {
      hint: `Name a regular file of at most ${LARGEST_EVIDENCE / 1024 / 1024} MB that you may read.`,
    });
  return text;
}
