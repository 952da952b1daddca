// The one place where messages of the pack process become values of the host. Pack code can change what its process sends, for example by
// adding toJSON to its objects. So each message is read into its known shape, and everything else in it is dropped.
// Invariant: whatever arrives, the rest of the platform sees a well-formed message or none.

import { isRecord } from "../../base/is-record.ts";
import {
  anything,
  count,
  dictionary,
  either,
  finite,
  flag,
  lenient,
  list,
  Misshapen,
  oneOf,
  optional,
  record,
  type Shape,
  text,
} from "../../base/shape.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { FromPackProcess } from "../../protocol/pack-process.ts";
import { REQUEST_LIMITS } from "../../protocol/request-limits.ts";
import { definition } from "./definition-shape.ts";

/** Limits on the characters of an error's strings. A person reads them, and every character is searched for secrets. */
const LONGEST_MESSAGE = 64 * 1024;
const LONGEST_NAME = 200;
const LONGEST_STACK = 32 * 1024;

const cut =
  (length: number): Shape<string> =>
  (value) =>
    text(value).slice(0, length);

const as = <const T extends FromPackProcess["type"], F extends Readonly<Record<string, Shape<unknown>>>>(type: T, fields: F) =>
  record({ type: oneOf(type), ...fields });

const thrown = record({
  name: cut(LONGEST_NAME),
  message: cut(LONGEST_MESSAGE),
  stack: lenient(cut(LONGEST_STACK)),
  userVisible: lenient(flag),
  isOwn: lenient(flag),
});

const selfTest = record({ node: text, layers: list(record({ name: text, isEnforced: flag, detail: optional(text) })) });

const consoleEntry = record({
  time: finite,
  level: oneOf("debug", "info", "warn", "error"),
  // The pack process cuts the message at the same length and appends a remark.
  message: cut(LONGEST_MESSAGE + 100),
});

const validationMessage = record({
  message: cut(LONGEST_MESSAGE),
  path: optional(cut(LONGEST_NAME * 10)),
  at: list(either(cut(LONGEST_NAME), record({ index: count, name: optional(cut(LONGEST_NAME)) }))),
});
const validatedMessage = as("validated", { id: count, isUsable: flag, errors: list(validationMessage), warnings: list(validationMessage) });

/** The kind of a body. The body itself follows the JSON as an attachment. */
const attached = record({ attached: oneOf("text", "base64") });
const fetchMessage = as("fetch", {
  executionId: count,
  fetchId: count,
  request: record({
    method: text,
    url: text,
    headers: optional(dictionary(text, REQUEST_LIMITS.headers)),
    body: optional(attached),
    form: optional(dictionary(text, REQUEST_LIMITS.formFields)),
    isBinaryResponse: optional(flag),
    ignoreRedirects: optional(flag),
    disableAuthentication: optional(flag),
    cacheTtlSecs: optional(finite),
    forceCache: optional(flag),
    encoding: optional(text),
  }),
  stack: lenient(cut(LONGEST_STACK)),
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
const blobMessage = as("storeBlob", {
  executionId: count,
  fetchId: count,
  request: (value: unknown) => ((value as { kind?: unknown } | null)?.kind === "url" ? blobUrl(value) : blobData(value)),
});

type Message<T extends FromPackProcess["type"]> = Extract<FromPackProcess, { readonly type: T }>;
type Readers = { readonly [T in FromPackProcess["type"]]: (value: unknown, attachment: string | undefined) => Message<T> };

const READERS: Readers = {
  ready: as("ready", { selfTest }),
  prepared: as("prepared", {}),
  loaded: as("loaded", { definition: definition as Shape<PackDefinition> }),
  loadFailed: as("loadFailed", { error: thrown }),
  fetch(value, attachment = "") {
    const { request, ...message } = fetchMessage(value);
    const { body, ...rest } = request;
    if (body === undefined) return { ...message, request: rest };
    return { ...message, request: { ...rest, body: body.attached === "text" ? { text: attachment } : { base64: attachment } } };
  },
  storeBlob(value, attachment = "") {
    const { request, ...message } = blobMessage(value);
    return { ...message, request: request.kind === "url" ? request : { ...request, base64: attachment } };
  },
  console: as("console", { executionId: optional(count), entry: consoleEntry }),
  noticed: as("noticed", {
    executionId: count,
    platformDifference: record({
      what: oneOf("logger", "syncStateService", "previousCompletion", "continuation", "responseHeader"),
      name: lenient(cut(LONGEST_NAME)),
      stack: lenient(cut(LONGEST_STACK)),
    }),
  }),
  echoRead: as("echoRead", { executionId: count, request: count, field: cut(LONGEST_NAME) }),
  part: as("part", { id: count, items: list(anything) }),
  succeeded: as("succeeded", {
    id: count,
    value: anything,
    parts: optional(oneOf("value", "result")),
    unawaited: lenient(list(cut(LONGEST_STACK))),
    dates: lenient(list(cut(LONGEST_NAME))),
    promises: lenient(list(cut(LONGEST_NAME))),
    collections: lenient(list(cut(LONGEST_NAME))),
  }),
  failed: as("failed", { id: count, error: thrown }),
  validated: (value, attachment = "") => ({ ...validatedMessage(value), metadata: attachment }),
  pong: as("pong", { id: count }),
};

/** Returns the message, or undefined if it is malformed. Never throws. */
export function readMessage(json: string, attachment?: string): FromPackProcess | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  return readParsed(value, attachment);
}

/** Returns the message from JSON that is already parsed, or undefined if it is malformed. */
export function readParsed(value: unknown, attachment?: string): FromPackProcess | undefined {
  try {
    const type = isRecord(value) && Object.hasOwn(value, "type") ? value.type : undefined;
    if (typeof type !== "string" || !Object.hasOwn(READERS, type)) return undefined;
    return READERS[type as FromPackProcess["type"]](value, attachment);
  } catch (error) {
    // A value that nests too deeply for the reader causes a RangeError, and is malformed too.
    if (error instanceof Misshapen || error instanceof RangeError) return undefined;
    throw error;
  }
}
