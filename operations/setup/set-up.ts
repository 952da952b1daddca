// Sets up the authentication of a pack: works it out, proves it in the sandbox, and writes it once the person agrees.
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { z } from "zod";
import { entryFile } from "../../platform/bundle/entry-file.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { replaceFile } from "../../platform/files/write-file.ts";
import { packageName, packFolder } from "../../platform/pack-template.ts";
import type { Credential } from "../../platform/secrets/credential.ts";
import type { Question } from "../../platform/setup/outcome.ts";
import { fallbackTo } from "../../platform/setup/propose.ts";
import { answersOf, proveSetup, type SetupProof } from "../../platform/setup/prove.ts";
import { writeNewPack } from "../../platform/setup/write-new-pack.ts";
import type { AuthScope } from "../../protocol/run.ts";
import type { Proposal } from "../../protocol/setup.ts";
import type { WrittenSetup } from "../../protocol/written-setup.ts";
import { signIn } from "../connect/sign-in.ts";
import { input } from "../inputs.ts";
import type { Observer } from "../observer.ts";
import { operation } from "../operation.ts";
import { NOBODY, type Person } from "../person.ts";
import type { World } from "../world.ts";
import { evidenceInputs, proposeSetup } from "./propose-setup.ts";

export type SetupPart =
  | { readonly kind: "change"; readonly isNew: boolean; readonly proposal: Proposal; readonly written: WrittenSetup }
  | { readonly kind: "proof"; readonly proof: SetupProof }
  | { readonly kind: "paths"; readonly paths: readonly string[]; readonly proof: SetupProof };

export const setUp = operation({
  about: `Sets up the authentication of a pack. The evidence is a cURL command, an OpenAPI or Swagger description, an OAuth issuer, an MCP server, an
address or the name of a provider. A pasted credential is written nowhere.`,
  input: z.strictObject({
    ...evidenceInputs,
    lookUp: input(z.array(z.string()).default([]), "A host that may get a request without a credential; may be repeated.", {
      argument: "HOST",
    }),
    yes: input(z.boolean().default(false), "Write without asking, once it is proved."),
  }),
  missing: {
    terminal: { evidence: "Other programs see the words of a call. --from also names a URL, a provider or standard input." },
    agents: { lookUp: "Only a person allows a request.", yes: "An agent gets edits, and applies them itself." },
    editor: { answers: "The editor asks.", lookUp: "The editor asks for each host.", yes: "The editor shows a diff to agree to." },
  },
  /** Returns undefined if the person cancels. A call that asks nobody ends at the first question. */
  async run({ lookUp, yes, ...evidence }, world, person, { part }: Observer<SetupPart>) {
    const { signal } = world;
    if (/\.[cm]?[jt]sx?$/.test(evidence.pack) && entryFile(world.pathOf(evidence.pack)) === undefined)
      throw new PackAuthError("pack-not-found", `There is no file ${evidence.pack}.`, { hint: "For a new pack, name its folder." });
    const outcome = await proposeSetup(evidence, world, async (question, answers) => {
      if (question.kind === "look-up" && lookUp.includes(question.host) && answers[question.id] !== "yes") return "yes";
      return (yes ? fallbackTo(question, answers) : undefined) ?? ask(question, person, signal);
    });
    if (signal.aborted || (outcome.kind === "question" && person !== NOBODY)) return undefined;
    if (outcome.kind !== "proposal") return outcome;
    const { entry, isNew, proposal, written, credential } = outcome;
    if (!isNew) assertUnchanged(written);
    part({ kind: "change", isNew, proposal, written });
    const proof = await proveSetup(proposal, written, {
      openPack: (texts) => world.openPack(entry, { texts }),
      openSandbox: world.openSandbox,
      signal,
    });
    if (signal.aborted) return undefined;
    part({ kind: "proof", proof });
    const setup = { entry, isNew, proposal, written, proof };
    const isUnproved = proof.problem?.code === "toolkit-missing";
    if (proof.problem !== undefined && !isUnproved) return { kind: "unproven" as const, ...setup };
    const agrees = async (text: string) => (await ask({ kind: "choice", id: "", text, options: YES_OR_NO }, person, signal)) === "yes";
    if (!yes && person === NOBODY) return { kind: "preview" as const, ...setup };
    if (!yes && !(await agrees(isUnproved ? "Write it without the proof at the sandbox?" : "Write it?"))) return undefined;
    const paths = isNew ? writeNew(entry, written, proposal) : await replaceAll(written);
    part({ kind: "paths", paths, proof });
    const isOffered = credential !== undefined && !isUnproved && proposal.type !== "None";
    const isAccount = isOffered && (await agrees("Save the credential that you pasted as your account?"));
    const connected = isAccount ? await connectPasted(entry, { scope: proposal.scope, credential }, world, person) : undefined;
    return { kind: "written" as const, ...setup, paths, credential, isAccount, connected };
  },
});

const TITLE = "Set up authentication";

const YES_OR_NO = [
  { label: "Yes", value: "yes" },
  { label: "No", value: "no" },
];

/** Signs in with what was pasted. Returns undefined if the person cancels, or stops the set-up, which is written by then. */
async function connectPasted(
  entry: string,
  { scope, credential }: { readonly scope: AuthScope; readonly credential: Credential },
  world: World,
  person: Person,
) {
  try {
    return await signIn(await world.openPack(entry), { scope, existingCredentials: { credential } }, world, person);
  } catch (error) {
    if (world.signal.aborted) return undefined;
    throw error;
  }
}

/** Returns undefined if the person cancels, or if nobody is asked. */
async function ask(question: Question, person: Person, signal: AbortSignal): Promise<string | undefined> {
  if (person === NOBODY) return undefined;
  const { kind, text } = question;
  return person.withPrompts({ title: TITLE, facts: [], warnings: [], agree: "Answer" }, ({ prompter }) =>
    kind === "text"
      ? prompter.input({ title: TITLE, prompt: text, placeholder: question.example, validate: question.problem, signal })
      : prompter.pick({ title: text, placeholder: "Choose", items: kind === "choice" ? question.options : YES_OR_NO, signal }),
  );
}

/** Throws storage-failed if a file is not the text that was edited. */
function assertUnchanged({ files }: WrittenSetup): void {
  for (const { path, former } of files)
    if (readFileSync(path, "utf8") !== former)
      throw new PackAuthError("storage-failed", `${path} is not UTF-8, or has just changed.`, { hint: "Save it as UTF-8, and try again." });
}

function writeNew(entry: string, { files: [file] }: WrittenSetup, proposal: Proposal): readonly string[] {
  const folder = dirname(entry);
  return writeNewPack(folder, folder, packFolder(packageName(basename(folder)), file?.text ?? "", answersOf(proposal))).written;
}

/** Writes each file that is still what was read, and returns their paths. Throws storage-failed. */
async function replaceAll({ files }: WrittenSetup): Promise<readonly string[]> {
  for (const { path, text, former } of files) {
    const isWritten = await replaceFile(path, text, () => readFileSync(path, "utf8") === former).catch((cause: unknown) => {
      throw new PackAuthError("storage-failed", `${path} could not be written.`, { hint: "Choose a file that you may write to.", cause });
    });
    if (!isWritten)
      throw new PackAuthError("storage-failed", `${path} has just changed, so it is left as it is.`, { hint: "Set it up again." });
  }
  return files.map(({ path }) => path);
}
