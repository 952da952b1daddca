// The help text of `pack-auth run`, and which of its options contradict each other.
import type { InputOf } from "../../operations/operations.ts";
import { operationHelp } from "../frame/operation-verb.ts";
import { ENTRY_OPTIONS } from "../frame/pack-entry.ts";
import { UsageError } from "../terminal/usage-error.ts";

export const RUN = operationHelp("run", {
  usage: "run <pack> <formula, table or MCP server> [parameters…] [options]",
  options: {
    json: { help: "print the whole report, masked: result, requests, console, After upload" },
    "allow-loopback": { help: "let a pack that declares localhost send requests to this machine" },
    ...ENTRY_OPTIONS,
    "workspace-esbuild": {
      help: "build with the workspace's own esbuild; its code then runs beside your accounts, but never beside credentials\nof the environment",
    },
  },
  more: `<pack> is the file that builds the pack, or its folder. Write the parameters as words, in their order. A list is a,b,c or JSON, and an empty
word skips an optional parameter. A required parameter that is missing gets the pack's suggested value, and the output says so. Table:update
needs all required parameters, and so does an action with a real account.

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
  mcp:Server:tool            calls one of them with --params; required if the tool may change data of a real account

Credentials can come from the environment. The pack's authentication type decides the names: PACK_AUTH_TOKEN, PACK_AUTH_USERNAME and
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
});

/** Throws UsageError. */
export function checkRunInput({ sandbox, account, confirmed, expectFailure, saveTest }: InputOf<"run">): void {
  if (sandbox && account !== undefined) throw new UsageError("Remove --account: --sandbox creates an account for this run.");
  if (confirmed && saveTest === undefined)
    throw new UsageError("--yes needs --save-test: it saves a recording of a real account without showing it first.");
  if (expectFailure && saveTest === undefined) throw new UsageError("--expect-failure needs --save-test: it saves a run that fails.");
}
