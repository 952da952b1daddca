// The editor's Test Explorer: saved tests as rows, and failures as messages and diffs.
import * as vscode from "vscode";
import { asLine, asText } from "./foreign-text.ts";

export interface Failure {
  readonly message: string;
  /** The recorded and the current text, which the editor compares. */
  readonly texts?: readonly [recorded: string, now: string];
}

export interface RanTest {
  readonly failures: readonly Failure[];
  /** Whether the test could not run at all. */
  readonly isError?: boolean;
}

export interface TestRow {
  readonly file: vscode.Uri;
  readonly label: string;
}

/** The tests of one formula or table, at its line in the source. */
export interface TestGroup {
  readonly id: string;
  readonly label: string;
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly tests: readonly TestRow[];
}

interface TestView extends vscode.Disposable {
  /** Replaces the rows. `ungroupedTests` belong to no formula in the source. */
  show(groups: readonly TestGroup[], ungroupedTests: readonly TestRow[]): void;
}

/** Returns undefined if the run was stopped. */
type RunTest = (file: vscode.Uri, signal: AbortSignal) => Promise<RanTest | undefined>;

/** `isOf` returns whether a saved file may affect a test. */
export function createTestView(
  { run, debug, record }: { readonly run: RunTest; readonly debug: RunTest; readonly record: RunTest },
  isOf: (file: vscode.Uri) => boolean,
): TestView {
  const controller = vscode.tests.createTestController("packAuth.tests", "Pack Auth");
  /** By the ID of the item. */
  let files: ReadonlyMap<string, vscode.Uri> = new Map();
  const itemOf = ({ file, label }: TestRow): vscode.TestItem => controller.createTestItem(file.toString(), asLine(label), file);

  async function runOnce(request: vscode.TestRunRequest, signal: AbortSignal, how: RunTest): Promise<void> {
    const testsOf = (item: vscode.TestItem): readonly vscode.TestItem[] => {
      if (request.exclude?.includes(item)) return [];
      return item.children.size === 0 ? [item] : [...item.children].flatMap(([, child]) => testsOf(child));
    };
    const items = (request.include ?? [...controller.items].map(([, item]) => item)).flatMap(testsOf);
    const testRun = controller.createTestRun(request);
    for (const item of items) testRun.enqueued(item);
    for (const item of items) {
      if (signal.aborted) break;
      const file = files.get(item.id);
      if (file === undefined) {
        // A formula without a test.
        testRun.skipped(item);
        continue;
      }
      testRun.started(item);
      const startedAt = Date.now();
      const ran = await how(file, signal);
      const messages = ran?.failures.map((failure) => testMessage(failure, item)) ?? [];
      if (ran === undefined) testRun.skipped(item);
      else if (messages.length === 0) testRun.passed(item, Date.now() - startedAt);
      else if (ran.isError === true) testRun.errored(item, messages, Date.now() - startedAt);
      else testRun.failed(item, messages, Date.now() - startedAt);
    }
    testRun.end();
  }

  controller.createRunProfile(
    "Run",
    vscode.TestRunProfileKind.Run,
    async (request, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      if (request.continuous !== true) return runOnce(request, stop.signal, run);
      // The runs are queued: a save during a run starts another run afterwards.
      let running = Promise.resolve();
      const saveListener = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (isOf(uri)) running = running.then(() => runOnce(request, stop.signal, run));
      });
      token.onCancellationRequested(() => saveListener.dispose());
    },
    true,
    undefined,
    true,
  );
  const otherProfiles = [
    ["Debug", vscode.TestRunProfileKind.Debug, debug],
    ["Record again", vscode.TestRunProfileKind.Run, record],
  ] as const;
  for (const [name, kind, how] of otherProfiles)
    controller.createRunProfile(name, kind, (request, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      return runOnce(request, stop.signal, how);
    });
  return {
    show(groups, ungroupedTests) {
      files = new Map([...groups.flatMap(({ tests }) => tests), ...ungroupedTests].map(({ file }) => [file.toString(), file]));
      const grouped = groups.map(({ id, label, uri, range, tests }) => {
        const item = controller.createTestItem(id, asLine(label), uri);
        item.range = range;
        item.children.replace(tests.map(itemOf));
        return item;
      });
      controller.items.replace([...grouped, ...ungroupedTests.map(itemOf)]);
    },
    dispose: () => controller.dispose(),
  };
}

/** Creates a message that is never Markdown. */
function testMessage({ message, texts }: Failure, { uri }: vscode.TestItem): vscode.TestMessage {
  const editorMessage = texts === undefined ? new vscode.TestMessage(asText(message)) : vscode.TestMessage.diff(asText(message), ...texts);
  if (uri !== undefined) editorMessage.location = new vscode.Location(uri, new vscode.Position(0, 0));
  return editorMessage;
}
