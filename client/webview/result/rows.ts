// Converts a result to rows and columns, sorts and filters the rows, and formats them as TSV and CSV. Pure.
import { isRecord } from "../../../base/is-record.ts";

/** One row of a table: the values by column, or a single value. */
export type Row = Readonly<Record<string, unknown>>;

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

export interface Order {
  readonly column: string;
  readonly descending: boolean;
}

/** The column with the names of an object's members. */
const NAME = "Name";

/** The column for values that are not objects. */
export const VALUE = "Value";

/** Returns a row for each item. The columns are all keys in the order of their first appearance. */
export function tableOf(items: readonly unknown[]): Table {
  const rows = items.map((item) => (isRecord(item) ? item : { [VALUE]: item }));
  const columns = new Set<string>();
  for (const row of rows) for (const key in row) columns.add(key);
  return { columns: [...columns], rows };
}

/** Returns a table with the name and value of each member. */
export const membersOf = (value: Row): Table => ({
  columns: [NAME, VALUE],
  rows: Object.entries(value).map(([name, member]) => ({ [NAME]: name, [VALUE]: member })),
});

/** Returns the rows that contain the text in any cell, in the given order. Both ignore case; blank cells are last in either order. */
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

/** Compares numbers by size, and texts as people sort them. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return collator.compare(cellText(a), cellText(b));
}

/** Returns a cell's text: objects as JSON, an empty string for a missing value. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (isDate(value)) return value.$date;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Returns whether the value is a date in the form that crosses process boundaries. */
export const isDate = (value: unknown): value is { readonly $date: string } =>
  isRecord(value) && typeof value.$date === "string" && Object.keys(value).length === 1;

/** Returns tab-separated values for a spreadsheet. Line breaks and tabs inside a cell become spaces. */
export function toTsv({ columns, rows }: Table): string {
  const line = (cells: readonly string[]): string => cells.map((cell) => cell.replace(/[\t\r\n]+/g, " ")).join("\t");
  return [line(columns), ...rows.map((row) => line(columns.map((column) => cellText(row[column]))))].join("\n");
}

/**
 * Returns comma-separated values (RFC 4180). A cell that a spreadsheet would read as a formula gets a leading apostrophe, because a
 * provider's response must not run as one. Numbers stay numbers.
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
