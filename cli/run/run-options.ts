// The call of `pack-auth run`, read and checked.

import { readFileSync } from "node:fs";
import { defined } from "../../protocol/defined.ts";
import { INVOCATION_ERRORS, type InvocationError, type InvocationSource } from "../../protocol/run.ts";
import { readOptions, type VerbHelp } from "../options.ts";
import { ENTRY_OPTIONS } from "../pack-entry.ts";
import { UsageError } from "../usage-error.ts";

export interface RunCall {
  readonly pack: string;
  /** A formula or table, perhaps with a function of it behind colons. */
  readonly target: string;
  readonly parameters: readonly string[];
  /** All parameters as one JSON text: a list, or an object by their names. */
  readonly json?: string;
  readonly account?: string;
  readonly allAccounts?: boolean;
  readonly sandbox: boolean;
  readonly asJson: boolean;
  /** A file, or a folder. */
  readonly saveTest?: string;
  /** With `saveTest`: a recording of a real account is saved unseen. */
  readonly isAgreed?: boolean;
  /** Besides, a file that mocha runs without Pack Auth. */
  readonly withMocha?: boolean;
  readonly dynamicUrl?: string;
  /** Edited rows, as JSON. */
  readonly updates?: string;
  /** A row, as JSON. */
  readonly row?: string;
  /** What an earlier run of the table ended with, as JSON. */
  readonly completion?: string;
  readonly rows?: number;
  /** Seconds. */
  readonly timeLimit?: number;
  readonly timezone?: string;
  readonly source?: InvocationSource;
  readonly previousAttemptError?: InvocationError;
  readonly node?: string;
  readonly workspaceEsbuild: boolean;
  readonly allowLoopback: boolean;
}

const RUN = {
  usage: "run <pack> <formula, table or MCP server> [parameters…] [options]",
  about: `Runs a formula, a sync table, an MCP tool or another function of a pack as the platform would, and prints its result. <pack> is the file that builds the
pack, or its folder. Parameters are plain words in their order; a list is a,b,c or JSON, an empty word leaves an optional one out.
A required parameter that is left out gets the pack's suggested value, and this is said. An action with a real account, and Table:update, need it.

Targets:
  Name                       a formula or a sync table
  Name:autocomplete:param    suggestions for a parameter; then what was typed, and --params with the other parameters by name
  Table:listDynamicUrls      what a dynamic table can be made for; also getName, getDisplayUrl, getSchema, searchDynamicUrls
  Table:validateParameters   what the table says of these parameters
  Table:update               writes the rows of --updates back, as an edit in a document does: it changes data there
  Table:options:property     the choices of a property; then what was typed, and --row for the rest of the row
  Table:incremental          reads the table, and then what is new since: with the completion that it ended with
  Auth:getConnectionName     the name of the account
  mcp:Server                 lists the tools of an MCP server
  mcp:Server:tool            calls one of them, with --params; one that may change something with a real account only with them`,
  options: {
    params: { argument: "JSON", help: "all parameters at once: a list, or an object by their names" },
    account: { argument: "LABEL", help: "which account: of the environment, see below, or one that was connected" },
    "all-accounts": { help: "with each account that was connected: a row for each, and in what its result differs from the first" },
    sandbox: { help: "with an account of the sandbox, made for this run: no real one is needed, and nothing is sent to a real API" },
    json: { help: "the whole report, masked: result, requests, console, After upload" },
    "save-test": {
      argument: "FILE",
      help: "keep the run as a test, in a file that ends in .packauth.json or in a folder; see pack-auth test",
    },
    yes: { help: "with --save-test and a real account: save the recording without showing it first" },
    "with-mocha": { help: "with --save-test: also write a file that mocha runs with the Packs SDK alone" },
    "dynamic-url": { argument: "URL", help: "what a dynamic table is made for" },
    updates: { argument: "JSON", help: 'edited rows: {"previousValue": the row, "newValue": what changes in it}, or a list of such' },
    row: { argument: "JSON", help: "a row of the table, for Table:options:property" },
    completion: {
      argument: "JSON",
      help: "what an earlier run ended with (sync.completion in its report): the table gives what is new since then",
    },
    rows: { argument: "N", help: "rows of a table (default: 1000, at most 10000)" },
    "time-limit": { argument: "SECONDS", help: "of one execution (default: 60)" },
    timezone: { argument: "NAME", help: "such as Europe/Lisbon (default: this machine's)" },
    as: { argument: "doc|go", help: "as a document calls it, or as the assistant does (default: doc)" },
    "after-error": {
      argument: "TYPE",
      help: `a table as the assistant syncs it once more after an error: ${INVOCATION_ERRORS.join(", ")};\nwrite a status after a colon: HttpStatusError:503`,
    },
    "allow-loopback": { help: "a pack that declares localhost may reach this machine" },
    ...ENTRY_OPTIONS,
    "workspace-esbuild": {
      help: "build with the workspace's own esbuild: its code then runs beside your accounts, and never beside credentials\nof the environment",
    },
  },
  more: `Credentials come from the environment, by the pack's type of authentication: PACK_AUTH_TOKEN, PACK_AUTH_USERNAME and _PASSWORD,
PACK_AUTH_ACCESS_TOKEN, or one variable for each name of a header or param; PACK_AUTH_ENDPOINT where the account has an endpoint.
PACK_AUTH_DOMAINS names the domains that they may go to, with spaces or commas between them; nothing is sent to others.
Without them the accounts of pack-auth connect are looked at. With --account alice they are PACK_AUTH_ALICE_TOKEN and so on; for system authentication PACK_AUTH_SYSTEM_TOKEN. The pack never sees them.

JSON can come from a file: --updates @rows.json; so with --params, --row and --completion.

Exit code: 0 the run succeeded, 1 it failed, or a row was not updated, 2 the call is wrong, 130 it was stopped.

Examples:
  pack-auth run . GetTask https://todo.example/t/7
  pack-auth run . GetTask 7 --sandbox
  pack-auth run . GetTask 7 --sandbox --save-test tests
  pack-auth run packs/math GCD 12,18
  pack-auth run . Tasks --rows 50 --json > report.json
  pack-auth run . mcp:Acme:search_issues --params '{"query": "login"}'
  pack-auth run . Tasks:update --updates '{"previousValue": {"Id": 7, "Name": "Milk"}, "newValue": {"Name": "Oat milk"}}'
  PACK_AUTH_TOKEN=… PACK_AUTH_DOMAINS=weather.example pack-auth run . Temperature Lisbon
`,
} as const satisfies VerbHelp;

