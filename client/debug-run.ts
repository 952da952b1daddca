// Debugging a run: VS Code's own JavaScript debugger on the pack's process. The run waits until the debugger has set its breakpoints, and
// ends with it.
import { join } from "node:path";
import * as vscode from "vscode";
import { nodesOnPath } from "../platform/choose-node.ts";
import type { DebugOptions } from "../platform/pack.ts";
import { canInspect } from "../platform/spawn-runner.ts";
import { settings } from "./platform-host.ts";
import { startDebugging } from "./shown/items.ts";

export interface DebugRun extends vscode.Disposable {
  readonly options: DebugOptions;
}

/** `stop` is called when the author ends the debugger, or when it does not start. */
export function startDebugRun(name: string, entry: string, stop: () => void): DebugRun {
  const id = `pack-auth-${Date.now()}`;
  let session: vscode.DebugSession | undefined;
  const started = vscode.debug.onDidStartDebugSession((begun) => {
    if (begun.configuration.packAuthRun === id) session ??= begun;
  });
  const ended = vscode.debug.onDidTerminateDebugSession((over) => {
    if (over === session) stop();
  });
  return {
    options: {
      node: debuggingNode(),
      onListening(websocketAddress) {
        const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(entry));
        startDebugging(folder, `Debug ${name}`, {
          type: "node",
          request: "attach",
          packAuthRun: id,
          websocketAddress,
          sourceMaps: true,
          // The bundle is in no folder: its map says where the sources are.
          resolveSourceMapLocations: null,
          skipFiles: ["<node_internals>/**", "**/node_modules/**", "pack-toolkit.js", "pack-auth:*", ...ownFiles()],
          continueOnAttach: true,
          autoAttachChildProcesses: false,
          restart: false,
        }).then(
          (ok) => {
            if (!ok) stop();
          },
          () => stop(),
        );
      },
    },
    dispose() {
      started.dispose();
      ended.dispose();
      if (session !== undefined) void vscode.debug.stopDebugging(session);
    },
  };
}

/** What an author does not step through: the bundle that runs the pack, and the sources that it was made of. */
function ownFiles(): readonly string[] {
  const path = vscode.extensions.getExtension("pack-auth.pack-auth")?.extensionPath;
  return path === undefined ? [] : ["dist", "platform"].map((folder) => join(path, folder, "**"));
}

/** The first Node that opens its inspector behind the walls; else the first at all, which then says what to install. */
function debuggingNode(): string {
  const candidates = [settings().get<string>("nodePath"), process.execPath, ...nodesOnPath(process.env.PATH ?? "")].filter(
    (node): node is string => Boolean(node),
  );
  return candidates.find(canInspect) ?? process.execPath;
}
