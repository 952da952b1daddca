// Results as read-only documents of the editor: opened, and compared with the editor's own diff.
import * as vscode from "vscode";
import type { RunReport } from "../../protocol/run.ts";
import { asLine } from "../shown/foreign-text.ts";
import { showDiff, showDocument } from "../shown/items.ts";

const SCHEME = "pack-auth-result";
/** Documents that are kept for editors that show them. */
const MOST = 20;

export interface ResultDocuments extends vscode.Disposable {
  open(name: string, report: RunReport): Promise<void>;
  /** Anything else that is JSON. */
  openText(name: string, text: string): Promise<void>;
  compare(name: string, before: RunReport, after: RunReport): Promise<void>;
}

export function createResultDocuments(): ResultDocuments {
  const texts = new Map<string, string>();
  let count = 0;
  const registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? "// Run it again: this result is not stored any more.\n",
  });
  const add = (name: string, text: string): vscode.Uri => {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${++count}/${asLine(name)}.json` });
    texts.set(uri.toString(), text);
    for (const old of [...texts.keys()].slice(0, -MOST)) texts.delete(old);
    return uri;
  };
  const openText = async (name: string, text: string): Promise<void> => {
    await showDocument(add(name, text));
  };
  return {
    open: (name, report) => openText(name, resultText(report)),
    openText,
    async compare(name, before, after) {
      const [left, right] = [before, after].sort((a, b) => a.startedAt - b.startedAt) as [RunReport, RunReport];
      const time = (report: RunReport): string => new Date(report.startedAt).toLocaleTimeString();
      const title = `${name}: ${time(left)} ↔ ${time(right)}`;
      await showDiff(add(name, resultText(left)), add(name, resultText(right)), title);
    },
    dispose: () => registration.dispose(),
  };
}

function resultText({ outcome }: RunReport): string {
  return `${JSON.stringify(outcome.status === "failed" ? { error: outcome.error } : (outcome.value ?? null), null, 2)}\n`;
}
