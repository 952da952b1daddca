// The file format of a test that was recorded from a run: the call, each request with its response, and the outcome. Invariant: it contains
// no secret; proof.ts proves that before a file is written.

import { defined } from "../../base/defined.ts";
import { errorMessage } from "../../base/error-message.ts";
import { isRecord } from "../../base/is-record.ts";
import { DEEPEST_FILE, isTooDeepForFile } from "../../base/json-depth.ts";
import { type AuthScope, type RowUpdate, type RunTarget, TABLE_FUNCTIONS } from "../../protocol/run.ts";
import { PackAuthError } from "../errors.ts";
import { isHeaderValue } from "../requests/fetch-request.ts";
import { type CallOptions, inputOf, type RunInput } from "../runs/run-input.ts";
import { MASK } from "../secrets/redact.ts";

export const TEST_VERSION = 1;
export const TEST_ENDING = ".packauth.json";

/** A JSON body is saved as JSON, so that a person can read and change it. An empty body has none of the members. */
export type SavedBody =
  | { readonly json: unknown }
  | { readonly text: string }
  | { readonly base64: string }
  | Readonly<Record<never, never>>;

export interface SavedRequest {
  readonly method: string;
  /** The absolute URL, with credentials masked. */
  readonly url: string;
  /** The URL as the pack wrote it, if it differs from `url`. Only the first hop has it. `{{name-TOKEN}}` represents a placeholder. */
  readonly asked?: string;
  /** Headers by lower-case name, with the credential masked. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: SavedBody;
  /** The headers or parameters that carried the credential. */
  readonly credentials: readonly string[];
  /** Whether the pack requested a binary response. */
  readonly binary?: true;
  /** Whether the previous response redirected to this request. */
  readonly redirected?: true;
  readonly response: SavedResponse;
}

type SavedResponse = { readonly status: number; readonly headers: Readonly<Record<string, string>> } & SavedBody;

export type SavedOutcome =
  | { readonly status: "succeeded"; readonly value: unknown }
  | { readonly status: "failed"; readonly error: { readonly code: string; readonly message: string } };

/** Values that may differ each time. `query` (also for fields of a form) and `headers` are names. `body` and `result` are JSON pointers. */
export interface Volatile {
  readonly query?: readonly string[];
  readonly headers?: readonly string[];
  readonly body?: readonly string[];
  readonly result?: readonly string[];
}

export interface SavedTest extends Pick<RunInput, "target" | "parameters" | "timezone">, CallOptions {
  readonly version: typeof TEST_VERSION;
  /** The pack's entry, relative to the file's folder. */
  readonly pack: string;
  /** The account, with the type of its authentication. Absent if the run had none. */
  readonly account?: { readonly scope: AuthScope; readonly type: string; readonly endpoint?: string };
  /** Whether the responses came from the sandbox. */
  readonly sandbox?: true;
  readonly timezone: string;
  readonly allowLoopback?: true;
  readonly volatile: Volatile;
  readonly requests: readonly SavedRequest[];
  readonly outcome: SavedOutcome;
  /** The run's platform differences. They are for people and are not compared. */
  readonly notes: readonly string[];
}

/** Returns what the test runs. */
export const inputOfTest = ({ target, parameters, timezone, source, rowLimit }: SavedTest): RunInput =>
  inputOf(target, parameters, { timezone, ...defined({ source, rowLimit }) });

export const testText = (test: SavedTest): string => `${JSON.stringify(test, null, 2)}\n`;

/** Returns the name of the target in the pack. */
export function targetName(target: RunTarget): string {
  switch (target.kind) {
    case "autocomplete":
      return target.formula;
    case "propertyOptions":
      return target.table;
    case "authentication":
      return target.function.name;
    default:
      return target.name;
  }
}

/** Returns a file name for a test, numbered if there are several of one formula. It uses only characters that are safe on every system. */
export function testFileName({ target }: Pick<SavedTest, "target">, number = 1): string {
  const more = target.kind === "formula" || target.kind === "syncTable" ? "" : `-${target.kind}`;
  const safe = `${targetName(target)}${more}`
    .replaceAll(/[^A-Za-z0-9_]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 80);
  // Windows reserves some names for devices.
  const name = safe === "" || /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(safe) ? `test-${safe}` : safe;
  return `${name}${number === 1 ? "" : `-${number}`}${TEST_ENDING}`;
}

/** Returns the test in a file's text. Throws test-invalid with the place of the problem. */
export function readTest(text: string): SavedTest {
  let raw: unknown;
  if (isTooDeepForFile(text)) throw invalid(`it nests more than ${DEEPEST_FILE} levels deep`);
  try {
    raw = JSON.parse(text);
  } catch (error) {
    throw invalid(`it is not valid JSON: ${errorMessage(error)}`);
  }
  if (!isRecord(raw) || raw.version === undefined) throw invalid("it is not a saved test: it has no version");
  if (raw.version !== TEST_VERSION) {
    const isNewer = typeof raw.version === "number" && raw.version > TEST_VERSION;
    throw isNewer
      ? new PackAuthError(
          "test-invalid",
          `The test was written by a newer Pack Auth: its version is ${String(raw.version)}, this one reads ${TEST_VERSION}.`,
          { hint: "Update Pack Auth." },
        )
      : invalid(`its version is ${JSON.stringify(raw.version)} instead of ${TEST_VERSION}`);
  }
  TEST(raw, "");
  const { $schema: _, ...test } = raw;
  return test as unknown as SavedTest;
}

