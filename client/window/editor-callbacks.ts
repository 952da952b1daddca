// Receives the browser's callbacks to the editor's own address. The system delivers them to the last used window, while another window may
// wait. The secret store passes them on, because all windows share it and receive its changes.
import type * as vscode from "vscode";

export interface EditorCallbacks extends vscode.Disposable {
  /** Handles a URI that the system opened in this window. */
  handleUri(uri: string): Promise<void>;
  /** Registers a listener, which returns true if the callback is its own. Returns a function that removes it. */
  onOpened(listener: (uri: string) => boolean): () => void;
}

type Secrets = Pick<vscode.SecretStorage, "get" | "store" | "delete" | "onDidChange">;

const KEY = "packAuth.editorCallback";
/** Any program can open the editor's address: a longer URI does not come from a provider. */
const LONGEST = 8_192;
/** Milliseconds after which an unclaimed callback is deleted. */
const UNCLAIMED = 10_000;

export function createEditorCallbacks(secrets: Secrets): EditorCallbacks {
  const listeners = new Set<(uri: string) => boolean>();
  const isClaimed = (uri: string): boolean => [...listeners].some((listener) => listener(uri));
  const claimFromOtherWindows = async (): Promise<void> => {
    const uri = await secrets.get(KEY);
    if (uri !== undefined && isClaimed(uri)) await secrets.delete(KEY);
  };
  let passedOn: string | undefined;
  const forget = async (uri: string): Promise<void> => {
    if ((await secrets.get(KEY)) === uri) await secrets.delete(KEY);
  };
  const watching = secrets.onDidChange(({ key }) => {
    if (key === KEY && listeners.size > 0) void claimFromOtherWindows();
  });
  return {
    async handleUri(uri) {
      if (isClaimed(uri) || uri.length > LONGEST || !new URL(uri).searchParams.has("state")) return;
      await secrets.store(KEY, uri);
      passedOn = uri;
      setTimeout(() => void forget(uri), UNCLAIMED).unref();
    },
    onOpened(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispose() {
      watching.dispose();
      if (passedOn !== undefined) void forget(passedOn);
    },
  };
}
