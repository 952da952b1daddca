// The language server's process. It starts before the rest of the client loads, because both take equally long.
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { ExtensionContext } from "vscode";
import { programEnvironment } from "../../platform/files/programs.ts";

export function startServerProcess({ extensionPath, globalStorageUri }: ExtensionContext): ChildProcess {
  const child = fork(join(extensionPath, "dist/server.cjs"), ["--stdio"], {
    silent: true,
    execArgv: [],
    env: {
      ...programEnvironment(),
      // Makes the editor's program behave as Node.
      ELECTRON_RUN_AS_NODE: "1",
      ELECTRON_NO_ASAR: "1",
      // Compiled code is stored with the editor's other data of the extension.
      PACK_AUTH_CODE_CACHE: join(globalStorageUri.fsPath, "code"),
    },
  });
  // The language client reports the exit; without a listener the error would be thrown.
  child.on("error", () => {});
  return child;
}
