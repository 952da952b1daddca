// The language server's process. It is started before the rest of the client is loaded: each takes about as long as the other.
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { ExtensionContext } from "vscode";
import { programEnvironment } from "../platform/files/programs.ts";

export function startServerProcess({ extensionPath, globalStorageUri }: ExtensionContext): ChildProcess {
  const child = fork(join(extensionPath, "dist/server.cjs"), ["--stdio"], {
    silent: true,
    execArgv: [],
    env: {
      ...programEnvironment(),
      // The editor's own program is Node where it is asked to be.
      ELECTRON_RUN_AS_NODE: "1",
      ELECTRON_NO_ASAR: "1",
      // Compiled code stays with what else the editor keeps for the extension.
      PACK_AUTH_CODE_CACHE: join(globalStorageUri.fsPath, "code"),
    },
  });
  // Whoever reads from it hears that it is gone.
  child.on("error", () => {});
  return child;
}
