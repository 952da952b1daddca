// Pack.validate and the functions of the toolkit's own `validate` command, asked about the same packs: both give the same verdict in the
// same words, and each message stands at the member that the mutant changed.
import { cpSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorMessage } from "../../base/error-message.ts";
import { canonicalPath } from "../../platform/files/file-names.ts";
import { openPack } from "../../platform/process/pack.ts";
import type { UploadValidation, ValidationMessage } from "../../protocol/validation.ts";
import { createAnalysis } from "../../server/analysis/analysis.ts";
import { locateMetadata } from "../../server/analysis/features/locate-metadata.ts";
import { runner } from "../support/open-packs.ts";
import { root } from "../support/packs.ts";
import { commandVerdict } from "../support/validator.ts";
import { type BasePack, readSource } from "./corpus.ts";
import { withMutant } from "./judge.ts";
import { type Mutant, mutatedText } from "./mutant.ts";

export interface UploadAgreement {
  readonly judged: number;
  readonly equal: number;
  readonly rejected: number;
  /** The packs that do not load, which both reject without a message of the validator. */
  readonly unloaded: number;
  readonly messages: number;
  readonly placed: number;
  /** In words, where the two disagree, or a message stands elsewhere. */
  readonly disagreements: readonly string[];
  readonly misplaced: readonly string[];
}

/** Copies packs to a project with this project's packages; the samples of the toolkit lie inside of its package. */
export function copyPacks(folders: readonly string[]): { readonly folder: string; remove(): void } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-upload-")));
  writeFileSync(join(folder, "package.json"), "{}");
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const [index, from] of folders.entries())
    cpSync(from, join(folder, `packs${index}`), {
      recursive: true,
      filter: (path) => !path.slice(from.length).includes("node_modules"),
    });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Each file of each pack in the folder. */
export function packsIn(folder: string): readonly BasePack[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.d\.ts$|node_modules/.test(name))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort();
  const analysis = createAnalysis({ readFile: readSource });
  analysis.addCandidates(files);
  return analysis.packs().flatMap((entry) => {
    const pack = analysis.packsOf(entry).find((candidate) => candidate.entry === entry);
    return (pack?.files ?? []).map((file) => ({
      name: file.slice(folder.length + 1),
      file,
      entry,
      text: analysis.text(file) ?? "",
      analysis,
    }));
  });
}

const LANES = 3;
/** The verdicts are compared, and not the time in which a busy machine reaches them. */
const UNHURRIED = { loadTime: 180_000 };

/** Judges packs as they are, and mutants. */
export async function agreement(packs: readonly BasePack[], mutants: readonly Mutant[]): Promise<UploadAgreement> {
  const unchanged = packs
    .filter(({ file, entry }) => file === entry)
    .map((base): Mutant => ({ base, mistake: "none", edit: { start: 0, end: 0, text: "" }, rules: [], where: undefined }));
  const queue = [...unchanged, ...mutants];
  const counts = { judged: 0, equal: 0, rejected: 0, unloaded: 0, messages: 0, placed: 0 };
  const disagreements: string[] = [];
  const misplaced: string[] = [];
  const judge = async (mutant: Mutant): Promise<void> => {
    const { base, mistake, where } = mutant;
    const label = `${base.name}, ${mistake}`;
    const texts = new Map([[canonicalPath(base.file), mutatedText(mutant)]]);
    const [theirs, ours] = await Promise.all([commandVerdict(base.entry, texts), validation(base.entry, texts)]);
    counts.judged++;
    if (
      theirs.isAccepted !== isAccepted(ours) ||
      (ours?.isChecked === true && theirs.output !== undefined && theirs.output !== words(ours))
    )
      disagreements.push(`${label}: ${theirs.output ?? "does not load"} | ${words(ours)}`);
    else counts.equal++;
    if (!theirs.isAccepted) counts.rejected++;
    if (ours === undefined) counts.unloaded++;
    if (where === undefined || ours?.isChecked !== true) return;
    withMutant(mutant, () => {
      const pack = base.analysis.packsOf(base.entry).find(({ entry }) => entry === base.entry);
      for (const { at, path, message } of ours.errors) {
        counts.messages++;
        const place = pack && locateMetadata(pack, at);
        if (place?.file === base.file && where.some(({ start, end }) => place.start <= end && start <= place.end)) counts.placed++;
        else
          misplaced.push(
            `${label}: ${path} ${message} (at ${place && base.analysis.text(place.file)?.slice(place.start, place.end).slice(0, 60)})`,
          );
      }
    });
  };
  const lane = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await judge(next);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { ...counts, disagreements, misplaced };
}

/** Undefined if the pack does not build or load. */
async function validation(entry: string, texts: ReadonlyMap<string, string>): Promise<UploadValidation | undefined> {
  const pack = await openPack(entry, { texts, process: { runner, node: process.execPath, limits: UNHURRIED } }).catch(() => undefined);
  try {
    return await pack?.validate().catch((error: unknown) => ({ isChecked: false as const, reason: errorMessage(error) }));
  } finally {
    pack?.dispose();
  }
}

const isAccepted = (result: UploadValidation | undefined): boolean => result?.isChecked === true && result.errors.length === 0;

/** The output of the command for the result. */
function words(result: UploadValidation | undefined): string {
  if (result?.isChecked !== true) return result?.reason ?? "does not load";
  const lines = (messages: readonly ValidationMessage[], kind: string, end = ""): string =>
    messages.map(({ path, message }) => (path === undefined ? message : `${kind} in field at path "${path}": ${message}${end}`)).join("\n");
  return `${lines(result.errors, "Error")}${lines(result.warnings, "Warning", " This will become an error in a future SDK version.")}`;
}

/** The folders of the toolkit's samples, and of checkouts. */
export const packFolders = (): readonly string[] => [
  join(root, "node_modules/@codahq/packs-sdk/documentation/samples/packs"),
  ...(process.env.TESTS_CORPUS ?? "").split(":").filter((folder) => folder !== "" && existsSync(folder)),
];
