// Sends the language server what sign-ins and runs showed in any window, and watches the files for changes.
import * as vscode from "vscode";
import { defined } from "../base/defined.ts";
import { openEvidence } from "../platform/evidence/evidence.ts";
import type { Services } from "./services.ts";
import { watchOwnFolder } from "./window/watch-files.ts";

export function sendEvidence({ server, accounts, host }: Pick<Services, "server" | "accounts" | "host">): vscode.Disposable {
  const evidence = openEvidence(host());
  const send = async (): Promise<void> => {
    const labels = new Map((await accounts.list()).map(({ id, label }) => [id, label]));
    const uriOf = (path: string): string => vscode.Uri.file(path).toString();
    server.setEvidence(
      evidence.facts().map(({ account = "", entry, at, ...fact }) => ({
        ...fact,
        entry: uriOf(entry),
        ...defined({ account: labels.get(account), at: at && { ...at, path: uriOf(at.path) } }),
      })),
    );
  };
  const onChange = (): void => void send().catch(() => {});
  onChange();
  return watchOwnFolder(evidence.folder, onChange);
}
