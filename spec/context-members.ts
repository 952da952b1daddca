// Members of the execution context: those that the current Packs SDK declares, and undeclared ones that packs read. The latter come with
// advice for the source and for a run.

/**
 * All members that the platform passes to some function, whatever the version of the Packs SDK. Older versions do not declare all of them.
 */
export const CONTEXT_MEMBERS = [
  "fetcher",
  "temporaryBlobStorage",
  "endpoint",
  "invocationLocation",
  "timezone",
  "invocationToken",
  "sync",
  "authenticationName",
  "executionId",
  "previousAttemptError",
  "syncStateService",
  "propertyName",
  "propertySchema",
  "propertyValues",
  "search",
] as const;

export type ContextMember = (typeof CONTEXT_MEMBERS)[number];

export type UndeclaredMember = "logger" | "syncStateService" | "previousCompletion" | "continuation";

export const UNDECLARED_MEMBERS: Readonly<Record<UndeclaredMember, string>> = {
  logger: "Use console.log instead of context.logger. Packs SDK 0.5.0 removed it, so the call may fail on the platform.",
  syncStateService:
    "Do not use context.syncStateService: it is not documented, and is meant for Superhuman Go. It is undefined here and in documents.",
  previousCompletion:
    "Use context.sync.previousCompletion. context.previousCompletion is always undefined, so the sync is never incremental.",
  continuation: "Use context.sync.continuation. context.continuation is always undefined, so every page is the first one.",
};
