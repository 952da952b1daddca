// Reads the answers of the public API into their declared shapes. Texts and lists that are too long are cut.
import { isRecord } from "../../base/is-record.ts";
import { dictionary, finite, flag, lenient, list, optional, record, type Shape, text } from "../../base/shape.ts";
import type { ApiValidationError, LogContext, LogEntry, LogPage, NextVersion, PublishedOauthConfig, UploadTarget } from "./public-api.ts";

/** Characters of texts. A pack may request many scopes. The logs may have 10,000 entries in memory, so their texts are shorter. */
const LONGEST = { text: 4_000, scopes: 50_000, logged: 300, message: 2_000, stack: 4_000 };
const MOST_HEADERS = 100;
/** Findings, validation errors or entries of one answer. */
const MOST_ITEMS = 10_000;

const cut = (value: string, most: number): string => (value.length <= most ? value : `${value.slice(0, most)}…`);

const textOf =
  (most: number): Shape<string> =>
  (value) =>
    cut(text(value), most);
const short = textOf(LONGEST.text);
const logged = textOf(LONGEST.logged);
const message = textOf(LONGEST.message);
const stack = textOf(LONGEST.stack);

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
  scopes: optional(textOf(LONGEST.scopes)),
  redirectUri: short,
  useDynamicClientRegistration: optional(flag),
});

export const versionPage = record({
  items: items(record({ packVersion: short, sdkVersion: optional(short) })),
  nextPageToken: optional(text),
});

const findings = { findingDetails: items(record({ finding: short, path: short })) };
const nextVersionShape = record({ nextVersion: short, ...findings });
/** Reads the next version, and its differences from the previous one. */
export const nextVersion: Shape<NextVersion> = (value) => {
  const { nextVersion, findingDetails } = nextVersionShape(value);
  return { nextVersion, findings: findingDetails };
};
const diffsShape = record(findings);
/** Reads the differences between two versions. */
export const diffs: Shape<NextVersion["findings"]> = (value) => diffsShape(value).findingDetails;

/** The file goes to https only. The address carries its own authorization, so it is never part of a message. */
const uploadUrl: Shape<string> = (value) => {
  const address = text(value);
  return URL.canParse(address) && new URL(address).protocol === "https:" ? address : text(undefined);
};
export const uploadTarget: Shape<UploadTarget> = record({ uploadUrl, headers: dictionary(short, MOST_HEADERS) });

const validationErrors = items(record({ path: optional(short), message: short }));
const completedShape = record({ deprecationWarnings: optional(validationErrors) });
/** Reads the warnings of an upload that is complete. */
export const completed: Shape<readonly ApiValidationError[]> = (value) => completedShape(value).deprecationWarnings ?? [];

/** What an error's body says. Its shape is not declared, so that each part may be missing. */
export const refusal = record({ message: lenient(short), statusMessage: lenient(short), validationErrors: lenient(validationErrors) });

const error = optional(record({ message, stack: optional(stack) }));
const CONTENT = {
  auth: record({ path: logged, errorMessage: optional(message), errorStack: optional(stack) }),
  fetcher: record({
    method: optional(logged),
    baseUrl: optional(logged),
    responseCode: optional(finite),
    duration: optional(finite),
    cacheHit: optional(flag),
    requestSizeBytes: optional(finite),
    responseSizeBytes: optional(finite),
  }),
  invocation: record({ error, duration: optional(finite), cacheHit: optional(flag) }),
  mcp: record({ message: optional(message), error }),
  custom: record({ message, level: logged }),
};
type DeclaredType = keyof typeof CONTENT;
const isDeclared = (type: unknown): type is DeclaredType => typeof type === "string" && Object.hasOwn(CONTENT, type);

const contextShape = record({
  logId: lenient(short),
  createdAt: lenient(logged),
  packVersion: lenient(logged),
  formulaName: lenient(logged),
  connectionId: lenient(logged),
  connectionName: lenient(logged),
  requestId: lenient(logged),
  requestType: lenient(logged),
  docId: lenient(logged),
  isSyncTable: lenient(flag),
  invocationSource: lenient(logged),
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
  const raw = cut(JSON.stringify(value) ?? "", LONGEST.message);
  return { ...origin, type: "unknown", typeName: typeof type === "string" ? logged(type) : "", raw };
}

const logsShape = record({ items: items(logEntry), nextPageToken: optional(text) });
/** Reads a page of logs. */
export const logPage: Shape<LogPage> = (value) => {
  const { items: entries, ...page } = logsShape(value);
  return { ...page, entries };
};
