// The editor's Test Explorer: saved tests as its rows, what failed as its own messages and diffs.
import * as vscode from "vscode";
import { asLine, asText } from "./foreign-text.ts";

export interface Failure {
  readonly message: string;
  /** What was recorded and what is now, as texts that the editor compares. */
  readonly texts?: readonly [recorded: string, now: string];
}

export interface RanTest {
  readonly failures: readonly Failure[];
  /** It could not be run at all. */
  readonly isError?: boolean;
}

export interface TestView extends vscode.Disposable {
  add(file: vscode.Uri, label: string): void;
  remove(file: vscode.Uri): void;
}

/** Gives undefined where it was stopped. */
export type RunTest = (file: vscode.Uri, signal: AbortSignal) => Promise<RanTest | undefined>;

/** `isOf`: whether a saved file may change what a test does. */
export function createTestView(
  { run, debug, record }: { readonly run: RunTest; readonly debug: RunTest; readonly record: RunTest },
  isOf: (saved: vscode.Uri) => boolean,
): TestView {
  const controller = vscode.tests.createTestController("packAuth.tests", "Pack Auth");

  async function runOnce(request: vscode.TestRunRequest, signal: AbortSignal, how: RunTest): Promise<void> {
    const items = (request.include ?? [...controller.items].map(([, item]) => item)).filter(
      (item) => request.exclude?.includes(item) !== true,
    );
    const shown = controller.createTestRun(request);
    for (const item of items) shown.enqueued(item);
    for (const item of items) {
      if (signal.aborted || item.uri === undefined) break;
      shown.started(item);
      const startedAt = Date.now();
      const ran = await how(item.uri, signal);
      const messages = ran?.failures.map((failure) => testMessage(failure, item)) ?? [];
      if (ran === undefined) shown.skipped(item);
      else if (messages.length === 0) shown.passed(item, Date.now() - startedAt);
      else if (ran.isError === true) shown.errored(item, messages, Date.now() - startedAt);
      else shown.failed(item, messages, Date.now() - startedAt);
    }
    shown.end();
  }

  controller.createRunProfile(
    "Run",
    vscode.TestRunProfileKind.Run,
    async (request, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      if (request.continuous !== true) return runOnce(request, stop.signal, run);
      // One after the other: a save while tests run is looked at after them.
      let running = Promise.resolve();
      const saved = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (isOf(uri)) running = running.then(() => runOnce(request, stop.signal, run));
      });
      token.onCancellationRequested(() => saved.dispose());
    },
    true,
    undefined,
    true,
  );
  const others = [
    ["Debug", vscode.TestRunProfileKind.Debug, debug],
    ["Record again", vscode.TestRunProfileKind.Run, record],
  ] as const;
  for (const [name, kind, how] of others)
    controller.createRunProfile(name, kind, (request, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      return runOnce(request, stop.signal, how);
    });
  return {
    add(file, label) {
      controller.items.add(controller.createTestItem(file.toString(), asLine(label), file));
    },
    remove: (file) => controller.items.delete(file.toString()),
    dispose: () => controller.dispose(),
  };
}

/** Never Markdown. */
function testMessage({ message, texts }: Failure, { uri }: vscode.TestItem): vscode.TestMessage {
  const shown = texts === undefined ? new vscode.TestMessage(asText(message)) : vscode.TestMessage.diff(asText(message), ...texts);
  if (uri !== undefined) shown.location = new vscode.Location(uri, new vscode.Position(0, 0));
  return shown;
}
