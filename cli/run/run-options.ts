// Reads and checks the options of `pack-auth run`.

import { defined } from "../../base/defined.ts";
import type { TargetRequest } from "../../operations/run/target-request.ts";
import { TIME_LIMIT } from "../../platform/process/process-limits.ts";
import { CALL_DEFAULTS, type RunInput } from "../../platform/runs/run-input.ts";
import { DEFAULT_ROWS, MOST_ROWS } from "../../protocol/row-limits.ts";
import type { InvocationSource } from "../../protocol/run.ts";
import { inputValue } from "../operation-inputs.ts";
import { readOptions, type VerbHelp } from "../options.ts";
import { ENTRY_OPTIONS } from "../pack-entry.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../usage-error.ts";

export interface RunCall extends TargetRequest, Omit<RunInput, "target" | "parameters"> {
  readonly pack: string;
  readonly account?: string;
  readonly sandbox: boolean;
  readonly asJson: boolean;
  /** Path of a file or a folder. */
  readonly saveTest?: string;
  /** With `saveTest`: saves the run only if it fails. */
  readonly expectsFailure?: boolean;
  /** With `saveTest`: saves a recording of a real account without showing it first. */
  readonly isAgreed?: boolean;
  /** Seconds. */
  readonly timeLimit?: number;
  readonly node?: string;
  readonly workspaceEsbuild: boolean;
  readonly allowLoopback: boolean;
}

export const RUN = {
  usage: "run <pack> <formula, table or MCP server> [parameters…] [options]",
  about: `Runs a formula, a sync table, an MCP tool or another function of a pack as the platform would, and prints its result. <pack> is the file that builds the
pack, or its folder. Write the parameters as words, in their order. A list is a,b,c or JSON, and an empty word skips an optional parameter.
A required parameter that is missing gets the pack's suggested value, and the output says so. Table:update needs all required parameters, and
so does an action with a real account.

Targets:
  Name                       a formula or a sync table
  Name:autocomplete:param    suggestions for a parameter; add the typed text, and --params with the other parameters by name
  Table:listDynamicUrls      the URLs that a dynamic table can have; also getName, getDisplayUrl, getSchema, searchDynamicUrls
  Table:validateParameters   checks these parameters with the table's own function
  Table:update               writes the rows of --updates back, as an edit in a document does; this changes data
  Table:options:property     the choices of a property; add the typed text, and --row with the rest of the row
  Table:incremental          reads the table, and then what is new since, with the completion of the first run
  Auth:getConnectionName     the name of the account
  mcp:Server                 lists the tools of an MCP server
  mcp:Server:tool            calls one of them with --params; required if the tool may change data of a real account`,
  options: {
    params: { argument: "JSON", help: "all parameters: an array, or an object by their names" },
    account: {
      argument: "LABEL",
      help: "the account to use: a connected one (its label or ID), or one of the environment\nor of packauth.accounts.json (see below)",
    },
    sandbox: { help: "run with a new sandbox account: you need no real account, and nothing is sent to a real API" },
    json: { help: "print the whole report, masked: result, requests, console, After upload" },
    "save-test": { argument: "FILE", help: "save the run as a test: a folder, or a file that ends in .packauth.json; see pack-auth test" },
    "expect-failure": { help: "with --save-test: save a run that fails, as a test that expects this failure" },
    yes: { help: "with --save-test and a real account: save the recording without showing it first" },
    "dynamic-url": { argument: "URL", help: "the URL of a dynamic table" },
    updates: { argument: "JSON", help: 'edited rows: {"previousValue": the row, "newValue": its changes}, or an array of them' },
    row: { argument: "JSON", help: "a row of the table, for Table:options:property" },
    completion: { argument: "JSON", help: "the completion of an earlier run (sync.completion in its report), to read what is new since" },
    rows: { argument: "N", help: `maximum rows of a table (default: ${DEFAULT_ROWS}, at most ${MOST_ROWS})` },
    "time-limit": { argument: "SECONDS", help: `maximum seconds of one execution (default: ${TIME_LIMIT / 1_000})` },
    timezone: { argument: "NAME", help: "the document's time zone, such as Europe/Lisbon (default: this machine's)" },
    as: { argument: "doc|go", help: "run as in a document, or as the assistant does (default: doc)" },
    "allow-loopback": { help: "let a pack that declares localhost send requests to this machine" },
    ...ENTRY_OPTIONS,
    "workspace-esbuild": {
      help: "build with the workspace's own esbuild; its code then runs beside your accounts, but never beside credentials\nof the environment",
    },
  },
  more: `Credentials can come from the environment. The pack's authentication type decides the names: PACK_AUTH_TOKEN, PACK_AUTH_USERNAME and
_PASSWORD, PACK_AUTH_ACCESS_TOKEN, or one variable for each header or param. PACK_AUTH_ENDPOINT is the account's endpoint, if it has one.
PACK_AUTH_DOMAINS names the domains that may get them, with spaces or commas between them. Nothing is sent to other domains.
A header or param that is named like a variable of Pack Auth gets _VALUE at its end: PACK_AUTH_PASSPHRASE_VALUE.
With --account alice the names are PACK_AUTH_ALICE_TOKEN and so on. For system authentication they begin with PACK_AUTH_SYSTEM_.
Without such variables the run uses the accounts of pack-auth connect. The pack never sees credentials.
Accounts of packauth.accounts.json, beside the pack, are used with --account only. The run asks before it reads what their references name.
Without a terminal PACK_AUTH_DOMAINS must name every host that gets a value. PACK_AUTH_OP is the absolute path of 1Password's op.

JSON can be in a file: --updates @rows.json. This works with --params, --row and --completion too.

Exit code: 0 the run succeeded, 1 it failed, or a row was not updated, 2 the command is wrong, 130 it was stopped.

Examples:
  pack-auth run . GetTask 7
  pack-auth run . GetTask 7 --sandbox
  pack-auth run . GetTask 7 --sandbox --save-test tests
  pack-auth run . GetTask 404 --sandbox --save-test tests --expect-failure
  pack-auth run packs/math GCD 12,18
  pack-auth run . Tasks --rows 50 --json > report.json
  pack-auth run . mcp:Acme:search_issues --params '{"query": "login"}'
  pack-auth run . Tasks:update --updates '{"previousValue": {"Id": 7, "Name": "Milk"}, "newValue": {"Name": "Oat milk"}}'
  PACK_AUTH_TOKEN=… PACK_AUTH_DOMAINS=weather.example pack-auth run . Temperature Lisbon
`,
} as const satisfies VerbHelp;

