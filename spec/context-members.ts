// Members of the context that packs read and the Packs SDK does not declare: what to do instead, in the source and in a run.
import { t } from "@vscode/l10n";

export type UndeclaredMember = "logger" | "syncStateService" | "previousCompletion" | "continuation";

export const UNDECLARED_MEMBERS: Readonly<Record<UndeclaredMember, string>> = {
  logger: t`Use console.log instead of context.logger. Packs SDK 0.5.0 removed it, so the call may fail on the platform.`,
  syncStateService: t`Do not use context.syncStateService: it is not documented, and is meant for Superhuman Go. It is undefined here and in documents.`,
  previousCompletion: t`Use context.sync.previousCompletion. context.previousCompletion is always undefined, so the sync is never incremental.`,
  continuation: t`Use context.sync.continuation. context.continuation is always undefined, so every page is the first one.`,
};
