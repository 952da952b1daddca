// Formats the rows of the view of production logs. Pure, so that it can be tested without an editor.

import { filterParts } from "../../platform/production/log-filter.ts";
import { entryText, typeIcon, typeText } from "../../platform/production/log-text.ts";
import { type ConnectionLogs, errorOf, isFailure, type LogFilter } from "../../platform/production/logs.ts";
import { sandboxSwitchOf } from "../../platform/production/sandbox-switch-of.ts";
import type { LogEntry, LogSource } from "../../platform/public-api/public-api.ts";

/** Characters of a row's label; the tooltip has the whole text. */
const LONGEST_LABEL = 200;

/** Lines of a stack in the tooltip. */
const MOST_FRAMES = 8;

/** Returns the row's texts. `inTime` formats a time for the person. */
export function entryRow(entry: LogEntry, inTime: (at: string) => string) {
  const text = entryText(entry) || typeText(entry.type);
  const time = inTime(entry.createdAt);
  const { formulaName, packVersion, requestType } = entry;
  return {
    label: text.length > LONGEST_LABEL ? `${text.slice(0, LONGEST_LABEL)}…` : text,
    description: [time, formulaName].filter(Boolean).join(" · "),
    tooltip: [
      text,
      ...(entry.type === "unknown" ? ["Pack Auth does not know this type of entry, and shows it as it is"] : []),
      `${isFailure(entry) ? "Failed: " : ""}${typeText(entry.type)}, ${time}`,
      ...(formulaName === "" ? [] : [`${entry.isSyncTable === true ? "Sync table" : "Formula"}: ${formulaName}`]),
      ...(packVersion === "" ? [] : [`Version: ${packVersion}`]),
      ...(requestType === "" || requestType === "unknown" ? [] : [`Request: ${requestType}`]),
      ...stackLines(entry),
    ],
    spoken: [isFailure(entry) ? "Failed" : undefined, typeText(entry.type), text, time, formulaName].filter(Boolean).join(", "),
    icon: typeIcon(entry),
    context: [
      "log",
      isFailure(entry) ? "failure" : "",
      formulaName === "" ? "" : "formula",
      sandboxSwitchOf(entry) === undefined ? "" : "switch",
    ]
      .filter(Boolean)
      .join("."),
  };
}

const stackLines = (entry: LogEntry): readonly string[] => (errorOf(entry)?.stack ?? "").split("\n").slice(0, MOST_FRAMES).filter(Boolean);

export function connectionRow({ name, entries }: ConnectionLogs) {
  const failures = entries.filter(isFailure).length;
  const description = `${counted(entries.length, "entry", "entries")}${failures === 0 ? "" : ` · ${counted(failures, "failure", "failures")}`}`;
  return { label: name, description, spoken: `${name}, ${description}`, icon: failures === 0 ? "plug" : "warning" };
}

/** Returns the text beside a pack. */
export const packDescription = (source: LogSource, filter: LogFilter): string =>
  [source.kind === "doc" ? `doc ${source.docId}` : `agent ${source.tenantId}/${source.agentInstanceId}`, ...filterParts(filter)].join(
    " · ",
  );

const counted = (count: number, one: string, several: string): string => `${count} ${count === 1 ? one : several}`;
