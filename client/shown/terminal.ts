// Runs a package manager where the author sees it: as a task, whose end can be waited for.
import * as vscode from "vscode";
import { asLine } from "./foreign-text.ts";

/** True where it ended well; false where it failed or was stopped. */
export async function runInTerminal(name: string, folder: string, [program, ...args]: readonly [string, ...string[]]): Promise<boolean> {
  // An unquoted @ means something else to PowerShell.
  const shellArguments = args.map((value) => (/^[\w-]+$/.test(value) ? value : { value, quoting: vscode.ShellQuoting.Strong }));
  const task = new vscode.Task(
    { type: "shell", task: name },
    vscode.TaskScope.Workspace,
    asLine(name),
    "Pack Auth",
    new vscode.ShellExecution(program, shellArguments, { cwd: folder }),
    [],
  );
  // Whoever works by keyboard goes on in the editor.
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, focus: false, showReuseMessage: false };
  const listeners: vscode.Disposable[] = [];
  try {
    return await new Promise<boolean>((resolve, reject) => {
      let running: vscode.TaskExecution | undefined;
      listeners.push(
        vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
          if (execution === running) resolve(exitCode === 0);
        }),
        // One whose process never started has no such end.
        vscode.tasks.onDidEndTask(({ execution }) => {
          if (execution === running) setTimeout(resolve, 1_000, false);
        }),
      );
      vscode.tasks.executeTask(task).then((execution) => {
        running = execution;
      }, reject);
    });
  } finally {
    for (const listener of listeners) listener.dispose();
  }
}
