// Debugging a run: VS Code's own JavaScript debugger on the pack's process. The run waits until the debugger has set its breakpoints, and
// ends with it.
import { join } from "node:path";
import * as vscode from "vscode";
import { programsOnPath } from "../../platform/files/programs.ts";
import { canInspect } from "../../platform/process/node-flags.ts";
import type { DebugOptions } from "../../platform/process/pack.ts";
import { nodePath } from "../settings.ts";
import { nameDebugSession, startDebugging } from "../shown/items.ts";
import { createPauses } from "./debug-pauses.ts";
import { everythingIn } from "./file-patterns.ts";

interface DebugRun extends vscode.Disposable {
  /** Once a Node was found for it. */
  readonly options: Promise<DebugOptions>;
  /** Milliseconds that the run stood still so far, for its debugger. */
  pausedTime(): number;
}

interface DebugRunEvents {
  /** The author ended the debugger, or it did not start. */
  stop(): void;
  paused(isPaused: boolean): void;
}

export function startDebugRun(name: string, entry: string, { stop, paused }: DebugRunEvents): DebugRun {
  const id = `pack-auth-${Date.now()}`;
  const pauses = createPauses(paused);
  let session: vscode.DebugSession | undefined;
  // The debugger has a session of its own below ours, for the process: that is the one that is shown, and the one that stops.
  const isOfProcess = ({ parentSession }: vscode.DebugSession): boolean => parentSession?.configuration.packAuthRun === id;
  const listeners = [
    vscode.debug.onDidStartDebugSession((begun) => {
      if (begun.configuration.packAuthRun === id) session ??= begun;
      else if (isOfProcess(begun)) nameDebugSession(begun, name);
    }),
    vscode.debug.onDidTerminateDebugSession((over) => {
      if (over === session) stop();
    }),
    vscode.debug.registerDebugAdapterTrackerFactory("*", {
      createDebugAdapterTracker: (begun) => (isOfProcess(begun) ? { onDidSendMessage: pauses.hear } : undefined),
    }),
  ];
  return {
    pausedTime: pauses.time,
    options: debuggingNode().then((node) => ({
      node,
      onListening(websocketAddress) {
        pauses.wait();
        const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(entry));
        startDebugging(folder, name, {
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
        }).then((ok) => {
          if (!ok) stop();
        }, stop);
      },
    })),
    dispose() {
      for (const listener of listeners) listener.dispose();
      if (session !== undefined) void vscode.debug.stopDebugging(session);
    },
  };
}

/** What an author does not step through: the bundle that runs the pack, and the sources that it was made of. */
function ownFiles(): readonly string[] {
  const path = vscode.extensions.getExtension("pack-auth.pack-auth")?.extensionPath;
  return path === undefined ? [] : ["dist", "platform"].map((folder) => everythingIn(join(path, folder)));
}

/** The first Node that opens its inspector behind the walls; else the first at all, which then says what to install. */
async function debuggingNode(): Promise<string> {
  for (const node of [nodePath(), process.execPath, ...programsOnPath("node")]) if (node && (await canInspect(node))) return node;
  return process.execPath;
}
