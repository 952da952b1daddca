// Formats an error for a terminal: what happened, what to do, and its origin in the configuration or in the pack's code.
import { relative } from "node:path";
import { PackAuthError, reportOf, wholeMessage } from "../../platform/errors.ts";
import type { ErrorReport, SourceLocation } from "../../protocol/run.ts";
import { formatMessage, joined, type Printed, printable } from "./printable.ts";
import type { Terminal } from "./terminal.ts";

const MOST_FRAMES = 8;

/**
 * Returns lines without line ends: the configuration field with its place, the pack's own stack, and how to read more. `entry`: the pack's
 * entry file.
 */
export async function whereLines(
  terminal: Terminal,
  { configPath, stack = [], diagnosis }: Pick<ErrorReport, "configPath" | "stack" | "diagnosis">,
  entry: string | undefined,
): Promise<Printed[]> {
  const frames = stack
    .slice(0, MOST_FRAMES)
    .map(
      ({ text, function: name, location }) => `    at ${location === undefined ? text : `${name ?? ""}${at(terminal, location)}`.trim()}`,
    );
  const field = configPath === undefined ? [] : [`    at ${configPath}${at(terminal, await placeOf(entry, configPath))}`];
  const more = diagnosis === undefined ? [] : [`    see pack-auth explain ${diagnosis}`];
  return [...field, ...frames, ...more].map((line) => printable(line));
}

/** Returns ` (src/pack.ts:4:7)`, relative to the working folder; an empty string if there is no location. */
export const at = ({ folder }: Terminal, location: SourceLocation | undefined): string =>
  location === undefined ? "" : ` (${relative(folder, location.path)}:${location.line + 1}:${location.character + 1})`;

async function placeOf(entry: string | undefined, configPath: string): Promise<SourceLocation | undefined> {
  if (entry === undefined) return undefined;
  try {
    const { configurationPlace } = await import("../analysis.ts");
    return configurationPlace(entry, configPath);
  } catch {
    // The error itself matters more than its place in the source.
    return undefined;
  }
}

/** Phrases of messages that name something in the editor, with the command line's verb or option for it. The longest come first. */
const HERE = [
  ["connect again to start a new one", "start a new one with pack-auth sandbox <pack>, and set PACK_AUTH_SANDBOX as it says"],
  ["Sign in again with the sandbox", "Sign in again with pack-auth connect <pack> --sandbox"],
  ["set packAuth.allowLoopback in the editor, or --allow-loopback on the command line", "use --allow-loopback"],
  [
    "Choose Remove API token of the platform, then Add API token of the platform",
    "Use pack-auth api-token remove, then pack-auth api-token add,",
  ],
  ["Add OAuth credentials", "pack-auth credentials <pack>"],
  ["Write its arguments as JSON, even if it has none", "Write its arguments with --params, even if it has none: --params '{}'"],
  ["as words or as JSON, not both", "as words or with --params, not both"],
  ["Raise rows", "Raise --rows"],
  ["The host is not https://", "--host is not https://"],
  ["in the setting packAuth.redirect.port", "with --redirect"],
  ["the settings packAuth.redirect", "--redirect"],
  ["in the setting packAuth.nodePath", "with --node"],
] as const;

export const hintHere = (message: string): string => HERE.reduce((text, [there, here]) => text.replaceAll(there, here), message);

/** Returns message and hint on one line, followed by {@link whereLines}. */
export async function failureText(terminal: Terminal, error: unknown, entry: string | undefined): Promise<Printed> {
  const report = reportOf(error);
  const message = printable(hintHere(wholeMessage(report)));
  return joined([message, ...(await whereLines(terminal, report, entry))].map((line) => formatMessage`${line}\n`));
}

/** Prints the error and returns the exit code. Throws everything but a PackAuthError again, because that is a bug of Pack Auth. */
export async function fail(terminal: Terminal, error: unknown, entry?: string): Promise<number> {
  if (!(error instanceof PackAuthError)) throw error;
  terminal.errorOutput.write(formatMessage`pack-auth: ${await failureText(terminal, error, entry)}`);
  return 1;
}
