// Debugs a run: attaches VS Code's JavaScript debugger to the pack's process. The run waits until the debugger has set its breakpoints, and
// ends with the debugger.
import { join } from "node:path";
import * as vscode from "vscode";
import { programsOnPath } from "../../platform/files/programs.ts";
import { canInspect } from "../../platform/process/node-flags.ts";
import type { DebugOptions } from "../../platform/process/pack.ts";
import { nameDebugSession, startDebugging } from "../shown/items.ts";
import { nodePath } from "../window/settings.ts";
import { createPauses } from "./debug-pauses.ts";
import { everythingIn } from "./file-patterns.ts";

interface DebugRun extends vscode.Disposable {
  /** Resolves once a Node was found. */
  readonly options: Promise<DebugOptions>;
  /** Returns how long the run has paused for its debugger so far, in milliseconds. */
  pausedTime(): number;
}

interface DebugRunEvents {
  /** Called if the author stops the debugger, or if it does not start. */
  stop(): void;
  paused(isPaused: boolean): void;
}

export function startDebugRun(name: string, entry: string, { stop, paused }: DebugRunEvents): DebugRun {
  const id = `pack-auth-${Date.now()}`;
  const pauses = createPauses(paused);
  let session: vscode.DebugSession | undefined;
  // The debugger creates a child session for the process, which is the visible one and the one that stops.
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
          // The bundle is in no folder; its source map names the sources.
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

/** Returns patterns for code that an author does not step through: the bundle that runs the pack, and its sources. */
function ownFiles(): readonly string[] {
  const path = vscode.extensions.getExtension("pack-auth.pack-auth")?.extensionPath;
  return path === undefined ? [] : ["dist", "platform"].map((folder) => everythingIn(join(path, folder)));
}

/** Returns the first Node whose inspector works inside the sandbox; else this process's Node, whose error then says what to install. */
async function debuggingNode(): Promise<string> {
  for (const node of [nodePath(), process.execPath, ...programsOnPath("node")]) if (node && (await canInspect(node))) return node;
  return process.execPath;
}
