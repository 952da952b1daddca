// Checks a result against its resultType and schema. The platform shows mismatched values as errors, drops them, or refuses the whole
// result. Each kind of mismatch is reported once.

import { isRecord } from "../../base/is-record.ts";
import type { ResultWarning } from "../../protocol/run.ts";
import type { Executed } from "../process/process.ts";
import { startSlices } from "../slices.ts";
import { createLostFields } from "./lost-fields.ts";
import { asSchema, idPropertyOf, propertiesOf, rowSchema, type Schema } from "./schema.ts";

/** The number of warnings that are reported for one run. */
const MOST_WARNINGS = 100;

export class ResultChecker {
  readonly #findings = new Map<string, { path: string; message: string; count: number }>();
  readonly #missing = new Map<string, number>();
  readonly #ids = new Set<unknown>();
  readonly #lostFields = createLostFields();
  #rowCount = 0;
  #rowsWithoutOwnId = 0;
  #rowShape: RowShape = { schema: undefined, names: [], id: undefined };
  /** Places that are still to be checked. The next place is the last item. */
  readonly #open: Place[] = [];

  /** Checks the whole result of a formula against its result type and schema, in slices. `rawValue` is the value that the pack returned. */
  async result(value: unknown, resultType: string | undefined, schema: Schema | undefined, rawValue: unknown): Promise<void> {
    for (const one of Array.isArray(rawValue) ? rawValue : [rawValue]) this.#lostFields.row(one, rowSchema(schema));
    if (value === undefined || value === null) {
      if (resultType !== undefined)
        this.#warn(
          "",
          `The formula returned no value (undefined, null, NaN, Infinity, a function or a symbol), and its result type is ${named(resultType, schema)}.`,
        );
      return;
    }
    const mismatch = resultType === undefined ? undefined : typeMismatch(value, resultType, schema);
    if (mismatch !== undefined) this.#warn("", mismatch);
    else if (schema !== undefined) {
      this.#open.push({ value, schema, path: "" });
      const slices = startSlices();
      for (let next = this.#open.pop(), count = 0; next !== undefined; next = this.#open.pop(), count++) {
        this.#property(next);
        // The clock is read rarely, because reading it costs more than checking most values.
        if (count % 64 === 0 && slices.isOver()) await slices.next();
      }
    }
  }

  /** Checks one more row of a table, `rawRow` being the pack's own. The row's id must be present and unique. */
  row(row: unknown, schema: Schema | undefined, rawRow: unknown): void {
    this.#lostFields.row(rawRow, schema);
    if (schema !== this.#rowShape.schema)
      this.#rowShape = { schema, id: idPropertyOf(schema), names: Object.keys(propertiesOf(schema) ?? {}) };
    const path = `[${this.#rowCount++}]`;
    if (!isRecord(row)) {
      this.#warn(path, `A row must be an object, and this one is ${describeValue(row)}.`, "row");
      return;
    }
    if (schema !== undefined) this.#object(row, schema, path, true);
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) this.#property(next);
    for (const name of this.#rowShape.names) {
      if (!Object.hasOwn(row, name)) this.#missing.set(name, (this.#missing.get(name) ?? 0) + 1);
    }
    if (this.#rowShape.id !== undefined) this.#rowId(row, this.#rowShape.id, path);
  }

  /** Reports Date objects in the value that was checked last. Places such as `[3].due` use the pack's own keys. */
  dates(places: readonly string[], wants = "the schema"): void {
    for (const place of places)
      this.#warn(place, `Return date.toISOString() or date.getTime() / 1000 here. There is no type for Date objects in ${wants}.`);
  }

  /** Reports Date objects in values that one execution passes to the next: a continuation or a completion. */
  continuationDates(places: readonly string[]): void {
    for (const place of places) this.#warn(place, "The next execution gets this Date as a string. Make a Date of it there.");
  }

  /** Reports Promises, Maps and Sets in the value that was checked last. `inside` is a prefix that is removed from their places. */
  lostValues({ promises = [], collections = [] }: Pick<Executed, "promises" | "collections">, inside = ""): void {
    const under = (place: string): string => (place.startsWith(inside) ? place.slice(inside.length) : place);
    for (const place of promises)
      this.#warn(under(place), "Await the promise here, or use Promise.all for an array of promises. Its value is lost otherwise.");
    for (const place of collections)
      this.#warn(under(place), "Return Object.fromEntries(map) or [...set] here. The contents of a Map or a Set are lost otherwise.");
  }

  /** Returns the warnings: lost fields first, then the others in the order in which they occurred. */
  warnings(): readonly ResultWarning[] {
    const fieldsByName = this.#lostFields.collect();
    const properties = propertiesOf(this.#rowShape.schema);
    for (const [name, count] of this.#missing) {
      if (count === this.#rowCount && properties?.[name]?.required !== true && !fieldsByName.has(name))
        this.#warn(name, "Check its name, or its fromKey. The schema has it, but no row does.");
    }
    this.#missing.clear();
    return [
      ...[...fieldsByName].map(([path, field]) => ({
        path,
        message: `Add fromKey: "${field.key}" to ${field.property} in the schema. The value comes under this key, so the property stays empty.`,
        lostField: field,
      })),
      ...[...this.#findings.values()].map(({ path, message, count }) => ({
        path,
        message: count === 1 ? message : `${message} (${count} times)`,
      })),
    ];
  }

  #warn(path: string, message: string, kind = message): void {
    // The same mismatch in every row is one warning.
    const key = `${path.replaceAll(/\[\d+\]/g, "[]")} ${kind}`;
    const finding = this.#findings.get(key);
    if (finding !== undefined) finding.count++;
    else if (this.#findings.size < MOST_WARNINGS) this.#findings.set(key, { path, message, count: 1 });
  }

  #property({ value, schema, path }: Place): void {
    const mismatch = kindMismatch(value, schema) ?? hintMismatch(value, schema);
    if (mismatch !== undefined) {
      this.#warn(path, mismatch.message, mismatch.kind);
      return;
    }
    if (Array.isArray(value)) {
      const items = asSchema(schema.items);
      if (items === undefined) return;
      for (let index = value.length - 1; index >= 0; index--)
        if (!isPlainFit(value[index], items)) this.#open.push({ value: value[index], schema: items, path: `${path}[${index}]` });
    } else if (propertiesOf(schema) !== undefined) this.#object(value, schema, path);
  }

  #object(value: unknown, schema: Schema, path: string, isRow = false): void {
    if (!isRecord(value)) return;
    const open = this.#open;
    const first = open.length;
    const id = isRow ? undefined : idPropertyOf(schema);
    // An id that is required and missing is reported in the loop below.
    const isReportedLater = id !== undefined && propertiesOf(schema)?.[id]?.required === true && (value[id] ?? undefined) === undefined;
    if (id !== undefined && !isReportedLater && Object.hasOwn(value, id) && isEmpty(value[id]))
      this.#warn(placeOf(path, id), "It identifies the object, and is empty.");
    const properties = propertiesOf(schema) ?? {};
    for (const name of Object.keys(properties)) {
      const child = properties[name] as Schema;
      const item = Object.hasOwn(value, name) ? value[name] : undefined;
      if (item === undefined || item === null) {
        if (child.required === true) this.#warn(placeOf(path, name), "The schema requires a value here, and it is missing.");
        // The SDK accepts empty values. They are shown as blank.
      } else if (item !== "" && item !== false && item !== 0 && !isPlainFit(item, child)) {
        open.push({ value: item, schema: child, path: placeOf(path, name) });
      }
    }
    if (open.length > first + 1) open.push(...open.splice(first).reverse());
  }

  /** The number of rows whose ID is missing, or is that of an earlier row. */
  get rowsWithoutOwnId(): number {
    return this.#rowsWithoutOwnId;
  }

  #rowId(row: Readonly<Record<string, unknown>>, id: string, path: string): void {
    const value = Object.hasOwn(row, id) ? row[id] : undefined;
    const isMissing = value === undefined || value === null || value === "";
    if (isMissing || this.#ids.has(value)) this.#rowsWithoutOwnId++;
    if (isMissing) this.#warn(path, `${id} must have a value, because it identifies the row. The platform drops this row.`);
    else if (this.#ids.has(value))
      this.#warn(
        path,
        `${id} must be unique, because it identifies the row. Several rows have ${describeValue(value)}, and the platform keeps only one of them.`,
        `same ${id}`,
      );
    this.#ids.add(value);
  }
}

