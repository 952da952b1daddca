// Records the last run and the last drill of each formula and table, so that a person learns which were never tried. One small file for
// each pack. Invariant: names, texts of Pack Auth and times only; no value of a parameter, a result or an account.

import { join } from "node:path";
import { isRecord } from "../../base/is-record.ts";
import { isTooDeepForFile } from "../../base/json-depth.ts";
import { finite, flag, lenient, list, oneOf, record, text } from "../../base/shape.ts";
import { type DrillReport, isBad } from "../../protocol/drill.ts";
import type { RunReport } from "../../protocol/run.ts";
import { packKey } from "../accounts/accounts.ts";
import { readRegularFile } from "../files/regular-file.ts";
import type { PlatformHost } from "../host.ts";
import { changeFile } from "./change-file.ts";

export interface Runnable {
  readonly kind: "formula" | "syncTable";
  readonly name: string;
}

const run = record({
  at: finite,
  status: oneOf("succeeded", "failed"),
  isSandbox: flag,
  /** The messages of the run's platform differences. URLs in them are reduced to their hosts. */
  platformDifferences: list(text),
});
const drill = record({
  at: finite,
  /** The days that ended badly for the pack's user. */
  badDays: list(record({ title: text, verdict: text })),
});
const runRecord = record({ run: lenient(run), drill: lenient(drill) });
export type RecordedRun = ReturnType<typeof run>;
export type RunRecord = ReturnType<typeof runRecord>;

/** By the key of {@link runnableKey}. */
type RunRecords = Readonly<Record<string, RunRecord>>;

const runnableKey = ({ kind, name }: Runnable): string => `${kind}:${name}`;

/** Formulas and tables of one pack. The ones that ran last are kept. */
const MOST_RUNNABLES = 300;
/** Messages of one run, and the characters of one message. */
const MOST_DIFFERENCES = 20;
const LONGEST_MESSAGE = 500;
const LARGEST_FILE = 8 * 1024 * 1024;

type RecordHost = Pick<PlatformHost, "storageFolder">;

const fileOf = ({ storageFolder }: RecordHost, entry: string): string => join(storageFolder, "runs", `${packKey(entry)}.json`);

/** Returns what is recorded of the formula or table; undefined if it never ran and was never drilled. */
export function runRecordsOf(host: RecordHost, entry: string): (runnable: Runnable) => RunRecord | undefined {
  const records = recordsIn(fileOf(host, entry));
  return (runnable) => {
    const key = runnableKey(runnable);
    return Object.hasOwn(records, key) ? records[key] : undefined;
  };
}

/** Records a run that has ended. A run in the sandbox does not replace one that reached the real API. Throws storage-failed. */
export async function recordRunOf(host: RecordHost, entry: string, report: RunReport): Promise<void> {
  const { target, outcome, startedAt: at } = report;
  if ((target.kind !== "formula" && target.kind !== "syncTable") || outcome.status === "cancelled") return;
  const ended: RecordedRun = {
    at,
    status: outcome.status,
    isSandbox: report.requests.some(({ sandbox }) => sandbox === true),
    platformDifferences: report.platformDifferences.slice(0, MOST_DIFFERENCES).map(({ message }) => withoutUrls(message)),
  };
  await change(host, entry, target, (before) => (ended.isSandbox && before.run?.isSandbox === false ? before : { ...before, run: ended }));
}

/** Records the verdicts of a drill. Throws storage-failed. */
export const recordDrillOf = (host: RecordHost, entry: string, runnable: Runnable, { scenarios }: DrillReport): Promise<void> =>
  change(host, entry, runnable, (before) => ({
    ...before,
    drill: {
      at: Date.now(),
      badDays: scenarios.filter(isBad).flatMap(({ title, verdict }) => (verdict === undefined ? [] : [{ title, verdict }])),
    },
  }));

function change(host: RecordHost, entry: string, runnable: Runnable, make: (before: RunRecord) => RunRecord): Promise<void> {
  const file = fileOf(host, entry);
  return changeFile<RunRecords>(
    file,
    () => recordsIn(file),
    (before) => {
      const key = runnableKey(runnable);
      const { [key]: own = {}, ...otherRecords } = before;
      return Object.fromEntries([...Object.entries(otherRecords).slice(1 - MOST_RUNNABLES), [key, make(own)]]);
    },
  );
}

/** A URL may contain values, such as an ID in its path. Its host tells enough. */
const withoutUrls = (message: string): string =>
  message.replaceAll(/\bhttps?:\/\/(?:[^\s/?#]*@)?([^\s/?#]+)\S*/gi, "$1").slice(0, LONGEST_MESSAGE);

/** Returns the valid records of a file, or none if the file cannot be read. */
function recordsIn(file: string): RunRecords {
  const content = readRegularFile(file, LARGEST_FILE);
  if (content === undefined || isTooDeepForFile(content)) return {};
  try {
    const records: unknown = JSON.parse(content);
    return Object.fromEntries(
      Object.entries(isRecord(records) ? records : {}).flatMap(([key, value]) => {
        const valid = isRecord(value) ? runRecord(value) : {};
        return Object.keys(valid).length === 0 ? [] : [[key, valid]];
      }),
    );
  } catch {
    return {};
  }
}
