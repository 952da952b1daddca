// Sets a context key, which package.json reads as `packAuth.<name>`.
import * as vscode from "vscode";

/** `state`: decides what the welcome view offers next. */
type ContextKeys = {
  readonly state: "noPack" | "noSdk" | "ready";
  readonly hasAccount: boolean;
  readonly hasRealAccount: boolean;
  readonly hasFix: boolean;
  readonly hasNewPack: boolean;
  readonly hasRun: boolean;
  readonly isPackFile: boolean;
  readonly hasSandbox: boolean;
  readonly isSigningIn: boolean;
};

export const setContext = <Name extends keyof ContextKeys>(name: Name, value: ContextKeys[Name]): void =>
  void vscode.commands.executeCommand("setContext", `packAuth.${name}`, value);
