// The saved tests of this workspace in the Test Explorer. They run as in `pack-auth test`, without a network.

import { basename } from "node:path";
import * as vscode from "vscode";
import { testRecordAgain } from "../../operations/tests/record-again.ts";
import { inWorld } from "../../operations/world.ts";
import { PackAuthError, wholeMessage } from "../../platform/errors.ts";
import type { Difference } from "../../platform/recordings/differences.ts";
import { differenceLines, problemText } from "../../platform/recordings/problem-text.ts";
import { type Problem, type Replay, type ReplayOptions, replay } from "../../platform/recordings/replay.ts";
import { type SavedTest, TEST_ENDING, targetName } from "../../platform/recordings/saved-test.ts";
import { entryOf, ownEntryOf, readTestFile } from "../../platform/recordings/test-file.ts";
import { editorGround, PERSON } from "../commands/ground.ts";
import { startDebugRun } from "../debugging/debug-run.ts";
import type { Packs } from "../packs/packs.ts";
import type { Services } from "../services.ts";
import { nextStepText } from "../shown/next-steps.ts";
import { createTestView, type Failure, type RanTest, type TestGroup, type TestRow } from "../shown/tests.ts";

export function showSavedTests(services: Services): vscode.Disposable {
  const { packs } = services;
  const view = createTestView(
    {
      run: (file, signal) => attempt(signal, () => runTest(packs, file.fsPath, { signal })),
      debug: (file, signal) => attempt(signal, () => debugTest(packs, file.fsPath, signal)),
      record: (file, signal) => attempt(signal, () => recordAgain(services, file.fsPath, signal)),
    },
    (file) => /\.(?:[cm]?[jt]sx?|json)$/.test(file.path),
  );
  const testRows = new Map<string, SavedTestRow>();
  let newest = 0;
  const look = (): void => {
    const turn = ++newest;
    void rowsOf(services.server, [...testRows.values()]).then(({ groups, ungroupedTests }) => {
      if (turn === newest) view.show(groups, ungroupedTests);
    });
  };
  const read = (file: vscode.Uri): void => {
    if (file.path.includes("/node_modules/")) return;
    testRows.set(file.toString(), readTestRow(file));
    look();
  };
  const watcher = vscode.workspace.createFileSystemWatcher(`**/*${TEST_ENDING}`);
  const find = (): void => void vscode.workspace.findFiles(`**/*${TEST_ENDING}`, "**/node_modules/**").then((files) => files.forEach(read));
  // Finds existing tests. A file that is written in the meantime is added only once.
  find();
  // The first test is written together with its folder, and the editor may miss files in a new folder.
  const folders = vscode.workspace.createFileSystemWatcher("**/tests", false, true, true);
  // The editor reports a deleted folder once, without its files.
  const deleted = vscode.workspace.createFileSystemWatcher("**/*", true, true);
  const forget = (deletedUri: vscode.Uri): void => {
    const deletedKeys = [...testRows.keys()].filter((key) => key === deletedUri.toString() || key.startsWith(`${deletedUri}/`));
    for (const key of deletedKeys) testRows.delete(key);
    if (deletedKeys.length > 0) look();
  };
  return vscode.Disposable.from(
    view,
    watcher,
    folders,
    folders.onDidCreate(find),
    watcher.onDidCreate(read),
    watcher.onDidChange(read),
    deleted,
    deleted.onDidDelete(forget),
    vscode.workspace.onDidChangeWorkspaceFolders(({ removed }) => {
      for (const { uri } of removed) forget(uri);
      find();
    }),
    services.server.onOutlineChanged(look),
  );
}

interface SavedTestRow extends TestRow {
  /** Undefined if the file cannot be read; a run then reports the reason. */
  readonly of?: { readonly entry: string; readonly name: string };
}

function readTestRow(file: vscode.Uri): SavedTestRow {
  const row = { file, label: basename(file.path, TEST_ENDING) };
  try {
    const test = readTestFile(file.fsPath);
    return { ...row, of: { entry: vscode.Uri.file(entryOf(file.fsPath, test)).toString(), name: targetName(test.target) } };
  } catch {
    return row;
  }
}

