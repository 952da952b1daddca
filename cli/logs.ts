// `pack-auth logs`: prints what the published pack logged. It only reads.
import { defined } from "../base/defined.ts";
import { getOrInsert } from "../base/get-or-insert.ts";
import { openEvidence } from "../platform/evidence/evidence.ts";
import { explainLog, type LogExplanation } from "../platform/production/explain-log.ts";
import { readSince, SINCE_FORMS, showsAllSignIns } from "../platform/production/log-filter.ts";
import { readAgent, readDoc } from "../platform/production/log-source.ts";
import { entryText, typeText } from "../platform/production/log-text.ts";
import { groupByConnection, isFailure, type LogFilter, type LogType, newestFirst, openLogs } from "../platform/production/logs.ts";
import { type EntryPlace, placeOfEntry, type SourceLocator, stackLocator } from "../platform/production/place-of-entry.ts";
import { recordProductionSignIns } from "../platform/production/sign-in-evidence.ts";
import { environmentToken, openApiOf } from "../platform/public-api/api-token.ts";
import type { LogEntry, LogSource } from "../platform/public-api/public-api.ts";
import { type PublishedPack, publishedPack } from "../platform/public-api/published-pack.ts";
import { choiceOf, type readOptions, type VerbHelp } from "./options.ts";
import { ENTRY_OPTIONS, entryArgument } from "./pack-entry.ts";
import { hasColours, painter } from "./terminal/colour.ts";
import { at } from "./terminal/failure.ts";
import { STOPPED } from "./terminal/interrupt.ts";
import { formatMessage, joined, type Printed, printable } from "./terminal/printable.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { UsageError } from "./usage-error.ts";
import { verb } from "./verb.ts";

const FORMATS = ["pretty", "json"] as const;

/** Type as the command line names it → as the API names it. */
const TYPES: Readonly<Record<string, LogType>> = {
  auth: "auth",
  request: "fetcher",
  mcp: "mcp",
  invocation: "invocation",
  custom: "custom",
  other: "unknown",
};

const DEFAULT_LIMIT = 100;
const MOST = 10_000;

export const LOGS = {
  usage: "logs <pack> --doc ADDRESS [options]",
  about: `Prints what the published pack logged in a doc: sign-ins, requests, invocations, MCP calls and its own messages, the newest first. It only
reads. <pack> is the file that builds the pack, or its folder.`,
  options: {
    doc: { argument: "ADDRESS", help: "the address of a doc that uses the pack, or the doc's ID" },
    agent: { argument: "TENANT/INSTANCE", help: "the agent whose logs to read, instead of a doc" },
    type: { argument: Object.keys(TYPES).join("|"), help: "only entries of this type" },
    failures: { help: "only entries that say that something failed" },
    formula: { argument: "NAME", help: "only entries of this formula or sync table" },
    connection: { argument: "NAME", help: "only entries of this connection, by its name or ID" },
    text: { argument: "TEXT", help: "only entries that the platform finds for this text" },
    since: { argument: "TIME", help: `only entries since then: ${SINCE_FORMS}` },
    limit: { argument: "N", help: `the most entries to print (default: ${DEFAULT_LIMIT}, at most ${MOST})` },
    explain: { help: "say why each failure happened, as for runs here; this loads the pack, and so runs its code" },
    ...ENTRY_OPTIONS,
    format: { argument: FORMATS.join("|"), help: "pretty (default): by connection, with places in the source; or json" },
  },
  more: `The API token of the platform is read from PACK_AUTH_API_TOKEN, else from the secret store. It goes to the pack's host only.

Exit code: 0 it worked, 1 the logs could not be read, 130 it was stopped, 2 the command is wrong.

Examples:
  pack-auth logs . --doc https://coda.io/d/Name_dAbCDeFGH12 --failures
  pack-auth logs . --doc AbCDeFGH12 --type auth --since 7d --format json
`,
} as const satisfies VerbHelp;

/** Runs the verb. Returns the exit code. */
export const logs = verb(LOGS, async ({ terminal, signal, positionals, values, openPack, openHost }) => {
  const format = choiceOf("--format", FORMATS, values.format);
  const filter = filterOf(values);
  const limit = limitOf(values.limit);
  const entry = entryArgument(terminal, "logs", positionals);
  const published = publishedPack(entry);
  const source = sourceOf(values, published);
  const host = await openHost();
  const api = await openApiOf(host, published, { title: "pack-auth logs", environmentToken: environmentToken(terminal.environment) });
  if (api === undefined) return STOPPED;
  const reader = openLogs(api, source, filter);
  const entries = newestFirst(await reader.more(limit, signal)).slice(0, limit);
  const definition = values.explain === true ? (await openPack(entry, values)).definition : undefined;
  if (definition !== undefined && showsAllSignIns(source, filter))
    await recordProductionSignIns(entries, { entry, definition, evidence: openEvidence(host), now: host.now() });
  const placeOf = placeReader(entry, stackLocator(host.storageFolder, published, { entry }));
  const reading = { placeOf, explain: (log: LogEntry) => definition && explainLog(log, definition) };
  if (format === "json") await writeJson(terminal, entries, reading, source, reader.hasMore || reader.problem !== undefined);
  else await writePretty(terminal, entries, reading);
  // The limit is reached before what comes behind it is of interest.
  const { problem } = reader;
  if (problem === undefined || entries.length === limit) return 0;
  throw problem;
});

