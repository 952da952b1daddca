// Reads a result's schema: the SDK's value types and hints, as the running pack returned them. Pure.
import { isRecord } from "../../../base/is-record.ts";
import { isDate } from "./rows.ts";

/** The hint of a value's schema in the SDK's spelling: "url", "image", "percent" … */
interface ValueKind {
  readonly hint?: string | undefined;
  readonly currency?: string | undefined;
  /** The member that represents an object. */
  readonly display?: string | undefined;
}

/** Returns the schema of a row if the schema is that of an array. */
export function itemSchema(schema: unknown): unknown {
  return isRecord(schema) && schema.type === "array" ? schema.items : schema;
}

/** Returns the schema of a member. The platform's keys are in PascalCase, and `fromKey` names the original key. */
export function memberSchema(schema: unknown, key: string): unknown {
  const properties = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {};
  if (Object.hasOwn(properties, key)) return properties[key];
  const plain = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
  const property = Object.entries(properties).find(
    ([name, member]) => plain(name) === plain(key) || (isRecord(member) && member.fromKey === key),
  );
  return property?.[1];
}

export function kindOf(schema: unknown): ValueKind {
  if (!isRecord(schema)) return {};
  const text = (name: string): string | undefined => (typeof schema[name] === "string" ? schema[name] : undefined);
  return { hint: text("codaType"), currency: text("currencyCode"), display: text("displayProperty") ?? text("primary") };
}

/** Returns a URL that a person may follow; undefined for every other scheme. */
export function webUrl(value: unknown): string | undefined {
  if (typeof value !== "string" || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  return url.protocol === "https:" || url.protocol === "http:" ? url.href : undefined;
}

/** Returns a number or date in the format of the hint; undefined if the hint does not fit the value. */
export function formatted(value: unknown, { hint, currency }: ValueKind): string | undefined {
  const date = isDate(value) ? new Date(value.$date) : hint === "date" || hint === "datetime" ? readDate(value) : undefined;
  if (date !== undefined && !Number.isNaN(date.getTime())) {
    return hint === "date" ? date.toLocaleDateString() : hint === "time" ? date.toLocaleTimeString() : date.toLocaleString();
  }
  if (typeof value !== "number") return undefined;
  if (hint === "percent") return value.toLocaleString(undefined, { style: "percent", maximumFractionDigits: 2 });
  if (hint !== "currency") return undefined;
  try {
    return value.toLocaleString(undefined, { style: "currency", currency: currency ?? "USD" });
  } catch {
    return undefined;
  }
}

/** Reads a date from a text, or from seconds since the epoch. */
function readDate(value: unknown): Date | undefined {
  if (typeof value === "number") return new Date(value * 1000);
  return typeof value === "string" && /^\d{4}-\d{2}/.test(value) ? new Date(value) : undefined;
}
