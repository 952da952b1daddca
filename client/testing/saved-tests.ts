// The saved tests of this workspace, in the Test Explorer. They run as `pack-auth test` runs them: with no network.
import { basename } from "node:path";
import * as vscode from "vscode";
import { PackAuthError, reportOf } from "../../platform/errors.ts";
import { differenceLines, problemText } from "../../platform/recordings/problem-text.ts";
import { type Problem, type Replay, replay } from "../../platform/recordings/replay.ts";
import { type SavedTest, TEST_ENDING } from "../../platform/recordings/saved-test.ts";
import { entryOf, readTestFile } from "../../platform/recordings/test-file.ts";
import type { Packs } from "../packs/packs.ts";
import { createTestView, type Failure, type RanTest } from "../shown/tests.ts";

export function showSavedTests(packs: Pick<Packs, "open">): vscode.Disposable {
  const view = createTestView(
    (file, signal) => runTest(packs, file.fsPath, signal),
    (saved) => /\.(?:[cm]?[jt]sx?|json)$/.test(saved.path),
  );
  const add = (file: vscode.Uri): void => {
    if (!file.path.includes("/node_modules/")) view.add(file, basename(file.path, TEST_ENDING));
  };
  const watcher = vscode.workspace.createFileSystemWatcher(`**/*${TEST_ENDING}`, false, true);
  // Those that are there already; one that is written meanwhile is only added once.
  vscode.workspace.findFiles(`**/*${TEST_ENDING}`, "**/node_modules/**").then((files) => files.forEach(add));
  return vscode.Disposable.from(view, watcher, watcher.onDidCreate(add), watcher.onDidDelete(view.remove));
}

async function runTest(packs: Pick<Packs, "open">, file: string, signal: AbortSignal): Promise<RanTest | undefined> {
  try {
    const test = readTestFile(file);
    const replayed = await replay(await packs.open(entryOf(file, test)), test, { signal });
    return { failures: replayed.problems.map((problem) => failureOf(problem, test, replayed)) };
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof PackAuthError)) throw error;
    const { message, hint } = reportOf(error);
    return { failures: [{ message: [message, hint].filter(Boolean).join(" ") }], isError: true };
  }
}

function failureOf(problem: Problem, test: SavedTest, { outcome }: Replay): Failure {
  const { message, differences } = problemText(problem);
  const told = [message, ...differences.flatMap(differenceLines)].join("\n");
  switch (problem.kind) {
    case "request": {
      if (problem.nearest === undefined) return { message: told };
      const { method, url, headers, body } = problem.nearest;
      return { message: told, texts: [json({ method, url, headers, body }), json(problem.sent)] };
    }
    case "result":
    case "outcome":
      return { message: told, texts: [json(test.outcome), json(outcome)] };
    case "missing":
    case "account":
      return { message: told };
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
