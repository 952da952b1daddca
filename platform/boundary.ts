// The one place where messages of the pack process become values of the host. Pack code can bend what its process sends (by changing
// JSON's view of its own objects), so each message is read into its known shape and anything else about it is left behind.
// Invariant: whatever arrives, the rest of the platform sees a well-formed message or none.
import type { PackDefinition } from "../protocol/definition.ts";
import type { FromPackProcess } from "../protocol/pack-process.ts";
import { REQUEST_LIMITS } from "../protocol/request-limits.ts";
import { definition } from "./definition-shape.ts";
import { anything, count, dictionary, finite, flag, lenient, list, Misshapen, oneOf, optional, record, type Shape, text } from "./shape.ts";

/** Characters that are kept of an error's texts: a person reads them, and every one of them is looked at for secrets. */
const LONGEST_MESSAGE = 64 * 1024;
const LONGEST_NAME = 200;
const LONGEST_STACK = 32 * 1024;

const cut =
  (length: number): Shape<string> =>
  (value) =>
    text(value).slice(0, length);

const thrown = record({
  name: cut(LONGEST_NAME),
  message: cut(LONGEST_MESSAGE),
  stack: lenient(cut(LONGEST_STACK)),
  userVisible: lenient(flag),
});

const selfTest = record({ node: text, layers: list(record({ name: text, holds: flag, detail: optional(text) })) });

const consoleEntry = record({
  time: finite,
  level: oneOf("debug", "info", "warn", "error"),
  // The pack process cuts at the same length and says so.
  message: cut(LONGEST_MESSAGE + 100),
});

/** A body stands beside the JSON; here is only which kind it is. */
const attached = (attachment: string | undefined): Shape<{ readonly text: string } | { readonly base64: string }> => {
  const kindOf = record({ attached: oneOf("text", "base64") });
  return (value) => {
    const kind = kindOf(value).attached;
    const body = attachment ?? "";
    return kind === "text" ? { text: body } : { base64: body };
  };
};

const fetchRequest = (attachment: string | undefined) =>
  record({
    method: text,
    url: text,
    headers: optional(dictionary(text, REQUEST_LIMITS.headers)),
    body: optional(attached(attachment)),
    form: optional(dictionary(text, REQUEST_LIMITS.formFields)),
    isBinaryResponse: optional(flag),
    ignoreRedirects: optional(flag),
    disableAuthentication: optional(flag),
    cacheTtlSecs: optional(finite),
    forceCache: optional(flag),
    encoding: optional(text),
  });

const blobUrl = record({
  kind: oneOf("url"),
  url: text,
  name: optional(text),
  contentType: optional(text),
  headers: optional(dictionary(text)),
  disableAuthentication: optional(flag),
  cacheTtlSecs: optional(finite),
});
const blobData = record({ kind: oneOf("data"), contentType: text, name: optional(text) });
const blobRequest =
  (attachment: string | undefined) =>
  (value: unknown): ReturnType<typeof blobUrl> | (ReturnType<typeof blobData> & { readonly base64: string }) =>
    (value as { kind?: unknown } | null)?.kind === "url" ? blobUrl(value) : { ...blobData(value), base64: attachment ?? "" };

type Readers = { readonly [T in FromPackProcess["type"]]: (attachment: string | undefined) => Shape<unknown> };

const as = (type: FromPackProcess["type"], fields: Readonly<Record<string, Shape<unknown>>>): Shape<unknown> =>
  record({ type: oneOf(type), ...fields });

const READERS: Readers = {
  ready: () => as("ready", { selfTest }),
  prepared: () => as("prepared", {}),
  loaded: () => as("loaded", { definition: definition as Shape<PackDefinition> }),
  loadFailed: () => as("loadFailed", { error: thrown }),
  fetch: (attachment) =>
    as("fetch", { executionId: count, fetchId: count, request: fetchRequest(attachment), stack: lenient(cut(LONGEST_STACK)) }),
  storeBlob: (attachment) => as("storeBlob", { executionId: count, fetchId: count, request: blobRequest(attachment) }),
  console: () => as("console", { executionId: optional(count), entry: consoleEntry }),
  noticed: () =>
    as("noticed", {
      executionId: count,
      notice: record({
        what: oneOf("logger", "syncStateService", "previousCompletion", "continuation", "responseHeader"),
        name: lenient(cut(LONGEST_NAME)),
        stack: lenient(cut(LONGEST_STACK)),
      }),
    }),
  part: () => as("part", { id: count, items: list(anything) }),
  succeeded: () =>
    as("succeeded", {
      id: count,
      value: anything,
      parts: optional(oneOf("value", "result")),
      unawaited: lenient(list(cut(LONGEST_STACK))),
      dates: lenient(list(cut(LONGEST_NAME))),
    }),
  failed: () => as("failed", { id: count, error: thrown }),
  pong: () => as("pong", { id: count }),
};

/** The message, or undefined where it is none. Never throws. */
export function readMessage(json: string, attachment?: string): FromPackProcess | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const type =
      value !== null && typeof value === "object" && Object.hasOwn(value, "type") ? (value as { type: unknown }).type : undefined;
    if (typeof type !== "string" || !Object.hasOwn(READERS, type)) return undefined;
    return READERS[type as FromPackProcess["type"]](attachment)(value) as FromPackProcess;
  } catch (error) {
    // A value that nests too deeply for the reader is a RangeError: no message either.
    if (error instanceof Misshapen || error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}
