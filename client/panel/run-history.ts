// The last runs of a pack's formulas, in the workspace's state. They contain no secrets, because reports arrive masked. Large reports last
// only as long as the window; the input of every run is stored.

import { randomUUID } from "node:crypto";
import { defined } from "../../base/defined.ts";
import type { StateStore } from "../../platform/host.ts";
import type { HistoryEntry, RunInput, RunnableArgument } from "../../protocol/panel.ts";
import type { RunReport } from "../../protocol/run.ts";

const MOST_RUNS = 50;
/** Characters of JSON of a stored report, and of one that stays in memory. */
const STORED = 50_000;
const REMEMBERED = 5_000_000;

interface StoredRun {
  readonly runnable: string;
  readonly entry: Omit<HistoryEntry, "hasReport">;
  readonly report?: RunReport;
}

export interface RunHistory {
  /** Returns the runs of one formula or sync table (`formula:Name`): pinned runs first, then the newest first. */
  list(runnable: string): readonly HistoryEntry[];
  /** Adds a run, and removes the oldest one that is not pinned. Pinned runs always stay. */
  add(runnable: string, input: RunInput, report: RunReport, account?: string, id?: string): Promise<void>;
  report(id: string): RunReport | undefined;
  change(id: string, change: { readonly name?: string; readonly pinned?: boolean }): Promise<void>;
  remove(id: string): Promise<void>;
  onDidChange(listener: () => void): () => void;
}

/** Returns the history's key for a formula or table. */
export const runnableKeyOf = ({ kind, name }: RunnableArgument): string => `${kind}:${name}`;

/** `pack` is the pack's key; the state is the workspace's. */
export function openRunHistory(pack: string, state: StateStore): RunHistory {
  const key = `packAuth.history.${pack}`;
  const listeners = new Set<() => void>();
  const reports = new Map<string, RunReport>();
  let runs = read(state.get(key));
  for (const { entry, report } of runs) if (isReport(report)) reports.set(entry.id, report);

  async function keep(next: readonly StoredRun[]): Promise<void> {
    runs = next;
    const ids = new Set(next.map(({ entry }) => entry.id));
    for (const id of reports.keys()) if (!ids.has(id)) reports.delete(id);
    for (const listener of listeners) listener();
    await state.set(key, next);
  }

  return {
    list: (runnable) =>
      runs
        .filter((run) => run.runnable === runnable)
        .map(({ entry }) => ({ ...entry, hasReport: reports.has(entry.id) }))
        .sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.startedAt - a.startedAt),
    async add(runnable, input, report, account, id = randomUUID()) {
      const { outcome } = report;
      const rows = "rows" in outcome ? outcome.rows : undefined;
      const length = JSON.stringify(report).length;
      if (length <= REMEMBERED) reports.set(id, report);
      const run: StoredRun = {
        runnable,
        entry: {
          id,
          pinned: false,
          startedAt: report.startedAt,
          duration: report.duration,
          status: outcome.status,
          input,
          ...defined({ rows, account }),
        },
        ...(length <= STORED ? { report } : {}),
      };
      let excess = runs.length + 1 - MOST_RUNS;
      const retainedRuns = runs.filter(({ entry }) => entry.pinned || excess-- <= 0);
      await keep([...retainedRuns, run]);
    },
    report: (id) => reports.get(id),
    change: (id, { name, pinned }) =>
      keep(
        runs.map((run) => {
          if (run.entry.id !== id) return run;
          const { name: old, ...entry } = run.entry;
          const newName = name === undefined ? old : name.trim() === "" ? undefined : name.trim();
          return { ...run, entry: { ...entry, pinned: pinned ?? entry.pinned, ...defined({ name: newName }) } };
        }),
      ),
    remove: (id) => keep(runs.filter(({ entry }) => entry.id !== id)),
    onDidChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Returns whether this version can show a stored report. The input of a run whose report another version wrote stays. */
const isReport = (report: RunReport | undefined): report is RunReport =>
  [report?.requests, report?.console, report?.platformDifferences].every(Array.isArray);

const STATUSES: Readonly<Record<HistoryEntry["status"], true>> = { succeeded: true, failed: true, cancelled: true };

/** Skips each run that another version wrote or that is damaged. */
function read(stored: unknown): readonly StoredRun[] {
  if (!Array.isArray(stored)) return [];
  return stored.filter((run): run is StoredRun => {
    const { runnable, entry } = (run ?? {}) as Partial<StoredRun>;
    return (
      typeof runnable === "string" &&
      typeof entry?.id === "string" &&
      typeof entry.startedAt === "number" &&
      typeof entry.pinned === "boolean" &&
      Object.hasOwn(STATUSES, entry.status) &&
      entry.input?.values !== null &&
      typeof entry.input?.values === "object"
    );
  });
}
