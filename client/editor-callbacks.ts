// What the browser brings back to the editor's own address. The system gives it to the window that was used last, while the sign-in may
// wait in another one: then it is passed on through the secret store, which all windows share and which tells them of changes.
import type * as vscode from "vscode";

export interface EditorCallbacks extends vscode.Disposable {
  /** This window was opened by the editor's address. */
  handleUri(uri: string): Promise<void>;
  /** A listener gives true for what is its own; gives a stop. */
  onOpened(listener: (uri: string) => boolean): () => void;
}

type Secrets = Pick<vscode.SecretStorage, "get" | "store" | "delete" | "onDidChange">;

const KEY = "packAuth.editorCallback";
/** Any program can open the editor's address: what is longer comes from no provider. */
const LONGEST = 8_192;
/** Milliseconds after which no window has taken it. */
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
