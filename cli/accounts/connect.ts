// `pack-auth connect`: signs in on a terminal. It asks for secrets, and never accepts them as arguments.
import type { OutputOf } from "../../operations/operations.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import type { Connected } from "../../platform/connect/connect.ts";
import { connectedText } from "../../platform/connect/connected-text.ts";
import { PackAuthError } from "../../platform/errors.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import { failureText, whereLines } from "../frame/failure.ts";
import { JSON_OPTION, operationVerb, writeJson } from "../frame/operation-verb.ts";
import { ENTRY_OPTIONS } from "../frame/pack-entry.ts";
import { REDIRECT_OPTION } from "../frame/redirect.ts";
import { formatMessage, joined, printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { accountJson } from "./accounts.ts";

const help = {
  usage: "connect <pack> [options]",
  options: {
    ...REDIRECT_OPTION,
    "no-browser": { help: "print the sign-in address instead of opening the browser" },
    "allow-loopback": { help: "let a pack that declares localhost send requests to this machine" },
    ...ENTRY_OPTIONS,
    ...JSON_OPTION,
  },
  more: `Environment:
  PACK_AUTH_SECRET_STORE   keyring (default), or file (encrypted with a passphrase)
  PACK_AUTH_PASSPHRASE     the passphrase; without it a command asks for it on the terminal
  PACK_AUTH_HOME           folder of the accounts and their encrypted secrets
  PACK_AUTH_SANDBOX        the sandbox of --sandbox; see pack-auth sandbox --help

Exit code: 0 saved, 1 it failed, or the API refused the credential, 2 the command is wrong, 130 it was cancelled.

Examples:
  pack-auth connect .
  pack-auth connect packs/crm --system
`,
} as const;

export const NOTHING_STORED = "Nothing was stored.";

export const connectVerb = operationVerb("connect", help, {
  stopped: NOTHING_STORED,
  showsStopped: true,
  show: (connected, { terminal, values }) => showConnected(connected, terminal, values.json === true),
});

/** Returns the exit code. */
export async function showConnected(connected: NonNullable<OutputOf<"connect">>, terminal: Terminal, asJson: boolean): Promise<number> {
  const { signInNotes, isRefused, unchecked, entry, definition } = connected;
  for (const { message, error, echo, ...where } of signInNotes)
    if (echo === undefined)
      terminal.errorOutput.write(
        error === undefined
          ? joined([printable(message), ...(await whereLines(terminal, where, entry))].map((line) => formatMessage`${line}\n`))
          : formatMessage`${printable(message)}: ${await failureText(terminal, error, entry)}`,
      );
  if (asJson) writeJson(terminal, { ...accountJson(connected), isRefused, unchecked });
  else {
    terminal.output.write(formatMessage`${printable(connectedText(connected, packName(entry)))}\n`);
    if (isRefused) terminal.output.write(formatMessage`${printable(refusedText(connected))}\n`);
    else if (unchecked !== undefined) terminal.output.write(formatMessage`${printable(checkText(definition))} See pack-auth run --help.\n`);
  }
  return isRefused ? 1 : 0;
}

/** Suggests the next step after a refusal. If a note blames a field of the configuration, the credential may be right. */
const refusedText = ({ signInNotes }: Connected): string =>
  signInNotes.some(({ error }) => error instanceof PackAuthError && error.configPath?.includes("."))
    ? "After a change of the configuration check the account with pack-auth run <pack> Auth:getConnectionName. To sign in again see --again in pack-auth connect --help."
    : "Sign in again with a valid credential: see --again in pack-auth connect --help.";

/** A connector may have only its MCP server. */
const checkText = ({ formulas, syncTables, mcpServers: [server] = [] }: PackDefinition): string =>
  formulas.length + syncTables.length === 0 && server !== undefined
    ? `List the server's tools to check it: mcp:${server.name}.`
    : "Run one of the pack's formulas to check it.";
