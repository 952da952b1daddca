// An error on a terminal: what happened, what to do, and where it comes from: a field of the configuration, lines of the pack.
import { relative } from "node:path";
import { PackAuthError, reportOf, wholeMessage } from "../../platform/errors.ts";
import type { ErrorReport, SourceLocation } from "../../protocol/run.ts";
import { errorOutput } from "./output.ts";
import { formatMessage, joined, type Printed, printable } from "./printable.ts";

const MOST_FRAMES = 8;

/** Lines without their ends: the field with its file and line, and the pack's own stack. `entry`: the pack that it is about. */
export async function whereLines(
  { configPath, stack = [] }: Pick<ErrorReport, "configPath" | "stack">,
  entry: string | undefined,
): Promise<Printed[]> {
  const frames = stack
    .slice(0, MOST_FRAMES)
    .map(({ text, function: name, location }) => `    at ${location === undefined ? text : `${name ?? ""}${at(location)}`.trim()}`);
  const field = configPath === undefined ? [] : [`    at ${configPath}${at(await placeOf(entry, configPath))}`];
  return [...field, ...frames].map((line) => printable(line));
}

/** ` (src/pack.ts:4:7)`, relative to the working directory; nothing where it is not known. */
export const at = (location: SourceLocation | undefined): string =>
  location === undefined ? "" : ` (${relative(process.cwd(), location.path)}:${location.line + 1}:${location.character + 1})`;

async function placeOf(entry: string | undefined, configPath: string): Promise<SourceLocation | undefined> {
  if (entry === undefined) return undefined;
  try {
    const { configurationPlace } = await import("../analysis.ts");
    return configurationPlace(entry, configPath);
  } catch {
    // What failed is worth more than where it stands.
    return undefined;
  }
}

/** What messages name of the editor, and what does the same here: a verb, or an option. The longest first. */
const HERE = [
  ["connect again to start a new one", "start a new one with pack-auth sandbox <pack>, and set PACK_AUTH_SANDBOX as it says"],
  ["Sign in again with the sandbox", "Sign in again with pack-auth connect <pack> --sandbox"],
  ["set packAuth.allowLoopback in the editor, or --allow-loopback on the command line", "use --allow-loopback"],
  ["Add OAuth credentials", "pack-auth credentials <pack>"],
  ["in the setting packAuth.redirect.port", "with --redirect"],
  ["the settings packAuth.redirect", "--redirect"],
  ["in the setting packAuth.nodePath", "with --node"],
] as const;

export const hintHere = (message: string): string => HERE.reduce((text, [there, here]) => text.replaceAll(there, here), message);

/** Message and hint in one line, and the lines of {@link whereLines}. */
export async function failureText(error: unknown, entry: string | undefined): Promise<Printed> {
  const report = reportOf(error);
  const message = printable(hintHere(wholeMessage(report)));
  return joined([message, ...(await whereLines(report, entry))].map((line) => formatMessage`${line}\n`));
}

/** Says what happened, and gives the exit code; anything but a PackAuthError is a fault of our own and goes on. */
export async function fail(error: unknown, entry?: string): Promise<number> {
  if (!(error instanceof PackAuthError)) throw error;
  errorOutput.write(formatMessage`pack-auth: ${await failureText(error, entry)}`);
  return 1;
}
