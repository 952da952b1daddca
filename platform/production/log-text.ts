// Says what a log entry says, on one line. Every text in it is from outside: the caller shows it through client/shown/ or as printable text.
import type { LogEntry } from "../public-api/public-api.ts";
import { isFailure, type LogType } from "./logs.ts";

interface TypeText<Type extends LogType> {
  /** The name of the type for people. */
  readonly name: string;
  /** The name of an icon of the editor. */
  readonly icon: string;
  /** What happened. */
  readonly describe: (entry: Extract<LogEntry, { type: Type }>) => string;
}

const TEXTS: { readonly [Type in LogType]: TypeText<Type> } = {
  auth: { name: "authentication", icon: "key", describe: ({ path, errorMessage }) => joined(path, errorMessage) },
  fetcher: {
    name: "request",
    icon: "globe",
    // The status comes first, because a narrow view cuts long addresses.
    describe: ({ method, baseUrl, responseCode, duration, cacheHit }) =>
      joined(responseCode, [method, baseUrl].filter(Boolean).join(" "), milliseconds(duration), cached(cacheHit)),
  },
  invocation: {
    name: "invocation",
    icon: "symbol-function",
    describe: ({ error, duration, cacheHit }) => joined(error?.message ?? "no error", milliseconds(duration), cached(cacheHit)),
  },
  mcp: { name: "MCP", icon: "server", describe: ({ message, error }) => joined(message, error?.message) },
  custom: { name: "custom", icon: "output", describe: ({ level, message }) => joined(level, message) },
  unknown: { name: "other", icon: "question", describe: ({ typeName, raw }) => joined(typeName, raw) },
};

const joined = (...parts: readonly (string | number | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join(" · ");

const milliseconds = (duration: number | undefined): string | undefined =>
  duration === undefined ? undefined : `${Math.round(duration)} ms`;

const cached = (cacheHit: boolean | undefined): string | undefined => (cacheHit === true ? "from the cache" : undefined);

export const LOG_TYPES = Object.keys(TEXTS) as readonly LogType[];

/** Returns the name of the type for people. */
export const typeText = (type: LogType): string => TEXTS[type].name;

/** Returns the name of the editor's icon for the entry. */
export const typeIcon = (entry: LogEntry): string => (isFailure(entry) ? "error" : TEXTS[entry.type].icon);

/** Returns what the entry says, on one line. */
export const entryText = (entry: LogEntry): string =>
  // The compiler cannot relate the type of an entry to its record.
  (TEXTS[entry.type].describe as (entry: LogEntry) => string)(entry).replace(/\s+/g, " ").trim();
