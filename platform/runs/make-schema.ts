// Writes the source of a schema for an API's responses: makeObjectSchema with the types, hints and names that all rows have in common.

import { defined } from "../../base/defined.ts";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { isRecord } from "../../base/is-record.ts";
import type { SchemaField } from "../../protocol/editor.ts";

interface SchemaChoices {
  /** Both properties are spelled as the API spells them. */
  readonly idProperty?: string;
  readonly displayProperty?: string;
  /** The name of the SDK's namespace in the source, such as `coda`. */
  readonly toolkit: string;
}

/**
 * Returns the rows of responses that have the same form. The rows are the items of the responses, the objects in their only member that is
 * an array of objects, or the responses themselves. Returns undefined if there are no objects.
 */
export function rowsOf(responses: readonly unknown[]): readonly Row[] | undefined {
  const lists = new Set(
    responses.flatMap((response) => (isRecord(response) ? Object.keys(response).filter((name) => containsRows(response[name])) : [])),
  );
  const [list] = lists.size === 1 ? lists : [];
  const rows = responses
    // The last of several pages may have no rows.
    .flatMap((response) => (isRecord(response) && list !== undefined ? response[list] : response))
    .filter(isRecord);
  return rows.length === 0 ? undefined : rows;
}

const containsRows = (value: unknown): boolean => Array.isArray(value) && value.some(isRecord);

export type Row = Readonly<Record<string, unknown>>;

/** Returns the names of members that are strings or numbers in every row. Such a member may identify or name a row. */
export const namingMembers = (rows: readonly Row[]): readonly string[] =>
  [...membersOf(rows)].flatMap(([name, values]) =>
    values.length === rows.length && values.every((value) => ["string", "number"].includes(typeof value)) ? [name] : [],
  );

/** Returns the fields of the rows, each with its property in a schema. */
export function schemaFields(rows: readonly Row[], toolkit: string): readonly SchemaField[] {
  const members = [...membersOf(rows)];
  const names = uniqueNames(members.map(([name]) => name));
  return members.map(([key, values]) => {
    const property = names.get(key) ?? key;
    return { key, property, ...defined({ type: typeOf(values) }), source: propertySource(key, property, values, rows.length, toolkit) };
  });
}

/** Returns the source `coda.makeObjectSchema({ … })`. */
export function schemaSource(rows: readonly Row[], { idProperty, displayProperty, toolkit }: SchemaChoices): string {
  const fields = schemaFields(rows, toolkit);
  const quotedName = (name: string): string => JSON.stringify(fields.find(({ key }) => key === name)?.property ?? name);
  const more = [
    ...(idProperty === undefined ? [] : [`idProperty: ${quotedName(idProperty)},`]),
    ...(displayProperty === undefined ? [] : [`displayProperty: ${quotedName(displayProperty)},`]),
  ];
  return [
    `${toolkit}.makeObjectSchema({`,
    "  properties: {",
    ...fields.map(({ source }) => indented(`${source},`, 4)),
    "  },",
    ...more.map((line) => `  ${line}`),
    "})",
  ].join("\n");
}

/** Returns the values of each member, without null and missing values, in the order in which the members first occur. */
function membersOf(rows: readonly Row[]): ReadonlyMap<string, readonly unknown[]> {
  const members = new Map<string, unknown[]>();
  for (const row of rows)
    for (const [name, value] of Object.entries(row)) {
      // A property cannot have an empty name.
      if (name === "") continue;
      const values = getOrInsert(members, name, () => []);
      if (value !== null && value !== undefined) values.push(value);
    }
  return members;
}

function propertySource(name: string, property: string, values: readonly unknown[], count: number, toolkit: string): string {
  const fields = [
    ...typeFields(values, toolkit),
    ...(property === name ? [] : [`fromKey: ${JSON.stringify(name)}`]),
    ...(values.length === count ? ["required: true"] : []),
  ];
  return `${property}: ${inBraces(fields)}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: "String",
  number: "Number",
  boolean: "Boolean",
  array: "Array",
  object: "Object",
};

/** Returns the ValueType of all values, or undefined if the values are of several types or there are none. */
function typeOf(values: readonly unknown[]): string | undefined {
  const [kind, ...otherKinds] = new Set(values.map((value) => (Array.isArray(value) ? "array" : typeof value)));
  return kind === undefined || otherKinds.length > 0 ? undefined : TYPES[kind];
}

/** Returns the source of the schema fields that describe the value's type. */
function typeFields(values: readonly unknown[], toolkit: string): readonly string[] {
  const type = typeOf(values);
  const fields = [`type: ${toolkit}.ValueType.${type ?? "String"}`];
  switch (type) {
    case "Array":
      return [...fields, `items: ${valueSource(values.flat(), toolkit)}`];
    case "Object": {
      const inner = schemaFields(values as readonly Row[], toolkit);
      return [...fields, `properties: {\n${inner.map(({ source }) => indented(`${source},`, 2)).join("\n")}\n}`];
    }
    case "String": {
      const hint = hintOf(values as readonly string[]);
      return hint === undefined ? fields : [...fields, `codaType: ${toolkit}.ValueHintType.${hint}`];
    }
    default:
      // A string property accepts values of any type.
      return fields;
  }
}

const valueSource = (values: readonly unknown[], toolkit: string): string =>
  inBraces(
    typeFields(
      values.filter((value) => value !== null && value !== undefined),
      toolkit,
    ),
  );

function inBraces(fields: readonly string[]): string {
  const line = `{ ${fields.join(", ")} }`;
  return line.includes("\n") ? `{\n${fields.map((field) => indented(`${field},`, 2)).join("\n")}\n}` : line;
}

const indented = (text: string, by: number): string => text.replaceAll(/^/gm, " ".repeat(by));

/** Longer strings are not searched for a hint. */
const LONGEST = 2_000;

const HINTS: readonly (readonly [hint: string, form: RegExp])[] = [
  ["DateTime", /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?$/],
  ["Date", /^\d{4}-\d\d-\d\d$/],
  ["ImageReference", /^https?:\/\/[^\s?#]{1,1500}\.(?:png|jpe?g|gif|svg|webp)(?:[?#]\S{0,1000})?$/i],
  ["Url", /^https?:\/\/\S{1,1990}$/],
  ["Email", /^[^\s@<>"]{1,64}@[^\s@<>"]{1,255}\.[^\s@<>".]{2,63}$/],
];

/** Returns the hint that fits all strings. Empty strings are ignored. */
function hintOf(values: readonly string[]): string | undefined {
  const texts = values.filter((text) => text !== "");
  if (texts.length === 0 || texts.some((text) => text.length > LONGEST)) return undefined;
  return HINTS.find(([, form]) => texts.every((text) => form.test(text)))?.[0];
}

/** Returns a unique property name for each key: `created_at` → `createdAt`. A key that is not a valid name is changed to one. */
function uniqueNames(names: readonly string[]): ReadonlyMap<string, string> {
  const usedNames = new Set<string>();
  return new Map(
    names.map((name) => {
      const base = propertyName(name);
      let unique = base;
      for (let number = 2; usedNames.has(unique.toLowerCase()); number++) unique = `${base}${number}`;
      usedNames.add(unique.toLowerCase());
      return [name, unique];
    }),
  );
}

function propertyName(name: string): string {
  const [first = "", ...otherWords] = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const joined = first + otherWords.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^\p{L}/u.test(joined) ? joined : `field${joined}`;
}
