// Saves the form as a test beside the pack. It uses the run in view if that matches the form, else it runs again. The author reads a
// recording of a real account before it is saved.

import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { recordRun } from "../../platform/recordings/record-run.ts";
import { isOfMoment } from "../../platform/recordings/record-test.ts";
import { testText } from "../../platform/recordings/saved-test.ts";
import { fileIn, saveIn, testFor } from "../../platform/recordings/test-file.ts";
import { failureMessage } from "../../platform/runs/failure-message.ts";
import { inputOf } from "../../platform/runs/run-input.ts";
import { observe } from "../../platform/runs/run-observer.ts";
import { worldOf } from "../../platform/runs/run-world.ts";
import type { FromPanel, RunnableArgument } from "../../protocol/panel.ts";
import { runAccount } from "../accounts/run-account.ts";
import type { Services } from "../services.ts";
import { showDocument } from "../shown/items.ts";
import { confirm, showInformation, showProgress, showWarning } from "../shown/messages.ts";
import { callOf, worldSettings } from "../window/settings.ts";
import type { AccountsOfPanel } from "./panel-accounts.ts";
import type { PanelRuns } from "./panel-runs.ts";
import { readForm } from "./read-form.ts";
import { runInView } from "./run-in-view.ts";
import { requireRunnable, targetOf } from "./runnable.ts";
import type { SessionParts } from "./session-parts.ts";

type SaveParts = Pick<SessionParts, "documents" | "post"> &
  Pick<PanelRuns, "record" | "recordedWith"> & { readonly accounts: AccountsOfPanel };

/** Throws PackAuthError: recording-refused if the recording contains a secret, storage-failed, and the errors of a run. */
export async function saveTest(
  services: Services,
  target: RunnableArgument,
  message: FromPanel & { type: "saveTest" },
  { accounts, documents, post, ...runs }: SaveParts,
): Promise<void> {
  const { kind, name, entry } = target;
  if (kind === "mcpServer") return;
  const pack = await services.packs.saveAndOpen(entry);
  const runnable = requireRunnable(pack, target);
  if (runnable.kind !== kind) return;
  const call = callOf(message);
  const form = readForm(message.fields, runnable.definition, call.timezone);
  if (Object.keys(form.problems).length > 0) return post({ type: "notStarted", problems: form.problems });
  const account = await accounts.choose(pack, message.account);
  const input = inputOf(targetOf({ ...target, kind }, message, undefined), form.parameters, call);
  const viewedRecord = runInView(runs, pack, input, account?.id);
  const isAction = runnable.kind === "formula" && runnable.definition.isAction;
  if (viewedRecord === undefined && isAction && !(await confirm(`Run the action ${name} to record it? It may change something.`, "Record")))
    return;
  const recorded =
    viewedRecord ??
    (await showProgress(`Recording ${name}`, async (_, signal) =>
      recordRun(
        input,
        worldOf(pack, services.host().fetch, {
          signal,
          ...worldSettings(),
          ...(account === undefined ? {} : { account: await runAccount(services, pack, account, { signal }) }),
        }),
        observe(),
      ),
    ));
  if (recorded.report.outcome.status === "cancelled") return;
  const failure = failureMessage(recorded.report);
  const isExpected = async () => confirm(`The run failed: ${failure ?? ""} Save a test that expects this failure?`, "Save the failure");
  if (failure !== undefined && !isOfMoment(recorded.report) && !(await isExpected())) return;
  const folder = join(dirname(entry), "tests");
  const test = await testFor(fileIn(folder, recorded.input), recorded, failure !== undefined);
  const isReal = account !== undefined && account.sandboxOrigin === undefined;
  if (isReal) {
    // An API's responses for a real account are people's data, so the author reads them first.
    const comments = [
      `Read this recording of the account ${account.label}, and press Save or Discard above.`,
      "It contains answers of the API, but no credentials.",
    ];
    const choice = await documents.review(name, comments, testText(test));
    if (choice === "discard") return;
    if (choice === "closed" && (await showWarning(`The recording of ${account.label} was closed, and is not saved.`, SAVE)) !== SAVE)
      return;
  }
  const file = await saveIn(folder, test);
  const relativePath = vscode.workspace.asRelativePath(file);
  if ((await showInformation(`Saved as ${relativePath}. Run it in the Test Explorer, or with pack-auth test.`, OPEN)) === OPEN)
    await showDocument(vscode.Uri.file(file));
}

const OPEN = "Open";
const SAVE = "Save";