const MOST_ROWS = 10_000;

/** Undefined where help was asked for and printed. Throws UsageError. */
export function readRunCall(args: readonly string[]): RunCall | undefined {
  const options = readOptions(RUN, args);
  if (options === undefined) return undefined;
  const { values } = options;
  // Without a formula the pack says which it has.
  const [pack, target = "", ...parameters] = options.positionals;
  if (pack === undefined) throw new UsageError("run needs a pack and a formula or table. See pack-auth run --help.");
  // Behind any other function of a formula or table stands what was typed.
  if (values.params !== undefined && parameters.length > 0 && /^[^:]*(:(update|validateParameters|incremental))?$/.test(target))
    throw new UsageError("Give the parameters as words or with --params, not both.");
  if (values["all-accounts"] === true) {
    const other = (["sandbox", "account", "save-test"] as const).find((name) => values[name] !== undefined);
    if (other !== undefined) throw new UsageError(`Leave out --${other}: --all-accounts runs with each account that was connected.`);
    if (/^(mcp|Auth):/.test(target)) throw new UsageError("--all-accounts is for formulas and tables.");
  }
  if (values.sandbox === true && values.account !== undefined)
    throw new UsageError("Leave out --account: --sandbox makes an account of its own for this run.");
  if (values.yes === true && values["save-test"] === undefined)
    throw new UsageError("--yes needs --save-test: it saves a recording of a real account without showing it first.");
  if (values["with-mocha"] === true && values["save-test"] === undefined)
    throw new UsageError("--with-mocha needs --save-test: the mocha file reads the saved test.");
  const rows = numberOf("--rows", values.rows);
  if (rows !== undefined && rows > MOST_ROWS)
    throw new UsageError(`--rows takes at most ${MOST_ROWS}: a table on the platform has no more.`);
  return {
    pack,
    target,
    parameters,
    asJson: values.json === true,
    withMocha: values["with-mocha"] === true,
    isAgreed: values.yes === true,
    sandbox: values.sandbox === true,
    allAccounts: values["all-accounts"] === true,
    allowLoopback: values["allow-loopback"] === true,
    workspaceEsbuild: values["workspace-esbuild"] === true,
    ...defined({
      json: textOf("--params", values.params),
      updates: textOf("--updates", values.updates),
      row: textOf("--row", values.row),
      completion: textOf("--completion", values.completion),
      account: values.account,
      dynamicUrl: values["dynamic-url"],
      saveTest: values["save-test"],
      rows,
      timeLimit: numberOf("--time-limit", values["time-limit"]),
      timezone: timezoneOf(values.timezone),
      source: sourceOf(values.as) ?? (values["after-error"] === undefined ? undefined : "Go"),
      previousAttemptError: errorOf(values["after-error"]),
      node: values.node,
    }),
  };
}

/** What stands in an option, or in the file that it names with an @: no JSON begins with one. */
function textOf(option: string, text: string | undefined): string | undefined {
  if (!text?.startsWith("@")) return text;
  try {
    return readFileSync(text.slice(1), "utf8");
  } catch (error) {
    throw new UsageError(
      `${option} names ${text.slice(1)}, which cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

function numberOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new UsageError(`${option} must be a whole number, 1 or more, not ${text}.`);
  return Number(text);
}

function sourceOf(name: string | undefined): InvocationSource | undefined {
  if (name === undefined || name === "doc") return undefined;
  if (name === "go") return "Go";
  throw new UsageError(`--as takes doc or go, not ${name}.`);
}

/** `HttpStatusError:503`, or another type alone. */
function errorOf(text: string | undefined): InvocationError | undefined {
  if (text === undefined) return undefined;
  const [name, status] = text.split(":");
  const type = INVOCATION_ERRORS.find((known) => known === name);
  const hasStatus = type === "HttpStatusError";
  if (type === undefined || hasStatus !== (status !== undefined) || (hasStatus && !/^[45]\d\d$/.test(status ?? "")))
    throw new UsageError(`--after-error takes ${INVOCATION_ERRORS.join(", ")}, and a status after HttpStatusError:, not ${text}.`);
  return hasStatus ? { type, statusCode: Number(status) } : { type };
}

function timezoneOf(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  try {
    const known = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
    // The pack gets the name that was given: Asia/Kolkata is known by its former one here.
    return known.toLowerCase() === name.toLowerCase() ? known : name;
  } catch {
    throw new UsageError(`There is no time zone ${name}. Give a name such as Europe/Lisbon.`);
  }
}
