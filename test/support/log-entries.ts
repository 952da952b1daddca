// Log entries of the declared shape, with the fields that a test does not name.
import type { LogContext, LogEntry } from "../../platform/public-api/public-api.ts";

type Own<Type extends LogEntry["type"]> = Omit<Extract<LogEntry, { type: Type }>, keyof LogContext>;

export const logEntry = <Type extends LogEntry["type"]>(
  own: Own<Type> & { readonly type: Type },
  context: Partial<LogContext> = {},
): LogEntry =>
  ({
    logId: "log-1",
    createdAt: "2026-11-28T08:00:00.000Z",
    packVersion: "3",
    formulaName: "GetTask",
    connectionId: "c-1",
    connectionName: "alice",
    requestId: "r-1",
    requestType: "unknown",
    docId: "AbCDeFGH12",
    ...context,
    ...own,
  }) as unknown as LogEntry;
