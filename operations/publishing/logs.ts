// Reads what a published pack logged.
import { z } from "zod";
import { defined } from "../../base/defined.ts";
import { openEvidence } from "../../platform/evidence/evidence.ts";
import { locationIn } from "../../platform/preflight/preflight-input.ts";
import { explainLog, type LogExplanation } from "../../platform/production/explain-log.ts";
import { readSince, SINCE_FORMS, showsAllSignIns } from "../../platform/production/log-filter.ts";
import { readAgent, readDoc } from "../../platform/production/log-source.ts";
import { isFailure, type LogFilter, type LogType, newestFirst, openLogs } from "../../platform/production/logs.ts";
import { type EntryPlace, placeOfEntry, type SourceLocator, stackLocator } from "../../platform/production/place-of-entry.ts";
import { recordProductionSignIns } from "../../platform/production/sign-in-evidence.ts";
import type { LogEntry, LogSource } from "../../platform/public-api/public-api.ts";
import { type PublishedPack, publishedPack } from "../../platform/public-api/published-pack.ts";
import { InputError } from "../input-error.ts";
import { input, packInput } from "../inputs.ts";
import { operation } from "../operation.ts";
import type { World } from "../world.ts";

/** An entry with what this source tells of it. */
export type ReadLogEntry = LogEntry & {
  readonly failed: boolean;
  readonly place: EntryPlace;
  readonly explanation?: LogExplanation;
};

/** Type as inputs name it → as the API names it. */
const TYPES = {
  auth: "auth",
  request: "fetcher",
  mcp: "mcp",
  invocation: "invocation",
  custom: "custom",
  other: "unknown",
} as const satisfies Readonly<Record<string, LogType>>;

const DEFAULT_LIMIT = 100;
const MOST = 10_000;

const logsInput = z.strictObject({
  pack: packInput,
  doc: input(z.string().optional(), "The address of a doc that uses the pack, or the doc's ID.", { argument: "ADDRESS" }),
  agent: input(z.string().optional(), "The agent whose logs to read, instead of a doc.", { argument: "TENANT/INSTANCE" }),
  type: input(z.enum(Object.keys(TYPES) as (keyof typeof TYPES)[]).optional(), "Only entries of this type."),
  failures: input(z.boolean().default(false), "Only entries that say that something failed."),
  formula: input(z.string().optional(), "Only entries of this formula or sync table.", { argument: "NAME" }),
  connection: input(z.string().optional(), "Only entries of this connection, by its name or ID.", { argument: "NAME" }),
  text: input(z.string().optional(), "Only entries that the platform finds for this text."),
  since: input(z.string().optional(), `Only entries since then: ${SINCE_FORMS}.`, { argument: "TIME" }),
  limit: input(z.int().min(1).max(MOST).default(DEFAULT_LIMIT), `The most entries (default: ${DEFAULT_LIMIT}, at most ${MOST}).`),
  explain: input(z.boolean().default(false), "Say why each failure happened, as for runs here; this loads the pack, and so runs its code."),
});

/** Returns undefined if the person entered no API token. */
export const logs = operation({
  about: `Reads what the published pack logged in a doc: sign-ins, requests, invocations, MCP calls and its own messages, the newest first. It only
reads.`,
  input: logsInput,
  missing: {},
  async run({ pack: path, limit, explain, ...request }, world) {
    const filter = filterOf(request);
    const entry = world.entryOf(path);
    const published = publishedPack(entry);
    const source = sourceOf(request, published);
    const api = await world.openApi(published, "Logs of the published pack");
    if (api === undefined) return undefined;
    const reader = openLogs(api, source, filter);
    const entries = newestFirst(await reader.more(limit, world.signal)).slice(0, limit);
    const definition = explain ? (await world.openPack(entry)).definition : undefined;
    const { platform, uploadsFolder } = await world.openStore();
    if (definition !== undefined && showsAllSignIns(source, filter))
      await recordProductionSignIns(entries, { entry, definition, evidence: openEvidence(platform), now: platform.now() });
    const locator: SourceLocator = {
      locateStack: stackLocator(uploadsFolder, published, { entry, ...defined({ folder: world.boundary }) }),
      locateFormula: formulaLocator(entry, world),
    };
    const rows: ReadLogEntry[] = [];
    for (const log of entries) {
      const explanation = definition && explainLog(log, definition);
      rows.push({ ...log, failed: isFailure(log), place: await placeOfEntry(log, locator), ...defined({ explanation }) });
    }
    return {
      source,
      entries: rows,
      hasMore: reader.hasMore || reader.problem !== undefined,
      // The limit is reached before what comes behind it is of interest.
      problem: rows.length === limit ? undefined : reader.problem,
    };
  },
});

type Request = Omit<z.output<typeof logsInput>, "pack" | "limit" | "explain">;

function filterOf({ type: typeName, failures, formula, connection, text, since: sinceText }: Request): LogFilter {
  const since = sinceText === undefined ? undefined : readSince(sinceText, Date.now());
  if (sinceText !== undefined && since === undefined)
    throw new InputError("since", `A time is such as ${SINCE_FORMS}, and not ${sinceText}.`);
  const type = typeName && TYPES[typeName];
  return defined({ type, failuresOnly: failures || undefined, formula, connection, text, since });
}

function sourceOf({ doc, agent }: Pick<Request, "doc" | "agent">, published: PublishedPack): LogSource {
  if (agent !== undefined) {
    const source = doc === undefined ? readAgent(agent) : undefined;
    if (source !== undefined) return source;
    throw new InputError(
      "agent",
      doc === undefined ? `An agent is TENANT/INSTANCE, and not ${agent}.` : "Name a doc or an agent, and not both.",
    );
  }
  const choice = readDoc(doc ?? "", published);
  if ("problem" in choice) throw new InputError("doc", choice.problem);
  return choice;
}

/** The outline is read once, and only if an entry needs it. */
function formulaLocator(entry: string, world: World): SourceLocator["locateFormula"] {
  const sources = world.sourcesOf(entry);
  let outline: ReturnType<typeof sources.outline> | undefined;
  return async (name) => {
    // An entry without a place is better than none.
    outline ??= sources.outline(entry, world.signal).catch(() => undefined);
    const { formulas = [], syncTables = [] } = (await outline) ?? {};
    const part = [...formulas, ...syncTables].find((each) => each.name === name);
    return part && locationIn(sources, part);
  };
}
