// What the welcome of the accounts view, the steps of the walkthrough and the Run button go by: whether there is an SDK, an account, a fix, a run,
// a new pack. package.json reads them as `packAuth.<name>`.
import * as vscode from "vscode";
import type { Services } from "./services.ts";

/** `state`: what a newcomer needs next. */
type ContextKeys = {
  readonly state: "noPack" | "noSdk" | "ready";
  readonly hasAccount: boolean;
  readonly hasRealAccount: boolean;
  readonly hasFix: boolean;
  readonly hasNewPack: boolean;
  readonly hasRun: boolean;
  readonly isPackFile: boolean;
  readonly hasSandbox: boolean;
};

export const setContext = <Name extends keyof ContextKeys>(name: Name, value: ContextKeys[Name]): void =>
  void vscode.commands.executeCommand("setContext", `packAuth.${name}`, value);

/** Keeps all but `hasRun`, which the panels tell, `hasNewPack`, which the command does, `isPackFile`, which the language status does, and `hasSandbox`, which its view does. */
export function keepContextKeys({ server, accounts }: Services): vscode.Disposable {
  const look = async (): Promise<void> => {
    const [packs, all] = await Promise.all([server.packs(), accounts.list()]);
    setContext("hasAccount", all.length > 0);
    setContext(
      "hasRealAccount",
      all.some(({ sandboxOrigin }) => sandboxOrigin === undefined),
    );
    // The last: the welcome must not offer to connect while it is not known that there are accounts.
    setContext("state", packs.length === 0 ? "noPack" : packs.every(({ lacksToolkit }) => lacksToolkit) ? "noSdk" : "ready");
  };
  /** By document: fewer after an edit are what a fix leaves. */
  const findingsBefore = new Map<string, number>();
  const renew = (): void => void look().catch(() => {});
  renew();
  return vscode.Disposable.from(
    server.onOutlineChanged(renew),
    new vscode.Disposable(accounts.onDidChange(renew)),
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      for (const uri of uris) {
        const findings = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "pack-auth").length;
        const name = uri.toString();
        const isEdited = vscode.workspace.textDocuments.some((document) => document.uri.toString() === name && document.version > 1);
        if (isEdited && findings < (findingsBefore.get(name) ?? 0)) setContext("hasFix", true);
        findingsBefore.set(name, findings);
      }
    }),
  );
}