/** Returns undefined if help was requested, which is then printed. Throws UsageError. */
export function readRunCall(args: readonly string[], terminal: Terminal): RunCall | undefined {
  const options = readOptions(RUN, args, terminal);
  if (options === undefined) return undefined;
  const { values } = options;
  // Without a formula the later error message lists the pack's formulas.
  const [pack, target = "", ...words] = options.positionals;
  if (pack === undefined) throw new UsageError("run needs a pack and a formula or table. See pack-auth run --help.");
  // After any other function of a formula or table the words are the typed text.
  if (values.params !== undefined && words.length > 0 && /^[^:]*(:(update|validateParameters|incremental))?$/.test(target))
    throw new UsageError("Write the parameters as words or with --params, not both.");
  if (values.sandbox === true && values.account !== undefined)
    throw new UsageError("Remove --account: --sandbox creates an account for this run.");
  if (values.yes === true && values["save-test"] === undefined)
    throw new UsageError("--yes needs --save-test: it saves a recording of a real account without showing it first.");
  if (values["expect-failure"] === true && values["save-test"] === undefined)
    throw new UsageError("--expect-failure needs --save-test: it saves a run that fails.");
  const rows = numberOf("--rows", values.rows);
  if (rows !== undefined && rows > MOST_ROWS)
    throw new UsageError(`--rows may be ${MOST_ROWS} at most: a table on the platform has no more.`);
  return {
    pack,
    target,
    words,
    asJson: values.json === true,
    expectsFailure: values["expect-failure"] === true,
    isAgreed: values.yes === true,
    sandbox: values.sandbox === true,
    allowLoopback: values["allow-loopback"] === true,
    workspaceEsbuild: values["workspace-esbuild"] === true,
    ...CALL_DEFAULTS,
    ...defined({
      parameters: parametersOf(jsonOf(terminal, "--params", values.params)),
      updates: jsonOf(terminal, "--updates", values.updates),
      row: jsonOf(terminal, "--row", values.row),
      completion: jsonOf(terminal, "--completion", values.completion),
      account: values.account,
      dynamicUrl: values["dynamic-url"],
      saveTest: values["save-test"],
      rowLimit: rows,
      timeLimit: numberOf("--time-limit", values["time-limit"]),
      timezone: timezoneOf(values.timezone),
      source: sourceOf(values.as),
      node: values.node,
    }),
  };
}

const jsonOf = (terminal: Terminal, option: string, text: string | undefined): unknown =>
  text === undefined ? undefined : inputValue(terminal, "json", option, text);

function parametersOf(value: unknown): object | undefined {
  if (value === undefined || (value !== null && typeof value === "object")) return value;
  throw new UsageError("Write --params as a JSON array, or as an object by the parameters' names.");
}

function numberOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new UsageError(`${option} must be a whole number, 1 or more, not ${text}.`);
  return Number(text);
}

function sourceOf(name: string | undefined): InvocationSource | undefined {
  if (name === undefined || name === "doc") return undefined;
  if (name === "go") return "Go";
  throw new UsageError(`--as must be doc or go, not ${name}.`);
}

function timezoneOf(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  try {
    const resolvedName = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
    // The pack gets the name from the call: Node resolves Asia/Kolkata to its former name.
    return resolvedName.toLowerCase() === name.toLowerCase() ? resolvedName : name;
  } catch {
    throw new UsageError(`There is no time zone ${name}. Use a name such as Europe/Lisbon.`);
  }
}
