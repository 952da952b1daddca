// Runs a sync table page by page: its parameter validation and getSchema first, then its pages. It ends with the last page, at the row
// limit or when the run is stopped. Rows that were read are kept.
import { isDeepStrictEqual } from "node:util";
import { defined } from "../../base/defined.ts";
import { MOST_ROWS } from "../../protocol/row-limits.ts";
import type { RunOutcome, RunTarget, SyncSummary } from "../../protocol/run.ts";
import { PackAuthError } from "../errors.ts";
import { isLarge, redactLarge } from "../secrets/redact-large.ts";
import { startSlices } from "../slices.ts";
import { ResultChecker } from "./check-result.ts";
import { execute } from "./execute.ts";
import { normaliseResult } from "./normalise-result.ts";
import { completionNotes } from "./platform-differences.ts";
import type { RunInput } from "./run-input.ts";
import type { RunObserver } from "./run-observer.ts";
import type { OpenWorld } from "./run-world.ts";
import { asSchema, rowSchema } from "./schema.ts";
import { tableSchemaOf } from "./table-schema.ts";
import { passesValidation } from "./validate-parameters.ts";

/** The number of consecutive pages without a row after which a table is considered endless. */
const MOST_EMPTY_PAGES = 100;

interface SyncRun {
  /** The outcome, with a masked value. */
  readonly outcome: RunOutcome;
  readonly summary: SyncSummary;
  readonly schema: unknown;
  readonly checker: ResultChecker;
}

interface Page {
  readonly result: readonly unknown[];
  readonly continuation?: unknown;
  readonly deletedRowIds?: unknown;
  readonly deletedItemIds?: unknown;
  readonly completion?: unknown;
}

/** Throws the errors of an execution. */
export async function runSyncTable(
  input: RunInput<RunTarget & { kind: "syncTable" }>,
  world: OpenWorld,
  observer: RunObserver,
): Promise<SyncRun> {
  const { target } = input;
  const { redactor } = world;
  const limit = Math.min(Math.max(1, input.rowLimit), MOST_ROWS);
  const rows: unknown[] = [];
  const deleted: unknown[] = [];
  const checker = new ResultChecker();
  let pages = 0;
  let emptyPages = 0;
  let continuation = target.continuation;
  let limitReached = false;
  let completion: unknown;
  const repetition = new Repetition();
  const isValid = await passesValidation(input, world, observer);
  const schema = isValid ? await tableSchemaOf(input, world, observer) : undefined;
  const finish = (status: "succeeded" | "cancelled"): SyncRun => ({
    outcome: { status, rows: rows.length, value: rows },
    summary: { pages, deleted, limitReached, rowsWithoutOwnId: checker.rowsWithoutOwnId, ...defined({ completion }) },
    schema: schema?.value,
    checker,
  });
  if (schema === undefined) return finish("cancelled");
  const ofRow = rowSchema(asSchema(schema.value));
  const ask = () => {
    const execution = execute({ ...input, target: { ...target, ...schema.ofContext, ...defined({ continuation }) } }, world, observer);
    // The rejection is handled when the page is awaited below.
    execution.catch(() => {});
    return execution;
  };
  let pendingPage = ask();
  for (;;) {
    const pageResult = await pendingPage;
    if (pageResult === undefined || world.signal.aborted) return finish("cancelled");
    const page = readPage(pageResult.value);
    pages++;
    const pageRows = page.result.slice(0, limit - rows.length);
    const isFull = rows.length + pageRows.length >= limit;
    continuation = page.continuation ?? undefined;
    limitReached = isFull && (continuation !== undefined || page.result.length > pageRows.length);
    const isLast = continuation === undefined || isFull;
    emptyPages = page.result.length === 0 ? emptyPages + 1 : 0;
    // The pack fetches its next page while this page is processed.
    if (!isLast && emptyPages < MOST_EMPTY_PAGES) pendingPage = ask();
    const slices = startSlices();
    for (const rawRow of pageRows) {
      const named = normaliseResult(rawRow, ofRow);
      const row =
        named !== null && typeof named === "object" && isLarge(named) ? await redactLarge(named, redactor) : redactor.redactValue(named);
      checker.row(row, ofRow, rawRow);
      rows.push(row);
      if (rows.length % 16 === 0 && slices.isOver()) await slices.next();
    }
    const dates = pageResult.dates ?? [];
    checker.dates(dates.filter((place) => place.startsWith("result")).map((place) => place.slice("result".length)));
    checker.continuationDates(dates.filter((place) => !place.startsWith("result")));
    checker.lostValues(pageResult, "result");
    for (const id of listOf(page.deletedRowIds ?? page.deletedItemIds))
      if (deleted.length < MOST_ROWS) deleted.push(redactor.redactValue(id));
    observer.onRows(rows.length);
    if (!isLast && repetition.isRepeated(continuation, rows.slice(rows.length - pageRows.length))) throw repeatedPage(pages);
    if (page.completion !== undefined && page.completion !== null) {
      const isIncremental = target.previousCompletion !== undefined;
      for (const note of completionNotes(page.completion, isIncremental, continuation !== undefined)) observer.onPlatformDifference(note);
      if (continuation === undefined) completion = redactor.redactValue(page.completion);
    }
    if (isLast) return finish("succeeded");
    if (emptyPages >= MOST_EMPTY_PAGES) {
      throw new PackAuthError(
        "pack-threw",
        `The sync table returned ${MOST_EMPTY_PAGES} empty pages one after another, each with a continuation.`,
        { hint: "Return a continuation only while there are more rows." },
      );
    }
  }
}

/** Recognises a table that goes round in circles: a page with rows that came before, together with its continuation. */
class Repetition {
  readonly #pages = new Map<string, readonly (readonly unknown[])[]>();

  /** A page without rows counts for nothing, because a pack may ask again until an export is ready. */
  isRepeated(continuation: unknown, rows: readonly unknown[]): boolean {
    if (rows.length === 0) return false;
    const key = JSON.stringify(continuation);
    const pages = this.#pages.get(key) ?? [];
    this.#pages.set(key, [...pages, rows]);
    return pages.some((page) => isDeepStrictEqual(page, rows));
  }
}

const repeatedPage = (page: number): PackAuthError =>
  new PackAuthError("pack-threw", `The sync table never ends: page ${page} has the rows and the continuation of an earlier page.`, {
    hint: "Send what the continuation has with the request for the next page, and return no continuation with the last page.",
  });

function readPage(value: unknown): Page {
  const page = value as Partial<Page> | null;
  if (page === null || typeof page !== "object" || !Array.isArray(page.result)) {
    throw new PackAuthError("pack-threw", "The sync table's execute returned no { result: [...] }.", {
      hint: "Return an object with result, a list of rows, and continuation while there are more.",
    });
  }
  return page as Page;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
