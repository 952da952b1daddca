// Sets the context keys for the welcome of the accounts view, the walkthrough and the Run button. package.json reads them as
// `packAuth.<name>`.
import * as vscode from "vscode";
import type { Services } from "./services.ts";
import { setContext } from "./window/set-context.ts";

/**
 * Updates all keys that depend on packs, accounts and diagnostics. Other files set `hasRun` (panels), `hasNewPack` (createPack),
 * `isPackFile` (language status), `hasSandbox` (its view) and `isSigningIn` (sign-ins).
 */
export function keepContextKeys({ server, accounts }: Services): vscode.Disposable {
  const look = async (): Promise<void> => {
    const [packs, all] = await Promise.all([server.packs(), accounts.list()]);
    setContext("hasAccount", all.length > 0);
    setContext(
      "hasRealAccount",
      all.some(({ sandboxOrigin }) => sandboxOrigin === undefined),
    );
    // This key is set last: the welcome view must not offer to connect before the accounts are known.
    setContext("state", packs.length === 0 ? "noPack" : packs.every(({ lacksToolkit }) => lacksToolkit) ? "noSdk" : "ready");
  };
  /** Number of findings by document: fewer findings after an edit indicate a fix. */
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
