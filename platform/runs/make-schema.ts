// The source of a schema for what an API gave: makeObjectSchema with the types, hints and names that all of the rows have in common.

import { defined } from "../../base/defined.ts";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { isRecord } from "../../base/is-record.ts";
import type { SchemaField } from "../../protocol/editor.ts";

interface SchemaChoices {
  /** As the API spells them. */
  readonly idProperty?: string;
  readonly displayProperty?: string;
  /** The toolkit's namespace in the source, `coda`. */
  readonly toolkit: string;
}

/**
 * The rows of answers that are alike: the lists that they are, or the one member of them that is a list of objects, or they themselves.
 * Undefined where they hold no object.
 */
export function rowsOf(responses: readonly unknown[]): readonly Row[] | undefined {
  const lists = new Set(
    responses.flatMap((response) => (isRecord(response) ? Object.keys(response).filter((name) => containsRows(response[name])) : [])),
  );
  const [list] = lists.size === 1 ? lists : [];
  const rows = responses
    // The last page of several may be empty.
    .flatMap((response) => (isRecord(response) && list !== undefined ? response[list] : response))
    .filter(isRecord);
  return rows.length === 0 ? undefined : rows;
}

const containsRows = (value: unknown): boolean => Array.isArray(value) && value.some(isRecord);

export type Row = Readonly<Record<string, unknown>>;

/** Names of members that are texts or numbers in every row: what may name a row. */
export const namingMembers = (rows: readonly Row[]): readonly string[] =>
  [...membersOf(rows)].flatMap(([name, values]) =>
    values.length === rows.length && values.every((value) => ["string", "number"].includes(typeof value)) ? [name] : [],
  );

/** The fields of the rows, each with the property that a schema has for it. */
export function schemaFields(rows: readonly Row[], toolkit: string): readonly SchemaField[] {
  const members = [...membersOf(rows)];
  const names = uniqueNames(members.map(([name]) => name));
  return members.map(([key, values]) => {
    const property = names.get(key) ?? key;
    return { key, property, ...defined({ type: typeOf(values) }), source: propertySource(key, property, values, rows.length, toolkit) };
  });
}

/** `coda.makeObjectSchema({ … })`. */
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

/** Each member's values, without those that are null or left out, in the order that they come first. */
function membersOf(rows: readonly Row[]): ReadonlyMap<string, readonly unknown[]> {
  const members = new Map<string, unknown[]>();
  for (const row of rows)
    for (const [name, value] of Object.entries(row)) {
      // No property can be made of a name that is empty.
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

/** The ValueType of all of the values; undefined where there are several, or none. */
function typeOf(values: readonly unknown[]): string | undefined {
  const [kind, ...otherKinds] = new Set(values.map((value) => (Array.isArray(value) ? "array" : typeof value)));
  return kind === undefined || otherKinds.length > 0 ? undefined : TYPES[kind];
}

/** The fields of a schema that say what a value is. */
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
      // A string may be made of whatever comes.
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

/** Longer texts are read no further. */
const LONGEST = 2_000;

const HINTS: readonly (readonly [hint: string, form: RegExp])[] = [
  ["DateTime", /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?$/],
  ["Date", /^\d{4}-\d\d-\d\d$/],
  ["ImageReference", /^https?:\/\/[^\s?#]{1,1500}\.(?:png|jpe?g|gif|svg|webp)(?:[?#]\S{0,1000})?$/i],
  ["Url", /^https?:\/\/\S{1,1990}$/],
  ["Email", /^[^\s@<>"]{1,64}@[^\s@<>"]{1,255}\.[^\s@<>".]{2,63}$/],
];

/** What all of the texts are, those that are empty aside. */
function hintOf(values: readonly string[]): string | undefined {
  const texts = values.filter((text) => text !== "");
  if (texts.length === 0 || texts.some((text) => text.length > LONGEST)) return undefined;
  return HINTS.find(([, form]) => texts.every((text) => form.test(text)))?.[0];
}

/** `created_at` → `createdAt`; what is no name becomes one, and no two are the same. */
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
