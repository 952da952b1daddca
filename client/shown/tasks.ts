// Tasks of the type `pack-auth`: they run the command line in a terminal. The problem matcher $pack-auth lists the findings in the Problems
// view.
import * as vscode from "vscode";
import { AS_NODE, COMMAND_LINE } from "./command-line.ts";
import { asLine } from "./foreign-text.ts";

const TYPE = "pack-auth";

/** The properties of such a task in tasks.json; see package.json. */
interface Definition extends vscode.TaskDefinition {
  readonly command: string;
  readonly args?: readonly string[];
}

/** The problem matcher reads lines, so the command line must not wrap a message at the width of the terminal. */
const COLUMNS = "10000";

/** The commands that each folder offers. */
const OFFERED = ["check", "test"] as const;

export const registerTasks = (): vscode.Disposable =>
  vscode.tasks.registerTaskProvider(TYPE, {
    provideTasks: () =>
      (vscode.workspace.workspaceFolders ?? []).flatMap((folder) => OFFERED.map((command) => taskOf({ type: TYPE, command }, folder))),
    resolveTask: ({ definition, scope }) => taskOf(definition as Definition, scope ?? vscode.TaskScope.Workspace),
  });

function taskOf(definition: Definition, scope: vscode.WorkspaceFolder | vscode.TaskScope): vscode.Task {
  const { command, args = [] } = definition;
  const execution = new vscode.ProcessExecution(process.execPath, [COMMAND_LINE, command, ...args], { env: { ...AS_NODE, COLUMNS } });
  const task = new vscode.Task(definition, scope, asLine([command, ...args].join(" ")), TYPE, execution, "$pack-auth");
  task.group = vscode.TaskGroup.Test;
  return task;
}
