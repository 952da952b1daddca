// A result as rows and columns: which columns there are, in which order the rows stand, which of them match, and the texts that
// leave the panel (TSV, CSV). Pure.
import { isRecord } from "../../../base/is-record.ts";

/** One row of a table: the columns by name, or a single value. */
export type Row = Readonly<Record<string, unknown>>;

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

export interface Order {
  readonly column: string;
  readonly descending: boolean;
}

/** The column of an object's names. */
const NAME = "Name";

/** The column of values that are no objects. */
export const VALUE = "Value";

/** A row for each item; columns are all keys in the order of their first appearance. */
export function tableOf(items: readonly unknown[]): Table {
  const rows = items.map((item) => (isRecord(item) ? item : { [VALUE]: item }));
  const columns = new Set<string>();
  for (const row of rows) for (const key in row) columns.add(key);
  return { columns: [...columns], rows };
}

/** An object by name and value. */
export const membersOf = (value: Row): Table => ({
  columns: [NAME, VALUE],
  rows: Object.entries(value).map(([name, member]) => ({ [NAME]: name, [VALUE]: member })),
});

/** The rows that hold the text in any cell, in the order asked for, both without regard to case; blanks are last in either order. */
export function arrange({ columns, rows }: Table, filter: string, order: Order | undefined): readonly Row[] {
  const query = filter.trim().toLowerCase();
  const matchingRows =
    query === "" ? rows : rows.filter((row) => columns.some((column) => cellText(row[column]).toLowerCase().includes(query)));
  if (order === undefined) return matchingRows;
  const sign = order.descending ? -1 : 1;
  const isBlank = (row: Row): boolean => cellText(row[order.column]).trim() === "";
  const sorted = matchingRows.filter((row) => !isBlank(row)).sort((a, b) => sign * compare(a[order.column], b[order.column]));
  return [...sorted, ...matchingRows.filter(isBlank)];
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** Numbers by size, texts as people sort them. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return collator.compare(cellText(a), cellText(b));
}

/** A cell's text: objects as JSON, nothing for blanks. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (isDate(value)) return value.$date;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A date as it crosses the boundaries. */
export const isDate = (value: unknown): value is { readonly $date: string } =>
  isRecord(value) && typeof value.$date === "string" && Object.keys(value).length === 1;

/** Tab-separated, for pasting into a spreadsheet: line breaks and tabs inside cells become blanks. */
export function toTsv({ columns, rows }: Table): string {
  const line = (cells: readonly string[]): string => cells.map((cell) => cell.replace(/[\t\r\n]+/g, " ")).join("\t");
  return [line(columns), ...rows.map((row) => line(columns.map((column) => cellText(row[column]))))].join("\n");
}

/**
 * Comma-separated values (RFC 4180). A cell that a spreadsheet would take for a formula gets a leading apostrophe, since what a
 * provider answered is nobody's formula; numbers stay numbers.
 */
export function toCsv({ columns, rows }: Table): string {
  const cell = (value: unknown): string => {
    const text = cellText(value);
    const safe = typeof value !== "number" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [columns.map(cell).join(","), ...rows.map((row) => columns.map((column) => cell(row[column])).join(","))].join("\r\n");
}

/** "1 row", "20 rows". */
export const countOfRows = (count: number): string => (count === 1 ? "1 row" : `${count} rows`);
