// Shows results as read-only documents, to open them, to compare them in the editor's diff, and to read a recording before it is saved.
import * as vscode from "vscode";
import type { RunReport } from "../../protocol/run.ts";
import { asLine } from "../shown/foreign-text.ts";
import { closeTabs, onTabClosed, showDiff, showDocument } from "../shown/items.ts";

const SCHEME = "pack-auth-result";
/** The scheme of a recording under review; package.json shows two buttons in the title of such a document. */
const REVIEW_SCHEME = "pack-auth-recording";
const REVIEW_COMMANDS = { "packAuth.saveRecording": "save", "packAuth.discardRecording": "discard" } as const;
/** The most documents that are kept for open editors. */
const MOST = 20;

/** The person's choice about a recording; `closed` means that the tab was closed without a choice. */
export type ReviewChoice = "save" | "discard" | "closed";

export interface ResultDocuments extends vscode.Disposable {
  open(name: string, report: RunReport): Promise<void>;
  compare(name: string, before: RunReport, after: RunReport): Promise<void>;
  /** Shows a recording below one-line comments, with *Save* and *Discard* in the title of its tab. Closes the tab after the choice. */
  review(name: string, comments: readonly string[], text: string): Promise<ReviewChoice>;
}

export function createResultDocuments(): ResultDocuments {
  const texts = new Map<string, string>();
  let count = 0;
  const reviews = new Map<string, (choice: ReviewChoice) => void>();
  const provider = {
    provideTextDocumentContent: (uri: vscode.Uri) => texts.get(uri.toString()) ?? "// Run it again: this result is not stored any more.\n",
  };
  const registrations = [
    ...[SCHEME, REVIEW_SCHEME].map((scheme) => vscode.workspace.registerTextDocumentContentProvider(scheme, provider)),
    ...Object.entries(REVIEW_COMMANDS).map(([command, choice]) =>
      vscode.commands.registerCommand(command, (uri: vscode.Uri | undefined = vscode.window.activeTextEditor?.document.uri) => {
        if (uri !== undefined) reviews.get(uri.toString())?.(choice);
      }),
    ),
    onTabClosed((address) => reviews.get(address)?.("closed")),
  ];
  const add = (name: string, text: string, scheme: string, suffix: string): vscode.Uri => {
    const uri = vscode.Uri.from({ scheme, path: `/${++count}/${asLine(name)}${suffix}` });
    texts.set(uri.toString(), text);
    for (const old of [...texts.keys()].slice(0, -MOST)) texts.delete(old);
    return uri;
  };
  const addResult = (name: string, report: RunReport): vscode.Uri => add(name, resultText(report), SCHEME, ".json");
  return {
    async open(name, report) {
      await showDocument(addResult(name, report));
    },
    async compare(name, before, after) {
      const [left, right] = [before, after].sort((a, b) => a.startedAt - b.startedAt) as [RunReport, RunReport];
      const time = (report: RunReport): string => new Date(report.startedAt).toLocaleTimeString();
      const title = `${name}: ${time(left)} ↔ ${time(right)}`;
      await showDiff(addResult(name, left), addResult(name, right), title);
    },
    async review(name, comments, text) {
      const head = comments.map((comment) => `// ${asLine(comment)}\n`).join("");
      const uri = add(name, `${head}${text}`, REVIEW_SCHEME, ".jsonc");
      const address = uri.toString();
      try {
        const choice = new Promise<ReviewChoice>((resolve) => reviews.set(address, resolve));
        await showDocument(uri);
        return await choice;
      } finally {
        reviews.delete(address);
        await closeTabs(address);
      }
    },
    dispose: () => vscode.Disposable.from(...registrations).dispose(),
  };
}

function resultText({ outcome }: RunReport): string {
  return `${JSON.stringify(outcome.status === "failed" ? { error: outcome.error } : (outcome.value ?? null), null, 2)}\n`;
}
