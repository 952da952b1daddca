// *Add an answer*: adds an answer to the pack's sandbox.json for a request that the sandbox echoed. It is saved for the next run, and
// opened with its body selected, because the author knows the API's real response.

import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { defined } from "../../base/defined.ts";
import { type ExpectedResult, proposeStub } from "../../platform/sandbox/propose-stub.ts";
import { refuseForeignLink, type Stub, stubsFilePath } from "../../platform/sandbox/stubs.ts";
import { withStub } from "../../platform/sandbox/with-stub.ts";
import type { RequestTrace } from "../../protocol/run.ts";
import { showDocument } from "../shown/items.ts";
import { showForMoment } from "../shown/messages.ts";
import type { LanguageServer } from "../window/language-client.ts";
import { saveText } from "../window/save-document.ts";

/** Throws sandbox-failed if sandbox.json is wrong or cannot be written. */
export async function addStub(
  server: Pick<LanguageServer, "findResponseReads">,
  entry: string,
  request: RequestTrace,
  expected: ExpectedResult = {},
  isShown = true,
): Promise<void> {
  // The schema of the result is enough if the server fails.
  const reads = await server.findResponseReads(request.echoed?.calls ?? []).catch(() => undefined);
  await writeStub(entry, proposeStub(request, { ...expected, ...defined({ reads }) }), isShown);
}

/** Returns a sample answer for each echoed request whose response fields the pack's source shows. */
export async function createSampleStubs(
  server: Pick<LanguageServer, "findResponseReads">,
  requests: readonly RequestTrace[],
  expected: ExpectedResult,
): Promise<readonly Stub[]> {
  const samples: Stub[] = [];
  for (const request of requests) {
    if (request.echoed === undefined || request.echoed.isSample === true) continue;
    const reads = await server.findResponseReads(request.echoed.calls ?? []).catch(() => undefined);
    if (reads?.body !== undefined) samples.push(proposeStub(request, { ...expected, reads }));
  }
  return samples;
}

/** Throws as {@link addStub} does. */
export async function writeStub(entry: string, stub: Stub, isShown = true): Promise<void> {
  const file = stubsFilePath(entry);
  refuseForeignLink(file);
  const uri = vscode.Uri.file(file);
  if (!existsSync(file)) await vscode.workspace.fs.writeFile(uri, new Uint8Array());
  const document = await vscode.workspace.openTextDocument(uri);
  const before = document.getText();
  const { text, body } = withStub(before, file, stub);
  if (text !== before) await saveText(document, text);
  if (!isShown) return showForMoment("The answer is saved in sandbox.json.");
  const selection = new vscode.Range(document.positionAt(body.start), document.positionAt(body.end));
  await showDocument(uri, selection);
  showForMoment("Change the body of the answer in sandbox.json, save, and run again.");
}
