// What the agents' tools use in this window: its packs, its accounts, its language server, and the person in front of it.
import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import type { AgentHost } from "../../agents/agent-host.ts";
import { defined } from "../../base/defined.ts";
import { PRODUCT_VERSION } from "../../base/product-version.ts";
import { shownPath } from "../../operations/inside.ts";
import type { Person } from "../../operations/person.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { spelling } from "../../platform/files/file-names.ts";
import { TEST_ENDING } from "../../platform/recordings/saved-test.ts";
import { startSandbox } from "../../platform/sandbox/launch.ts";
import type { ReportedEdit } from "../../protocol/agents.ts";
import { teamHost } from "../accounts/team-host.ts";
import type { Services } from "../services.ts";
import { redirectSettings, worldSettings } from "../window/settings.ts";
import { uploadsFolder } from "../window/uploads-folder.ts";
import { createSourceReader } from "./source-reader.ts";

export const createAgentHost = (services: Services, person: Person, { uri }: vscode.WorkspaceFolder): AgentHost => ({
  ...windowParts(services, uri.fsPath),
  folder: realpathSync.native(uri.fsPath),
  version: PRODUCT_VERSION,
  howToTrust: () =>
    vscode.workspace.isTrusted
      ? undefined
      : "Ask the person to trust the workspace: they run “Workspaces: Manage Workspace Trust” in the editor.",
  openPack: (entry) => services.packs.openWithin(entry, realpathSync.native(uri.fsPath)),
  person,
  patience: undefined,
});

/** Returns what agents and the commands of a person use alike. `folder` is the one that the editor opened. */
export function windowParts(
  services: Services,
  folder: string,
  report?: (step: string) => void,
): Pick<AgentHost, "storageFolder" | "sources" | "openSandbox" | "findTests" | "openAccounts"> {
  const { context, server, accounts } = services;
  const inFolder = spelling(folder);
  return {
    storageFolder: context.globalStorageUri.fsPath,
    sources: {
      ...createSourceReader(server, folder),
      async declareDomain(entry, host) {
        const edit = await server.declareDomain({ entry: vscode.Uri.file(inFolder(entry)).toString(), host });
        return edit === undefined ? [] : reportedEdits(edit, folder);
      },
      writeSetup: (entry, proposal, text) =>
        server.writeSetup({ uri: vscode.Uri.file(inFolder(entry)).toString(), proposal, ...defined({ text }) }),
      async metadataPlaces(entry, paths) {
        const places = (await server.locateMetadata({ entry: vscode.Uri.file(inFolder(entry)).toString(), paths })) ?? [];
        return places.map((place) => (place === null ? undefined : { path: vscode.Uri.parse(place.uri).fsPath, ...place.range.start }));
      },
      responseReads: (calls) => server.findResponseReads(calls.map((call) => ({ ...call, path: inFolder(call.path) }))),
    },
    openSandbox: () => startSandbox({ modulePath: join(context.extensionPath, "dist/sandbox.cjs") }),
    async findTests(paths) {
      const files = await Promise.all(paths.map(testsAt));
      return [...new Set(files.flat())].sort();
    },
    openAccounts: async () => ({
      accounts,
      platform: services.host(report),
      team: teamHost(services),
      // The editor's fetch decides about proxies by itself.
      behindProxy: false,
      allowLoopback: worldSettings().allowLoopback,
      redirect: redirectSettings(),
      uploadsFolder: uploadsFolder(services.host()),
    }),
  };
}

/** Returns the edits with the texts that they replace. */
async function reportedEdits(edit: vscode.WorkspaceEdit, folder: string): Promise<readonly ReportedEdit[]> {
  const reports = edit.entries().map(async ([file, edits]) => {
    const document = await vscode.workspace.openTextDocument(file);
    return edits.map(({ range, newText }) => ({
      path: shownPath(folder, file.fsPath),
      range: {
        start: { line: range.start.line, character: range.start.character },
        end: { line: range.end.line, character: range.end.character },
      },
      oldText: document.getText(range),
      newText,
    }));
  });
  return (await Promise.all(reports)).flat();
}

/** Returns the saved tests at a file or below a folder. */
async function testsAt(path: string): Promise<readonly string[]> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined)
    throw new PackAuthError("test-invalid", `There is no file or folder ${path}.`, { hint: "Name a saved test, or a folder with some." });
  if (!stats.isDirectory()) return path.endsWith(TEST_ENDING) ? [path] : [];
  const tests = await vscode.workspace.findFiles(
    new vscode.RelativePattern(vscode.Uri.file(path), `**/*${TEST_ENDING}`),
    "**/node_modules/**",
  );
  return tests.map(({ fsPath }) => fsPath);
}