type Values = NonNullable<ReturnType<typeof readOptions<typeof LOGS.options>>>["values"];

function filterOf({ type: typeName, failures, formula, connection, text, since: sinceText }: Values): LogFilter {
  const type = typeName === undefined ? undefined : TYPES[choiceOf("--type", Object.keys(TYPES) as [string, ...string[]], typeName)];
  const since = sinceText === undefined ? undefined : readSince(sinceText, Date.now());
  if (sinceText !== undefined && since === undefined)
    throw new UsageError(`--since must be a time such as ${SINCE_FORMS}, not ${sinceText}.`);
  return defined({ type, failuresOnly: failures, formula, connection, text, since });
}

function limitOf(text = String(DEFAULT_LIMIT)): number {
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MOST) throw new UsageError(`--limit must be a number from 1 to ${MOST}, not ${text}.`);
  return limit;
}

function sourceOf({ doc, agent }: Values, { packId, origin }: PublishedPack): LogSource {
  if (doc !== undefined && agent !== undefined) throw new UsageError("Use --doc or --agent, not both.");
  if (agent !== undefined) {
    const source = readAgent(agent);
    if (source === undefined) throw new UsageError(`--agent must be TENANT/INSTANCE, not ${agent}.`);
    return source;
  }
  const choice = readDoc(doc ?? "", origin);
  if ("problem" in choice)
    throw new UsageError(
      doc === undefined ? "logs needs --doc with the address of a doc that uses the pack, or --agent." : `--doc: ${choice.problem}`,
    );
  return { kind: "doc", packId, docId: choice.docId };
}

/** Entries of one formula lead to one place, and reading the sources takes long. */
function placeReader(entry: string, locateStack: SourceLocator["locateStack"]): PlaceReader {
  const formulas = new Map<string, ReturnType<SourceLocator["locateFormula"]>>();
  const formulaPlace = async (name: string) => (await import("./analysis.ts")).runnablePlace(entry, name);
  return (log) => placeOfEntry(log, { locateStack, locateFormula: (name) => getOrInsert(formulas, name, () => formulaPlace(name)) });
}

type PlaceReader = (log: LogEntry) => Promise<EntryPlace>;

/** What is printed of an entry beside its own words. */
interface Reading {
  readonly placeOf: PlaceReader;
  readonly explain: (log: LogEntry) => LogExplanation | undefined;
}

async function writeJson(
  { output }: Terminal,
  entries: readonly LogEntry[],
  { placeOf, explain }: Reading,
  source: LogSource,
  hasMore: boolean,
): Promise<void> {
  const rows = [];
  for (const log of entries)
    rows.push({ ...log, failed: isFailure(log), place: await placeOf(log), ...defined({ explanation: explain(log) }) });
  output.writeJson(`${JSON.stringify({ version: 1, source, entries: rows, hasMore }, null, 2)}\n`);
}

async function writePretty(terminal: Terminal, entries: readonly LogEntry[], { placeOf, explain }: Reading): Promise<void> {
  if (entries.length === 0) {
    terminal.errorOutput.write(
      formatMessage`pack-auth: No entry. The platform logs what the pack does in this doc, and a filter may leave all out.\n`,
    );
    return;
  }
  const paint = painter(hasColours(terminal.output, terminal.environment));
  for (const { name, entries: ofConnection } of groupByConnection(entries)) {
    terminal.output.write(formatMessage`${paint("bold", oneLine(name))}\n`);
    for (const log of ofConnection) {
      const failed = isFailure(log);
      const head = [log.createdAt, typeText(log.type), log.formulaName].filter(Boolean).map(oneLine).join("  ");
      terminal.output.write(formatMessage`  ${paint("dim", head)}  ${paint(failed ? "red" : "reset", entryText(log))}\n`);
      if (failed) terminal.output.write(joined([...explanationLines(explain(log)), ...placeLines(terminal, await placeOf(log))]));
    }
  }
}

const explanationLines = (explanation: LogExplanation | undefined): readonly Printed[] =>
  explanation === undefined
    ? []
    : [
        formatMessage`      ${printable(oneLine(explanation.text))}\n`,
        ...(explanation.diagnosis === undefined ? [] : [formatMessage`      see pack-auth explain ${printable(explanation.diagnosis)}\n`]),
      ];

const placeLines = (terminal: Terminal, { location, remark }: EntryPlace): readonly Printed[] => [
  ...(location === undefined ? [] : [formatMessage`      at${printable(at(terminal, location))}\n`]),
  ...(remark === undefined ? [] : [formatMessage`      ${printable(remark)}\n`]),
];

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
