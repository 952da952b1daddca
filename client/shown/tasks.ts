// Tasks of the type `pack-auth`: the command line in a terminal, whose findings the problem matcher $pack-auth puts into the Problems view.
import * as vscode from "vscode";
import { asLine } from "./foreign-text.ts";

const TYPE = "pack-auth";

/** What tasks.json may say of one; see package.json. */
interface Definition extends vscode.TaskDefinition {
  readonly command: string;
  readonly args?: readonly string[];
}

/** The problem matcher reads lines: a message that the command line breaks at the width of the terminal would be cut there. */
const COLUMNS = "10000";

/** What each folder is offered. */
const OFFERED = ["check", "test"] as const;

export const registerTasks = (): vscode.Disposable =>
  vscode.tasks.registerTaskProvider(TYPE, {
    provideTasks: () =>
      (vscode.workspace.workspaceFolders ?? []).flatMap((folder) => OFFERED.map((command) => taskOf({ type: TYPE, command }, folder))),
    resolveTask: ({ definition, scope }) => taskOf(definition as Definition, scope ?? vscode.TaskScope.Workspace),
  });

function taskOf(definition: Definition, scope: vscode.WorkspaceFolder | vscode.TaskScope): vscode.Task {
  const { command, args = [] } = definition;
  // The package that the workspace has, or asks to install it.
  const execution = new vscode.ShellExecution("npx", ["pack-auth", command, ...args], { env: { COLUMNS } });
  const task = new vscode.Task(definition, scope, asLine([command, ...args].join(" ")), TYPE, execution, "$pack-auth");
  task.group = vscode.TaskGroup.Test;
  return task;
}
