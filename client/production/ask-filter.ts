// Asks which entries of the production logs to show: one condition at a time.
import { defined } from "../../base/defined.ts";
import { filterParts, readSince, SINCE_FORMS } from "../../platform/production/log-filter.ts";
import { LOG_TYPES, typeText } from "../../platform/production/log-text.ts";
import type { LogFilter } from "../../platform/production/logs.ts";
import type { LogEntry } from "../../platform/public-api/public-api.ts";
import { type Choice, pick, prompter } from "../shown/questions.ts";

type Condition = keyof LogFilter;

/** The changed conditions. A condition without a value is removed; undefined means that the person cancelled. */
type Change = { readonly [Name in Condition]?: LogFilter[Name] | undefined } | undefined;

const TITLE = "Filter the logs";

const ALL = "";

const CONDITIONS: Readonly<
  Record<Condition, { readonly label: string; readonly ask: (filter: LogFilter, entries: readonly LogEntry[]) => Promise<Change> }>
> = {
  failuresOnly: {
    label: "Failures only, or all",
    ask: async ({ failuresOnly }) => ({ failuresOnly: failuresOnly === true ? undefined : true }),
  },
  type: {
    label: "Type",
    async ask({ type }) {
      const value = await pick({
        title: TITLE,
        placeholder: "Which type?",
        items: [
          { label: "All types", value: ALL as typeof ALL | (typeof LOG_TYPES)[number] },
          ...LOG_TYPES.map((each) => ({ label: typeText(each), value: each, active: each === type })),
        ],
      });
      return value === undefined ? undefined : { type: value === ALL ? undefined : value };
    },
  },
  formula: {
    label: "Formula or table",
    async ask(_filter, entries) {
      const value = await pickText(
        "Which formula or table?",
        "All formulas and tables",
        namesIn(entries, ({ formulaName }) => formulaName),
      );
      return value === undefined ? undefined : { formula: value || undefined };
    },
  },
  connection: {
    label: "Connection",
    async ask(_filter, entries) {
      const names = namesIn(entries, ({ connectionName, connectionId }) => connectionName || connectionId);
      const value = await pickText("Which connection?", "All connections", names);
      return value === undefined ? undefined : { connection: value || undefined };
    },
  },
  text: {
    label: "Text",
    async ask({ text = "" }) {
      const value = await prompter.input({
        title: TITLE,
        prompt: "A text that the platform searches for. Leave it empty for all.",
        value: text,
      });
      return value === undefined ? undefined : { text: value.trim() || undefined };
    },
  },
  since: {
    label: "Time",
    async ask({ since }) {
      const value = await prompter.input({
        title: TITLE,
        prompt: "The oldest time to show. Leave it empty for all.",
        placeholder: SINCE_FORMS,
        value: since === undefined ? "" : new Date(since).toISOString(),
        validate: (input) =>
          input.trim() === "" || readSince(input, Date.now()) !== undefined ? undefined : `Enter a time such as ${SINCE_FORMS}.`,
      });
      return value === undefined ? undefined : { since: readSince(value, Date.now()) };
    },
  },
};

/** Returns undefined if the person cancelled. */
export async function askFilter(filter: LogFilter, entries: readonly LogEntry[]): Promise<LogFilter | undefined> {
  const names = Object.keys(CONDITIONS) as Condition[];
  const items: Choice<Condition | "clear">[] = names.map((name) => {
    const description = filterParts(defined({ [name]: filter[name] })).join("");
    return { label: CONDITIONS[name].label, value: name, ...(description === "" ? {} : { description }) };
  });
  if (filterParts(filter).length > 0) items.push({ label: "Clear the filter", icon: "clear-all", value: "clear" });
  const name = await pick({ title: TITLE, placeholder: "Filter by what?", items });
  if (name === undefined) return undefined;
  if (name === "clear") return {};
  const change = await CONDITIONS[name].ask(filter, entries);
  return change && (defined({ ...filter, ...change }) as LogFilter);
}

const namesIn = (entries: readonly LogEntry[], nameOf: (entry: LogEntry) => string): readonly string[] =>
  [...new Set(entries.map(nameOf).filter(Boolean))].sort();

const pickText = (placeholder: string, all: string, names: readonly string[]): Promise<string | undefined> =>
  pick({ title: TITLE, placeholder, items: [{ label: all, value: ALL }, ...names.map((name) => ({ label: name, value: name }))] });
