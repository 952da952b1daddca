// Runs a package manager as a task, so that the author sees it and the caller can wait for its end.
import * as vscode from "vscode";
import { asLine } from "./foreign-text.ts";

/** Returns true if the program succeeded; false if it failed or was stopped. */
export async function runInTerminal(name: string, folder: string, [program, ...args]: readonly [string, ...string[]]): Promise<boolean> {
  // PowerShell interprets an unquoted @.
  const shellArguments = args.map((value) => (/^[\w-]+$/.test(value) ? value : { value, quoting: vscode.ShellQuoting.Strong }));
  const task = new vscode.Task(
    { type: "shell", task: name },
    vscode.TaskScope.Workspace,
    asLine(name),
    "Pack Auth",
    new vscode.ShellExecution(program, shellArguments, { cwd: folder }),
    [],
  );
  // The focus stays in the editor for authors who work with the keyboard.
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, focus: false, showReuseMessage: false };
  const listeners: vscode.Disposable[] = [];
  try {
    return await new Promise<boolean>((resolve, reject) => {
      let running: vscode.TaskExecution | undefined;
      listeners.push(
        vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
          if (execution === running) resolve(exitCode === 0);
        }),
        // A task whose process never started has no process end.
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
