// Reads the answers of the public API into their declared shapes. Longer texts and lists than any true answer has are cut.
import { defined } from "../../base/defined.ts";
import { isRecord } from "../../base/is-record.ts";
import { dictionary, finite, flag, lenient, list, optional, record, type Shape, text } from "../../base/shape.ts";
import type { ApiValidationError, LogContext, LogEntry, NextVersion, PublishedOauthConfig, UploadTarget } from "./public-api.ts";

/** Characters of a name, an address or a message. */
const LONGEST_TEXT = 4_000;
/** Characters of a logged message or stack, and of an entry that is shown raw. */
const LONGEST_LOGGED = 50_000;
const MOST_HEADERS = 100;
/** Findings, validation errors or entries of one answer. */
const MOST_ITEMS = 10_000;

const textOf =
  (longest: number): Shape<string> =>
  (value) =>
    text(value).slice(0, longest);
const short = textOf(LONGEST_TEXT);
const long = textOf(LONGEST_LOGGED);

const items =
  <T>(item: Shape<T>): Shape<readonly T[]> =>
  (value) =>
    list(item)(Array.isArray(value) ? value.slice(0, MOST_ITEMS) : value);

export const oauthConfig: Shape<PublishedOauthConfig> = record({
  maskedClientId: short,
  maskedClientSecret: short,
  authorizationUrl: short,
  tokenUrl: short,
  tokenPrefix: optional(short),
  scopes: optional(long),
  redirectUri: short,
  useDynamicClientRegistration: optional(flag),
});

export const versionPage = record({
  items: items(
    record({ packVersion: short, buildNotes: long, createdAt: short, releaseId: optional(finite), sdkVersion: optional(short) }),
  ),
  nextPageToken: optional(text),
});

const findings = { findingDetails: items(record({ finding: short, path: short })) };
const nextVersionShape = record({ nextVersion: short, ...findings });
export const nextVersion: Shape<NextVersion> = (value) => {
  const { nextVersion, findingDetails } = nextVersionShape(value);
  return { nextVersion, findings: findingDetails };
};
const diffsShape = record(findings);
export const diffs: Shape<NextVersion["findings"]> = (value) => diffsShape(value).findingDetails;

/** The file goes to https only. The address carries its own authorization, so it is never part of a message. */
const uploadUrl: Shape<string> = (value) => {
  const address = text(value);
  return URL.canParse(address) && new URL(address).protocol === "https:" ? address : text(undefined);
};
export const uploadTarget: Shape<UploadTarget> = record({ uploadUrl, headers: dictionary(short, MOST_HEADERS) });

const validationErrors = items(record({ path: optional(short), message: short }));
const completedShape = record({ deprecationWarnings: optional(validationErrors) });
export const completed: Shape<readonly ApiValidationError[]> = (value) => completedShape(value).deprecationWarnings ?? [];

/** What an error's body says. Its shape is not declared, so that each part may be missing. */
export const refusal = record({ message: lenient(short), statusMessage: lenient(short), validationErrors: lenient(validationErrors) });

const loggedError = optional(record({ message: long, stack: optional(long) }));
const CONTENT = {
  auth: record({ path: short, errorMessage: optional(long), errorStack: optional(long) }),
  fetcher: record({
    method: optional(short),
    baseUrl: optional(short),
    responseCode: optional(finite),
    duration: optional(finite),
    cacheHit: optional(flag),
    requestSizeBytes: optional(finite),
    responseSizeBytes: optional(finite),
  }),
  invocation: record({ error: loggedError, duration: optional(finite), cacheHit: optional(flag) }),
  mcp: record({ message: optional(long), error: loggedError }),
  custom: record({ message: long, level: short }),
};
type DeclaredType = keyof typeof CONTENT;
const isDeclared = (type: unknown): type is DeclaredType => typeof type === "string" && Object.hasOwn(CONTENT, type);

const contextShape = record({
  logId: lenient(short),
  createdAt: lenient(short),
  packVersion: lenient(short),
  formulaName: lenient(short),
  connectionId: lenient(short),
  connectionName: lenient(short),
  requestId: lenient(short),
  requestType: lenient(short),
  docId: lenient(short),
  isSyncTable: lenient(flag),
  invocationSource: lenient(short),
});

const EMPTY = {
  logId: "",
  createdAt: "",
  packVersion: "",
  formulaName: "",
  connectionId: "",
  requestId: "",
  requestType: "",
  docId: "",
} as const satisfies LogContext;

/** Returns the entry, or an `unknown` one if its type or shape is another. Never throws. */
function logEntry(value: unknown): LogEntry {
  const { type, context } = isRecord(value) ? value : {};
  const origin = { ...EMPTY, ...contextShape(isRecord(context) ? context : {}) };
  if (isDeclared(type))
    try {
      return { ...origin, type, ...CONTENT[type](value) } as LogEntry;
    } catch {
      // The entry has another shape than declared.
    }
  return { ...origin, type: "unknown", typeName: typeof type === "string" ? short(type) : "", raw: bounded(value) };
}

/** Returns the value, or the beginning of its JSON if that is long. */
function bounded(value: unknown): unknown {
  const json = JSON.stringify(value) ?? "";
  return json.length <= LONGEST_LOGGED ? value : `${json.slice(0, LONGEST_LOGGED)}…`;
}

const logsShape = record({ items: items(logEntry), nextPageToken: optional(text) });
export const logPage = (value: unknown) => {
  const { items: entries, nextPageToken } = logsShape(value);
  // The API's order is not declared.
  return {
    entries: [...entries].sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0)),
    ...defined({ nextPageToken }),
  };
};
