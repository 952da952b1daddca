// What commands, views and the panel are given: made once in extension.ts.
import type * as vscode from "vscode";
import type { Accounts } from "../platform/accounts/accounts.ts";
import type { PlatformHost } from "../platform/host.ts";
import type { LanguageServer } from "./language-client.ts";
import type { Packs } from "./packs/packs.ts";
import type { ErrorReporter } from "./show-error.ts";

export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly server: LanguageServer;
  readonly accounts: Accounts;
  readonly packs: Packs;
  readonly showError: ErrorReporter;
  /** The entry of the pack whose formula panel has the focus. */
  packInFront(): string | undefined;
  /** A host whose progress goes to the given place. */
  host(progress?: (message: string) => void): PlatformHost;
}
