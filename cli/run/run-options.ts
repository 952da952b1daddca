// The call of `pack-auth run`, read and checked.

import { readFileSync } from "node:fs";
import { defined } from "../../protocol/defined.ts";
import { type OptionSpecs, readOptions } from "../options.ts";
import { ENTRY_SPECS } from "../pack-entry.ts";
import { UsageError } from "../usage-error.ts";

export interface RunCall {
  readonly pack: string;
  /** A formula or table, perhaps with a function of it behind colons. */
  readonly target: string;
  readonly parameters: readonly string[];
  /** All parameters as one JSON text: a list, or an object by their names. */
  readonly json?: string;
  readonly account?: string;
  readonly sandbox: boolean;
  readonly asJson: boolean;
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
  readonly node?: string;
  readonly workspaceEsbuild: boolean;
  readonly allowLoopback: boolean;
}

const USAGE = `Usage: pack-auth run <pack> <formula or table> [parameters…] [options]

Runs a formula, a sync table or another function of a pack as the platform would, and prints its result. <pack> is the file that builds the
pack, or its folder. Parameters are plain words in their order; a list is a,b,c or JSON, an empty word leaves an optional one out.
What is required and not given is what the pack suggests, and that is said; an action with a real account, and Table:update, need it given.

Targets:
  Name                       a formula or a sync table
  Name:autocomplete:param    suggestions for a parameter; what follows is what was typed, and --params holds the other parameters by name
  Table:listDynamicUrls      what a dynamic table can be made for; also getName, getDisplayUrl, getSchema, searchDynamicUrls
  Table:validateParameters   what the table says of these parameters
  Table:update               writes the rows of --updates back, as an edit in a document does: it changes data there
  Table:options:property     what may be chosen for a property; what follows is what was typed, --row holds the rest of the row
  Table:incremental          reads the table, and then what is new since: with the completion that it ended with
  Auth:getConnectionName     the name of the account

Options:
  --params JSON              all parameters at once: a list, or an object by their names
  --account LABEL            which account: of the environment, see below, or one that was connected
  --sandbox                  with an account of the sandbox, made for this run: no real one is needed, and nothing is sent to a real API
  --json                     the whole report: result, requests, console, what differs after upload; masked
  --dynamic-url URL          what a dynamic table is made for
  --updates JSON             edited rows: {"previousValue": the row, "newValue": what changes in it}, or a list of such
  --row JSON                 a row of the table, for Table:options:property
  --completion JSON          what an earlier run ended with (sync.completion in its report): the table gives what is new since then
  --rows N                   rows of a table (default: 1000, at most 10000)
  --time-limit SECONDS       of one execution (default: 60)
  --timezone NAME            such as Europe/Lisbon (default: this machine's)
  --allow-loopback           a pack that declares localhost may reach this machine
  --node PATH                the Node to run the pack with
  --workspace-esbuild        build with the workspace's own esbuild: its code then runs beside your accounts, and never beside credentials
                             of the environment
  -h, --help                 this text

Credentials come from the environment, by the pack's type of authentication: PACK_AUTH_TOKEN, PACK_AUTH_USERNAME and _PASSWORD,
PACK_AUTH_ACCESS_TOKEN, or one variable for each name of a header or param; PACK_AUTH_ENDPOINT where the account has an endpoint.
PACK_AUTH_DOMAINS names the domains that they may go to, with spaces or commas between them; nothing is sent to others.
Without them the accounts of pack-auth connect are looked at. With --account alice they are PACK_AUTH_ALICE_TOKEN and so on; for system authentication PACK_AUTH_SYSTEM_TOKEN. The pack never sees them.

JSON may stand in a file: --updates @rows.json; so with --params, --row and --completion.

Exit code: 0 the run succeeded, 1 it failed, or a row was not updated, 2 the call is wrong, 130 it was stopped.

Examples:
  pack-auth run . GetTask https://todo.example/t/7
  pack-auth run . GetTask 7 --sandbox
  pack-auth run packs/math GCD 12,18
  pack-auth run . Tasks --rows 50 --json > report.json
  pack-auth run . Tasks:update --updates '{"previousValue": {"Id": 7, "Name": "Milk"}, "newValue": {"Name": "Oat milk"}}'
  PACK_AUTH_TOKEN=… PACK_AUTH_DOMAINS=weather.example pack-auth run . Temperature Lisbon
`;

const SPECS = {
  params: { type: "string" },
  account: { type: "string" },
  sandbox: { type: "boolean" },
  json: { type: "boolean" },
  "dynamic-url": { type: "string" },
  updates: { type: "string" },
  row: { type: "string" },
  completion: { type: "string" },
  rows: { type: "string" },
  "time-limit": { type: "string" },
  timezone: { type: "string" },
  "allow-loopback": { type: "boolean" },
  ...ENTRY_SPECS,
} as const satisfies OptionSpecs;

const MOST_ROWS = 10_000;

/** Undefined where help was asked for and printed. Throws UsageError. */
export function readRunCall(args: readonly string[]): RunCall | undefined {
  const options = readOptions("run", USAGE, args, SPECS);
  if (options === undefined) return undefined;
  const { values } = options;
  // Without a formula the pack says which it has.
  const [pack, target = "", ...parameters] = options.positionals;
  if (pack === undefined) throw new UsageError("run needs a pack and a formula or table. See pack-auth run --help.");
  // Behind any other function of a formula or table stands what was typed.
  if (values.params !== undefined && parameters.length > 0 && /^[^:]*(:(update|validateParameters|incremental))?$/.test(target))
    throw new UsageError("Give the parameters as words or with --params, not both.");
  if (values.sandbox === true && values.account !== undefined)
    throw new UsageError("Leave out --account: --sandbox makes an account of its own for this run.");
  const rows = numberOf("--rows", values.rows);
  if (rows !== undefined && rows > MOST_ROWS)
    throw new UsageError(`--rows takes at most ${MOST_ROWS}: a table on the platform has no more.`);
  const timeLimit = numberOf("--time-limit", values["time-limit"]);
  return {
    pack,
    target,
    parameters,
    asJson: values.json === true,
    sandbox: values.sandbox === true,
    allowLoopback: values["allow-loopback"] === true,
    workspaceEsbuild: values["workspace-esbuild"] === true,
    ...(values.params === undefined ? {} : { json: textOf("--params", values.params) }),
    ...(values.updates === undefined ? {} : { updates: textOf("--updates", values.updates) }),
    ...(values.row === undefined ? {} : { row: textOf("--row", values.row) }),
    ...(values.completion === undefined ? {} : { completion: textOf("--completion", values.completion) }),
    ...defined({ account: values.account, dynamicUrl: values["dynamic-url"], rows, timeLimit }),
    ...(values.timezone === undefined ? {} : { timezone: timezoneOf(values.timezone) }),
    ...defined({ node: values.node }),
  };
}

/** What stands in an option, or in the file that it names with an @: no JSON begins with one. */
function textOf(option: string, text: string): string {
  if (!text.startsWith("@")) return text;
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
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new UsageError(`${option} takes a whole number from 1 on, not ${text}.`);
  return Number(text);
}

function timezoneOf(name: string): string {
  try {
    const known = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
    // The pack gets the name that was given: Asia/Kolkata is known by its former one here.
    return known.toLowerCase() === name.toLowerCase() ? known : name;
  } catch {
    throw new UsageError(`There is no time zone ${name}. Give a name such as Europe/Lisbon.`);
  }
}
