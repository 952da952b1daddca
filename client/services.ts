// The dependencies of commands, views and the panel, created once in extension.ts.
import type * as vscode from "vscode";
import type { Accounts } from "../platform/accounts/accounts.ts";
import type { PlatformHost } from "../platform/host.ts";
import type { Packs } from "./packs/packs.ts";
import type { LanguageServer } from "./window/language-client.ts";
import type { ErrorReporter } from "./window/show-error.ts";
import type { SignIns } from "./window/sign-ins.ts";

export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly server: LanguageServer;
  readonly accounts: Accounts;
  readonly packs: Packs;
  readonly signIns: SignIns;
  readonly showError: ErrorReporter;
  /** The entry of the pack whose formula panel has the focus. */
  packInFront(): string | undefined;
  /** Returns a host that reports its progress to the function. */
  host(progress?: (message: string) => void): PlatformHost;
}