/** Returns the formulas and tables that have tests, and the tests without one. */
async function rowsOf(
  server: Services["server"],
  tests: readonly SavedTestRow[],
): Promise<{ readonly groups: readonly TestGroup[]; readonly ungroupedTests: readonly TestRow[] }> {
  const entries = [...new Set(tests.flatMap((test) => test.of?.entry ?? []))];
  const groups = await Promise.all(
    entries.map(async (entry) =>
      // The tests are listed even without a language server.
      ((await server.outline(entry).catch(() => undefined))?.runnables ?? []).map(({ name, uri, range: { start, end } }) => ({
        id: `${entry}#${name}`,
        label: name,
        uri: vscode.Uri.parse(uri),
        range: new vscode.Range(start.line, start.character, end.line, end.character),
        tests: tests.filter(({ of }) => of?.entry === entry && of.name === name),
      })),
    ),
  );
  const all = groups.flat().filter((group) => group.tests.length > 0);
  return { groups: all, ungroupedTests: tests.filter((test) => !all.some((group) => group.tests.includes(test))) };
}

/** Runs a test. Turns a PackAuthError into a failure that explains why the test could not run. Returns undefined if the run was stopped. */
async function attempt(signal: AbortSignal, work: () => Promise<RanTest>): Promise<RanTest | undefined> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof PackAuthError)) throw error;
    return { failures: [{ message: wholeMessage(error, nextStepText) }], isError: true };
  }
}

const openedEntryOf = (file: string, test: SavedTest): string =>
  ownEntryOf(file, test, vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file))?.uri.fsPath);

async function runTest(packs: Pick<Packs, "open">, file: string, options: ReplayOptions): Promise<RanTest> {
  const test = readTestFile(file);
  const replayed = await replay(await packs.open(openedEntryOf(file, test)), test, options);
  return { failures: replayed.problems.map((problem) => failureOf(problem, test, replayed)) };
}

async function debugTest(packs: Pick<Packs, "open">, file: string, signal: AbortSignal): Promise<RanTest> {
  const test = readTestFile(file);
  const stopController = new AbortController();
  const debug = startDebugRun(targetName(test.target), openedEntryOf(file, test), { stop: () => stopController.abort(), paused: () => {} });
  try {
    return await runTest(packs, file, { signal: AbortSignal.any([signal, stopController.signal]), debug: await debug.options });
  } finally {
    debug.dispose();
  }
}

/**
 * Records in the sandbox, or without an account. A recording of a real account must be read before it is saved, which only the panel
 * offers.
 */
async function recordAgain(services: Services, file: string, signal: AbortSignal): Promise<RanTest> {
  const test = readTestFile(file);
  if (test.account !== undefined && test.sandbox !== true)
    throw new PackAuthError("recording-refused", "This test contains data of a real account.", {
      hint: "Record it again with Save as test in the formula's panel. You can read it there before it is saved.",
    });
  const [result] = await inWorld(editorGround(services, openedEntryOf(file, test)), signal, (world) =>
    testRecordAgain.run({ paths: [file], account: undefined, confirmed: false }, world, PERSON, UNHEARD),
  );
  signal.throwIfAborted();
  const failures = result?.problems.map(({ message, differences }) => ({ message: textOf(message, differences) })) ?? [];
  return { failures, isError: failures.length > 0 };
}

const UNHEARD = { step: () => {}, note: () => {}, part: () => {} };

const textOf = (message: string, differences: readonly Difference[]): string =>
  [message, ...differences.flatMap(differenceLines)].join("\n");

function failureOf(problem: Problem, test: SavedTest, { outcome }: Replay): Failure {
  const { message, differences } = problemText(problem);
  const text = textOf(message, differences);
  switch (problem.kind) {
    case "request": {
      if (problem.nearest === undefined) return { message: text };
      const { method, url, headers, body } = problem.nearest;
      return { message: text, texts: [json({ method, url, headers, body }), json(problem.sentRequest)] };
    }
    case "result":
    case "outcome":
      return { message: text, texts: [json(test.outcome), json(outcome)] };
    case "missing":
    case "account":
      return { message: text };
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
