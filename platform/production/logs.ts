// Reads the logs of a published pack page by page. Nothing is stored: the caller has the entries.
import { defined } from "../../base/defined.ts";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { PackAuthError } from "../errors.ts";
import type { LogEntry, LoggedError, LogPage, LogQuery, LogSource, PublicApi } from "../public-api/public-api.ts";

export type LogType = LogEntry["type"];

export interface LogFilter {
  /** Absent for all types. */
  readonly type?: LogType;
  /** Only entries that say that something failed. */
  readonly failuresOnly?: boolean;
  readonly formula?: string;
  /** The name of a connection, or its ID. */
  readonly connection?: string;
  /** A text that the platform searches for. */
  readonly text?: string;
  /** Milliseconds since the epoch. */
  readonly since?: number;
}

export interface LogReader {
  /** Returns at least `least` more entries that the filter lets through, and fewer only at the end. Throws PackAuthError. */
  more(least: number, signal?: AbortSignal): Promise<readonly LogEntry[]>;
  readonly hasMore: boolean;
  /** Why the rest cannot be read, though there is more. */
  readonly problem: PackAuthError | undefined;
}

/** Entries that one reader returns. */
const MOST_ENTRIES = 10_000;

/** Pages of one call: a filter may let nothing through. */
const MOST_PAGES = 100;

const PAGE_SIZE = 100;

/** Opens the logs of a doc or an agent from their newest page on. Nothing is read before the first call. */
export function openLogs(api: Pick<PublicApi, "logs">, source: LogSource, filter: LogFilter): LogReader {
  const query = queryOf(filter);
  const pageTokens = new Set<string>();
  const logIds = new Set<string>();
  let count = 0;
  let pageToken: string | undefined;
  let hasMore = true;
  let problem: PackAuthError | undefined;

  const end = (error?: PackAuthError): void => {
    hasMore = false;
    problem = error;
  };
  /** A page repeats entries if new ones arrived since the page before. */
  const isNew = (entry: LogEntry): boolean => {
    const key = logKey(entry);
    if (key === undefined) return true;
    if (logIds.has(key)) return false;
    logIds.add(key);
    return true;
  };
  const goOn = (next: string | undefined): void => {
    if (next === undefined) end();
    else if (pageTokens.has(next)) end(repeatedPage());
    else pageTokens.add(next);
    pageToken = next;
  };
  return {
    async more(least, signal) {
      const entries: LogEntry[] = [];
      for (let pages = 0; hasMore && entries.length < least && pages < MOST_PAGES; pages++) {
        const page = await readPage(api, source, { ...query, limit: PAGE_SIZE, ...defined({ pageToken }) }, signal);
        signal?.throwIfAborted();
        const fitting = page.entries.filter((entry) => isNew(entry) && passes(entry, filter));
        entries.push(...fitting.slice(0, MOST_ENTRIES - count));
        count += fitting.length;
        goOn(page.nextPageToken);
        if (hasMore && count >= MOST_ENTRIES) end(tooMany());
      }
      return entries;
    },
    get hasMore() {
      return hasMore;
    },
    get problem() {
      return problem;
    },
  };
}

/** Identifies an entry; undefined if the platform gave it no ID. */
export const logKey = (entry: LogEntry): string | undefined =>
  entry.logId === "" ? undefined : `${entry.type === "unknown" ? entry.typeName : ""} ${entry.type} ${entry.logId}`;

const repeatedPage = (): PackAuthError =>
  new PackAuthError("api-failed", "The platform lists the same page of logs again, so older entries cannot be read.", {
    hint: "Read the logs again, or filter them.",
  });

const tooMany = (): PackAuthError =>
  new PackAuthError("api-failed", `There are more than ${MOST_ENTRIES} entries, and the older ones are not read.`, {
    hint: "Filter the logs by type, time or text.",
  });

const queryOf = ({ type, text, since }: LogFilter): LogQuery => ({
  // The API has no name for all other types.
  ...(type === undefined || type === "unknown" ? {} : { types: [type] }),
  ...defined({ text }),
  ...(since === undefined ? {} : { after: new Date(since).toISOString() }),
});

async function readPage(api: Pick<PublicApi, "logs">, source: LogSource, query: LogQuery, signal?: AbortSignal): Promise<LogPage> {
  try {
    return await api.logs(source, query, signal);
  } catch (error) {
    throw withSource(error, source);
  }
}

/** The client's advice is about the pack, but the doc or agent of the logs is chosen more often. */
const withSource = (error: unknown, source: LogSource): unknown =>
  error instanceof PackAuthError && error.code === "api-forbidden"
    ? new PackAuthError(error.code, error.message, { hint: FORBIDDEN[source.kind], cause: error })
    : error;

const FORBIDDEN: Readonly<Record<LogSource["kind"], string>> = {
  doc: "Choose a doc that uses the pack, in a workspace of the person whose token this is.",
  agent: "Name an agent of the person whose token this is.",
};

function passes(entry: LogEntry, { type, failuresOnly, formula, connection, since }: LogFilter): boolean {
  const at = Date.parse(entry.createdAt);
  return (
    (type === undefined || entry.type === type) &&
    (failuresOnly !== true || isFailure(entry)) &&
    (formula === undefined || isSame(entry.formulaName, formula)) &&
    (connection === undefined || isSame(entry.connectionId, connection) || isSame(entry.connectionName ?? "", connection)) &&
    (since === undefined || Number.isNaN(at) || at >= since)
  );
}

const isSame = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();

/** Returns whether the entry itself says that something failed. */
export function isFailure(entry: LogEntry): boolean {
  switch (entry.type) {
    case "auth":
      return entry.errorMessage !== undefined;
    case "fetcher":
      return (entry.responseCode ?? 0) >= 400;
    case "invocation":
    case "mcp":
      return entry.error !== undefined;
    case "custom":
      return entry.level === "error";
    case "unknown":
      return false;
  }
}

/** Returns the error that the entry has, if its type can have one. The message is empty if there is only a stack. */
export function errorOf(entry: LogEntry): LoggedError | undefined {
  if (entry.type === "invocation" || entry.type === "mcp") return entry.error;
  if (entry.type !== "auth" || (entry.errorMessage ?? entry.errorStack) === undefined) return undefined;
  return { message: entry.errorMessage ?? "", ...defined({ stack: entry.errorStack }) };
}

export interface ConnectionLogs<Entry extends LogEntry = LogEntry> {
  /** Unique among the connections of a pack; empty for entries without a connection. */
  readonly id: string;
  readonly name: string;
  readonly entries: readonly Entry[];
}

/** Returns the entries by connection, each connection and its entries the newest first. */
export function groupByConnection<Entry extends LogEntry>(entries: readonly Entry[]): readonly ConnectionLogs<Entry>[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of newestFirst(entries)) getOrInsert(groups, entry.connectionId || (entry.connectionName ?? ""), () => []).push(entry);
  return [...groups].map(([id, group]) => ({
    id,
    name: group.find(({ connectionName }) => connectionName)?.connectionName || id || "Without a connection",
    entries: group,
  }));
}

/** Entries without a valid time come last. */
export const newestFirst = <Entry extends LogEntry>(entries: readonly Entry[]): readonly Entry[] => {
  const timeOf = ({ createdAt }: LogEntry): number => Date.parse(createdAt) || 0;
  return entries.toSorted((left, right) => timeOf(right) - timeOf(left));
};