type Check = (value: unknown, at: string) => void;

const invalid = (what: string): PackAuthError =>
  new PackAuthError("test-invalid", `The file cannot be replayed: ${what}.`, {
    hint: "Correct it by hand, or record it again.",
    nextStep: { do: "recordTest" },
  });

const misfit = (value: unknown, at: string, expectation: string): PackAuthError =>
  invalid(value === undefined ? `${at} is missing` : `${at} is not ${expectation}`);
const fits =
  (expectation: string, is: (value: unknown) => boolean): Check =>
  (value, at) => {
    if (!is(value)) throw misfit(value, at, expectation);
  };
const text = fits("a string", (value) => typeof value === "string");
const flag = fits("true", (value) => value === true);
const count = fits("a whole number", Number.isInteger);
const status = fits("a status from 200 to 599", (value) => Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599);
const any: Check = () => {};
/** Accepts any value that is present. */
const required = fits("", (value) => value !== undefined);
const optional =
  (check: Check): Check =>
  (value, at) => {
    if (value !== undefined) check(value, at);
  };
const list =
  (item: Check): Check =>
  (value, at) => {
    if (!Array.isArray(value)) throw misfit(value, at, "a list");
    for (const [index, each] of value.entries()) item(each, `${at}/${index}`);
  };
const record =
  (members: Readonly<Record<string, Check>>, otherCheck?: Check): Check =>
  (value, at) => {
    if (!isRecord(value)) throw misfit(value, at, "an object");
    for (const [name, check] of Object.entries(members)) check(value[name], `${at}/${name}`);
    for (const name of Object.keys(value)) {
      if (Object.hasOwn(members, name)) continue;
      if (otherCheck === undefined) throw invalid(`${at}/${name} is not a field of a saved test`);
      otherCheck(value[name], `${at}/${name}`);
    }
  };

const BODY = { json: any, text: optional(text), base64: optional(text) };
const headers = record(
  {},
  fits("a header's value", (value) => typeof value === "string" && isHeaderValue(value.replaceAll(MASK, ""))),
);
const names = optional(list(text));
const OUTCOMES: Readonly<Record<SavedOutcome["status"], Check>> = {
  succeeded: record({ status: text, value: required }),
  failed: record({ status: text, error: record({ code: text, message: text }) }),
};

const scope = fits("user or system", (value) => value === "user" || value === "system");
const object = record({}, any);
const oneOf = (texts: readonly string[]): Check =>
  fits(`one of ${texts.join(", ")}`, (value) => typeof value === "string" && texts.includes(value));
/** Applies the check of the variant that the member names. */
const variant =
  (member: string, variants: Readonly<Record<string, Check>>): Check =>
  (value, at) => {
    if (!isRecord(value)) throw misfit(value, at, "an object");
    const name = value[member];
    oneOf(Object.keys(variants))(name, `${at}/${member}`);
    variants[name as string]?.(value, at);
  };

const ROW_UPDATE: Readonly<Record<keyof RowUpdate, Check>> = { previousValue: object, newValue: object, updatedFields: list(text) };
const dynamicUrl = optional(text);
const TARGETS: Readonly<Record<RunTarget["kind"], Check>> = {
  formula: record({ kind: text, name: text }),
  syncTable: record({ kind: text, name: text, dynamicUrl, schema: any, continuation: any, previousCompletion: any }),
  validateParameters: record({ kind: text, name: text, dynamicUrl }),
  update: record({ kind: text, name: text, dynamicUrl, schema: any, updates: list(record(ROW_UPDATE)) }),
  table: record({ kind: text, name: text, function: oneOf(TABLE_FUNCTIONS), dynamicUrl, search: optional(text) }),
  propertyOptions: record({ kind: text, table: text, property: text, search: text, values: object, dynamicUrl, schema: any }),
  authentication: record({
    kind: text,
    scope: scope,
    function: variant("name", {
      getConnectionName: record({ name: text }),
      getConnectionUserId: record({ name: text }),
      getOptions: record({ name: text, step: text, search: optional(text) }),
    }),
  }),
  autocomplete: record({
    kind: text,
    formula: text,
    ofSyncTable: optional(fits("true or false", (value) => typeof value === "boolean")),
    parameter: text,
    search: text,
    values: optional(object),
    dynamicUrl,
  }),
};

const TEST = record({
  $schema: optional(text),
  version: any,
  pack: text,
  target: variant("kind", TARGETS),
  parameters: list(any),
  account: optional(record({ scope: scope, type: text, endpoint: optional(text) })),
  sandbox: optional(flag),
  timezone: text,
  source: optional(fits("Doc or Go", (source) => source === "Doc" || source === "Go")),
  rowLimit: optional(count),
  allowLoopback: optional(flag),
  volatile: record({ query: names, headers: names, body: names, result: names }),
  requests: list(
    record({
      method: text,
      url: text,
      asked: optional(text),
      headers,
      body: optional(record(BODY)),
      credentials: list(text),
      binary: optional(flag),
      redirected: optional(flag),
      response: record({ status, headers, ...BODY }),
    }),
  ),
  outcome: variant("status", OUTCOMES),
  notes: list(text),
});

/** Joins the names of all, each once. */
export function joinVolatile(all: readonly Volatile[]): Volatile {
  const joined = (["query", "headers", "body", "result"] as const).map(
    (kind) => [kind, [...new Set(all.flatMap((each) => each[kind] ?? []))]] as const,
  );
  return Object.fromEntries(joined.filter(([, names]) => names.length > 0));
}