/** What the rows' schema says about every row. */
interface RowShape {
  readonly schema: Schema | undefined;
  readonly names: readonly string[];
  readonly id: string | undefined;
}

/** A value and the schema to which it must conform. */
interface Place {
  readonly value: unknown;
  readonly schema: Schema;
  readonly path: string;
}

const placeOf = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

interface Mismatch {
  readonly message: string;
  /** Groups mismatches into one warning: the kind is the same for every value. */
  readonly kind: string;
}

const KINDS = new Map<string, (value: unknown) => boolean>([
  ["string", (value) => typeof value === "string"],
  ["number", (value) => typeof value === "number"],
  ["boolean", (value) => typeof value === "boolean"],
  ["object", isRecord],
  ["array", (value) => Array.isArray(value)],
]);

/** Result types whose values are strings. A date arrives as an ISO 8601 string. */
const TEXTS = new Set(["string", "html", "image", "file", "markdown", "email", "date"]);

/** Returns the name that authors use for a result type. The SDK's result type of an array is "object". */
const named = (resultType: string, schema: Schema | undefined): string =>
  resultType === "object" && schema?.type === "array" ? "array" : resultType;

function typeMismatch(value: unknown, resultType: string, schema: Schema | undefined): string | undefined {
  const expectedType = named(resultType, schema);
  const fits = KINDS.get(TEXTS.has(expectedType) ? "string" : expectedType);
  return fits === undefined || fits(value)
    ? undefined
    : `The formula must return ${expectedType}, its result type. It returned ${describeValue(value)}.`;
}

