// `packAuth.setUpAuthentication`: from a cURL command, an API description, an address or a provider to a proven configuration, and on to a
// formula's first result. Nothing is written before the author has seen the change.
import { join } from "node:path";
import * as vscode from "vscode";
import { packName } from "../../platform/bundle/entry-file.ts";
import { PackAuthError, wholeMessage } from "../../platform/errors.ts";
import { startSandbox } from "../../platform/sandbox/launch.ts";
import type { Credential } from "../../platform/secrets/credential.ts";
import { explainImpossible } from "../../platform/setup/impossible.ts";
import { originLines } from "../../platform/setup/origins.ts";
import type { SetupOutcome } from "../../platform/setup/outcome.ts";
import { PROOF_STEPS, proveSetup, type SetupProof } from "../../platform/setup/prove.ts";
import type { Proposal } from "../../protocol/setup.ts";
import type { WrittenSetup } from "../../protocol/written-setup.ts";
import { hasSignIn } from "../../spec/auth-types.ts";
import { wholePage } from "../../spec/provider-readings.ts";
import { providerById } from "../../spec/providers.ts";
import type { PackArgument } from "../commands/choose-pack.ts";
import { connectAccount, connectPasted } from "../commands/connect-account.ts";
import { inPack } from "../commands/in-pack.ts";
import type { FormulaPanels } from "../panel/formula-panel.ts";
import type { Services } from "../services.ts";
import { showDocument } from "../shown/items.ts";
import { offer, showCancellable, showWarning } from "../shown/messages.ts";
import { nextStepText } from "../shown/next-steps.ts";
import { pick } from "../shown/questions.ts";
import type { VirtualTexts } from "../shown/virtual-texts.ts";
import { saveDocument } from "../window/save-document.ts";
import { answerQuestions } from "./answer-questions.ts";
import { askEvidence, TITLE } from "./ask-evidence.ts";
import { openProviderPage } from "./provider-pages.ts";
import { reviewSetup } from "./review-setup.ts";

type Proposed = Extract<SetupOutcome, { readonly kind: "proposal" }>;

export async function setUpAuthentication(
  services: Services,
  panels: FormulaPanels,
  texts: VirtualTexts,
  argument?: PackArgument,
): Promise<void> {
  await inPack(services, argument, "Setting up authentication", async (entry) => {
    const proposed = await proposeSetup(services);
    if (proposed !== undefined) await writeProposal(services, panels, texts, entry, proposed);
  });
}

/** Asks for the evidence, and for what it leaves open. Returns undefined if the person cancelled, or the platform cannot do it. */
export async function proposeSetup(services: Services): Promise<Proposed | undefined> {
  const evidence = await askEvidence();
  const outcome = evidence && (await answerQuestions(services, evidence));
  if (outcome?.kind !== "impossible") return outcome;
  void showWarning(explainImpossible(outcome));
  return undefined;
}

/** Writes the proposal into the pack once the author agrees, connects an account and runs the new formula. */
export async function writeProposal(
  services: Services,
  panels: FormulaPanels,
  texts: VirtualTexts,
  entry: string,
  { proposal, credential }: Proposed,
): Promise<void> {
  const written = await services.server.writeSetup({ uri: vscode.Uri.file(entry).toString(), proposal });
  if ("problem" in written) throw new PackAuthError("setup-unproven", "Nothing was written.", { hint: written.problem });
  const { packs, context } = services;
  const proof = await showCancellable(TITLE, (reportStep, signal) => {
    reportStep("trying it at the sandbox…");
    return proveSetup(proposal, written, {
      openPack: (texts) => packs.openTexts(entry, texts),
      openSandbox: () => startSandbox({ modulePath: join(context.extensionPath, "dist/sandbox.cjs") }),
      signal,
    });
  });
  if (proof === undefined) return;
  if (
    !(await reviewSetup(texts, written.files, {
      isProved: proof.problem === undefined,
      proof: proofText(proof),
      origins: originLines(proposal),
    }))
  )
    return;
  await applySetup(written);
  const page = proposal.provider === undefined ? undefined : providerById(proposal.provider);
  if (page !== undefined) await openProviderPage(services, texts, wholePage(page), entry, originLines(proposal));
  showRemarks(texts, proposal.remarks);
  const isConnected = !hasSignIn(proposal.type) || (await connect(services, entry, proposal, credential));
  if (isConnected && written.formulaName !== undefined) panels.start({ entry, kind: "formula", name: written.formulaName }, "run");
}

/** Returns one line: what passed, and the problem that ended the proof. */
function proofText({ steps, problem }: SetupProof): string {
  const passed = steps.flatMap(({ step, passed: isPassed }) => (isPassed ? PROOF_STEPS[step] : []));
  const text = `Proved: ${passed.length === 0 ? "nothing" : passed.join(", ")}.`;
  return problem === undefined ? text : `Not proved: ${wholeMessage(problem, nextStepText)} ${text}`;
}

async function applySetup({ files }: WrittenSetup): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  for (const { path, edits } of files)
    for (const { range, newText } of edits)
      edit.replace(
        vscode.Uri.file(path),
        new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character),
        newText,
      );
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new PackAuthError("setup-unproven", "The editor did not take the change.", { hint: "Save the file, and set it up again." });
  await Promise.all(files.map(async ({ path }) => saveDocument(await vscode.workspace.openTextDocument(path))));
}

/** Shows one remark as it is, and several as a document. */
function showRemarks(texts: VirtualTexts, remarks: readonly string[]): void {
  const [first, ...more] = remarks;
  if (first === undefined) return;
  if (more.length === 0) return void showWarning(first);
  const list = remarks.map((remark) => `- ${remark}\n`).join("");
  void offer(showWarning, `${remarks.length} remarks on the authentication.`, {
    "Show remarks": () => showDocument(texts.add("remarks.txt", list)),
  });
}

/** Offers the pasted credential as the account. Returns whether there is an account. */
async function connect(services: Services, entry: string, { scope, type }: Proposal, credential: Credential | undefined): Promise<boolean> {
  if (credential !== undefined) {
    const choice = await pick({
      title: `Connect ${packName(entry)}`,
      placeholder: "Use the credential that you pasted?",
      items: [
        {
          icon: "key",
          label: "Connect with the pasted credential",
          detail: "It is kept in the editor's secret store, and sent to the API.",
          value: "pasted" as const,
        },
        {
          icon: "beaker",
          label: "Connect another account or the sandbox",
          detail: "The pasted credential is forgotten.",
          value: "other" as const,
        },
      ],
    });
    if (choice === undefined) return false;
    if (choice === "pasted") return (await connectPasted(services, { entry, scope, credential })) !== undefined;
  }
  return (await connectAccount(services, { entry, scope, type })) !== undefined;
}
