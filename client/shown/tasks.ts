// Tasks of the type `pack-auth`: the command line in a terminal, whose findings the problem matcher $pack-auth puts into the Problems view.
import { join } from "node:path";
import * as vscode from "vscode";
import { asLine } from "./foreign-text.ts";

const TYPE = "pack-auth";

const COMMAND_LINE = join(__dirname, "cli.cjs");
/** The editor's program is Node with this; Node itself does not read it. */
const AS_NODE = { ELECTRON_RUN_AS_NODE: "1" };

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
  // The extension's own file: npx would run whatever the workspace or the registry has under the name.
  const execution = new vscode.ProcessExecution(process.execPath, [COMMAND_LINE, command, ...args], { env: { ...AS_NODE, COLUMNS } });
  const task = new vscode.Task(definition, scope, asLine([command, ...args].join(" ")), TYPE, execution, "$pack-auth");
  task.group = vscode.TaskGroup.Test;
  return task;
}
