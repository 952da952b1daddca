// What the editor knows for the page "Ready for upload?".
import * as vscode from "vscode";
import { packKey } from "../../platform/accounts/accounts.ts";
import { type PreflightInput, sourcesFolder } from "../../platform/preflight/preflight-input.ts";
import { storedApiOf } from "../../platform/public-api/api-token.ts";
import { TEST_ENDING } from "../../platform/recordings/saved-test.ts";
import { packAccounts } from "../../platform/team/team-account.ts";
import { accountState } from "../accounts/account-state.ts";
import { createSourceReader } from "../agents/source-reader.ts";
import { folderOf } from "../packs/packs.ts";
import type { Services } from "../services.ts";

/** Returns what the page is made from. `progress` receives each step. */
export function preflightInput(services: Services, entry: string, signal: AbortSignal, progress: (step: string) => void): PreflightInput {
  const { server, packs, accounts, host } = services;
  const opened = folderOf(entry)?.uri.fsPath;
  const folder = opened ?? sourcesFolder(entry);
  return {
    entry,
    signal,
    progress,
    storageFolder: host().storageFolder,
    open: () => packs.saveAndOpen(entry),
    sources: { folder, ...createSourceReader(server, folder) },
    async locate(paths) {
      const places = (await server.locateMetadata({ entry: vscode.Uri.file(entry).toString(), paths })) ?? [];
      return places.map((place) => (place === null ? undefined : { path: vscode.Uri.parse(place.uri).fsPath, ...place.range.start }));
    },
    accounts: {
      list: () => packAccounts(accounts, entry),
      stateOf: (account) => accountState(services, account, entry),
      clientOf: (scope) => accounts.clientCredentials(packKey(entry), scope),
    },
    publishedApi: (published) => storedApiOf(host(), published),
    async findTests() {
      const files = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, `**/*${TEST_ENDING}`), "**/node_modules/**");
      return files.map(({ fsPath }) => fsPath);
    },
  };
}
