// Read-only documents of a set-up: the proposed source in the editor's diff, and the page of a provider.
import * as vscode from "vscode";

const SCHEME = "pack-auth-setup";

export interface VirtualTexts extends vscode.Disposable {
  /** Returns the address of a document with the text. The document with the name is replaced. */
  add(name: string, text: string): vscode.Uri;
}

export function createVirtualTexts(): VirtualTexts {
  const texts = new Map<string, string>();
  const changeEmitter = new vscode.EventEmitter<vscode.Uri>();
  const registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: changeEmitter.event,
    provideTextDocumentContent: (uri) => texts.get(uri.path) ?? "Set it up again: this text is not stored any more.\n",
  });
  return {
    add(name, text) {
      const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });
      texts.set(uri.path, text);
      changeEmitter.fire(uri);
      return uri;
    },
    dispose: () => vscode.Disposable.from(registration, changeEmitter).dispose(),
  };
}
