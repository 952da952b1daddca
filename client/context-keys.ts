// What the welcome of the accounts view, the steps of the walkthrough and the Run button go by: whether there is a pack, its SDK, an account, a finding, a
// run. package.json reads them as `packAuth.<name>`.
import * as vscode from "vscode";
import type { Services } from "./services.ts";

/** `state`: what a newcomer needs next. */
type ContextKeys = {
  readonly state: "noPack" | "noSdk" | "ready";
  readonly hasPack: boolean;
  readonly hasAccount: boolean;
  readonly hasRealAccount: boolean;
  readonly hasFinding: boolean;
  readonly hasRun: boolean;
  readonly isPackFile: boolean;
  readonly hasSandbox: boolean;
};

export const setContext = <Name extends keyof ContextKeys>(name: Name, value: ContextKeys[Name]): void =>
  void vscode.commands.executeCommand("setContext", `packAuth.${name}`, value);

/** Keeps all but `hasRun`, which the panels tell, `isPackFile`, which the language status does, and `hasSandbox`, which its view does. */
export function keepContextKeys({ server, accounts }: Services): vscode.Disposable {
  const look = async (): Promise<void> => {
    const [packs, all] = await Promise.all([server.packs(), accounts.list()]);
    setContext("hasPack", packs.length > 0);
    setContext("hasAccount", all.length > 0);
    setContext(
      "hasRealAccount",
      all.some(({ sandboxOrigin }) => sandboxOrigin === undefined),
    );
    // The last: the welcome must not offer to connect while it is not known that there are accounts.
    setContext("state", packs.length === 0 ? "noPack" : packs.every(({ lacksToolkit }) => lacksToolkit) ? "noSdk" : "ready");
  };
  const renew = (): void => void look().catch(() => {});
  renew();
  return vscode.Disposable.from(
    server.onOutlineChanged(renew),
    new vscode.Disposable(accounts.onDidChange(renew)),
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (uris.some((uri) => vscode.languages.getDiagnostics(uri).some(({ source }) => source === "pack-auth")))
        setContext("hasFinding", true);
    }),
  );
}