/** Whether the SDK treats an id as empty. 0 is not empty. */
const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === "" || value === false;

/** Whether a value needs no further check, as most values of most rows. */
const isPlainFit = (value: unknown, schema: Schema): boolean =>
  typeof value !== "object" && schema.codaType === undefined && kindMismatch(value, schema) === undefined;

function kindMismatch(value: unknown, schema: Schema): Mismatch | undefined {
  const type = typeof schema.type === "string" ? schema.type : "";
  const fits = KINDS.get(type);
  return fits === undefined || fits(value)
    ? undefined
    : {
        message: `The value must be ${type}, as the schema says. It is ${describeValue(value)}.`,
        kind: `not ${type} but ${typeof value}`,
      };
}

/** Checks a value against the schema's hint (codaType). The hints are those of the SDK's ValueHintType. */
function hintMismatch(value: unknown, schema: Schema): Mismatch | undefined {
  const hint = schema.codaType;
  const expectation = typeof hint === "string" ? describeExpectation(hint, value, schema) : undefined;
  const id = hint === "person" ? idPropertyOf(schema) : undefined;
  const actualValue = id !== undefined && isRecord(value) && Object.hasOwn(value, id) ? value[id] : value;
  return expectation === undefined
    ? undefined
    : { message: `${String(hint)} needs ${expectation}, and the value is ${describeValue(actualValue)}.`, kind: `hint ${String(hint)}` };
}

/** Returns what the hint requires, or undefined if the value conforms to it. */
function describeExpectation(hint: string, value: unknown, schema: Schema): string | undefined {
  switch (hint) {
    case "attachment":
    case "embed":
    case "image":
    case "imageAttachment":
    case "url":
      return typeof value === "string" && !/^(https:\/\/|data:)/i.test(value.trim()) ? "an https or data URL" : undefined;
    case "email":
      return typeof value === "string" && !isEmail(value) ? "an e-mail address" : undefined;
    case "date":
    case "datetime":
      return typeof value === "string" && Number.isNaN(Date.parse(value)) ? "a date" : undefined;
    case "scale": {
      const most = bound(schema.maximum, 5);
      return typeof value === "number" && (!Number.isInteger(value) || value < 0 || value > most)
        ? `a whole number from 0 to ${most}`
        : undefined;
    }
    case "slider":
    case "progressBar": {
      const [least, most] = [bound(schema.minimum, 0), bound(schema.maximum, Number.POSITIVE_INFINITY)];
      if (typeof value !== "number" || !(value < least || value > most)) return undefined;
      return Number.isFinite(most) ? `a number from ${least} to ${most}` : `a number from ${least} on`;
    }
    case "person": {
      const id = idPropertyOf(schema);
      const address = isRecord(value) && id !== undefined && Object.hasOwn(value, id) ? value[id] : undefined;
      return typeof address === "string" && isEmail(address)
        ? undefined
        : id === undefined
          ? "an e-mail address"
          : `an e-mail address as its ${id}`;
    }
    default:
      return undefined;
  }
}

/** Returns a bound of the schema. A bound may be a formula of the document, whose value is not known here: the result is NaN. */
const bound = (value: unknown, otherwise: number): number =>
  typeof value === "number" ? value : typeof value === "string" ? Number.NaN : otherwise;

const isEmail = (text: string): boolean => text.length < 500 && /^[^\s@]+@[^\s@]+$/.test(text);

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value !== null && typeof value === "object") return "an object";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
