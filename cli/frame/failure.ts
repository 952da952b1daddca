// Formats an error for a terminal: what happened, what to do, and its origin in the configuration or in the pack's code.
import { relative } from "node:path";
import { PackAuthError, reportOf } from "../../platform/errors.ts";
import type { ErrorReport, SourceLocation } from "../../protocol/run.ts";
import { messageOf } from "../terminal/next-steps.ts";
import { formatMessage, joined, type Printed, printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

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
    const { configurationPlace } = await import("../sources/analysis.ts");
    return configurationPlace(entry, configPath);
  } catch {
    // The error itself matters more than its place in the source.
    return undefined;
  }
}

/** Returns message and hint on one line, followed by {@link whereLines}. */
export async function failureText(terminal: Terminal, error: unknown, entry: string | undefined): Promise<Printed> {
  const report = reportOf(error);
  const message = printable(messageOf(report));
  return joined([message, ...(await whereLines(terminal, report, entry))].map((line) => formatMessage`${line}\n`));
}

/** Prints the error and returns the exit code. Throws everything but a PackAuthError again, because that is a bug of Pack Auth. */
export async function fail(terminal: Terminal, error: unknown, entry?: string): Promise<number> {
  if (!(error instanceof PackAuthError)) throw error;
  terminal.errorOutput.write(formatMessage`pack-auth: ${await failureText(terminal, error, entry)}`);
  return 1;
}
