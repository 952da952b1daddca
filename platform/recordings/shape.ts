// The shape of JSON values: the names of fields and the types of values, and how two shapes differ. Invariant: no value is in a shape. A
// name that does not look like a field's is a value too, such as the ID or the address that keys a map.
import { closest } from "../../base/closest.ts";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { isRecord } from "../../base/is-record.ts";
import { inside } from "./differences.ts";

type JsonType = "null" | "boolean" | "number" | "string" | "list" | "object";

export interface Shape {
  readonly types: ReadonlySet<JsonType>;
  /** The number of objects at this place. */
  readonly objects: number;
  /** The fields of all objects at this place. {@link ANY} stands for names that are values. */
  readonly fields: ReadonlyMap<string, Field>;
  /** The union of all items of lists at this place. */
  readonly items?: Shape;
  /** Whether a limit left out something below this place. */
  readonly isCut: boolean;
}

interface Field {
  readonly shape: Shape;
  /** The number of objects that have the field. */
  readonly count: number;
}

/** What is undecided is a lost field, or a key of a map. */
export type ShapeDifference =
  | {
      readonly kind: "lost" | "undecided" /** A JSON pointer, with `*` for the items of a list. */;
      readonly at: string;
      readonly type: string;
    }
  | { readonly kind: "renamed"; readonly at: string; readonly type: string /** The field's new name. */; readonly to: string }
  | { readonly kind: "type"; readonly at: string; readonly type: string; readonly now: string };

export interface ShapeComparison {
  readonly differences: readonly ShapeDifference[];
  /** The places of the recorded shape, and how many of them have a counterpart. */
  readonly places: number;
  readonly compared: number;
}

export const ANY = "*";

/** Levels of a value that are compared. */
export const DEEPEST = 64;
const MOST_PLACES = 20_000;
/** The number of names of one object whose spelling is compared: each is compared with each. */
const MOST_SPELT = 100;

/** A name of a field, as opposed to an address, a date, an ID or a sentence. */
const FIELD_NAME = /^(?!.{0,65}\d{5})[@$_]{0,2}[A-Za-z][\w$:.-]{0,63}$/;
/** A long name with several digits is an ID. */
const RANDOM = /^(?=.{16})(?:\D*\d){4}/;

/** Returns the name of a field, or {@link ANY} for a name that is a value. */
export const fieldName = (name: string): string => (FIELD_NAME.test(name) && !RANDOM.test(name) ? name : ANY);

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface ShapeBuilder extends Mutable<Omit<Shape, "types" | "fields" | "items">> {
  readonly types: Set<JsonType>;
  readonly fields: Map<string, Mutable<Field> & { readonly shape: ShapeBuilder }>;
  items?: ShapeBuilder;
}

const emptyShape = (): ShapeBuilder => ({ types: new Set(), objects: 0, fields: new Map(), isCut: false });

/** A shape that grows with each value. */
interface GrowingShape {
  readonly shape: Shape;
  /** Adds a value, in linear time and limited in depth and size. */
  add(value: unknown): void;
}

export function createShape(): GrowingShape {
  const whole = emptyShape();
  let places = 0;
  const mayGrow = (shape: ShapeBuilder): boolean => {
    if (places >= MOST_PLACES) shape.isCut = true;
    else places++;
    return !shape.isCut;
  };
  const add = (shape: ShapeBuilder, value: unknown, depth: number): void => {
    const type = typeOf(value);
    shape.types.add(type);
    if (type === "object") shape.objects++;
    if (type !== "list" && type !== "object") return;
    if (depth >= DEEPEST) {
      shape.isCut = true;
      return;
    }
    if (Array.isArray(value)) {
      if (value.length === 0 || (shape.items === undefined && !mayGrow(shape))) return;
      shape.items ??= emptyShape();
      for (const item of value) add(shape.items, item, depth + 1);
      return;
    }
    for (const [rawName, member] of Object.entries(value as object)) {
      const name = shape.fields.has(rawName) ? rawName : fieldName(rawName);
      if (!shape.fields.has(name) && !mayGrow(shape)) continue;
      const field = getOrInsert(shape.fields, name, () => ({ shape: emptyShape(), count: 0 }));
      field.count++;
      add(field.shape, member, depth + 1);
    }
  };
  return { shape: whole, add: (value) => add(whole, value, 0) };
}

export function shapeOf(value: unknown): Shape {
  const { shape, add } = createShape();
  add(value);
  return shape;
}

function typeOf(value: unknown): JsonType {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "list";
  return isRecord(value) ? "object" : (typeof value as "boolean" | "number" | "string");
}

/**
 * Compares two shapes. A new field is no difference, nor is null in place of a value, an empty list or an empty object: they say nothing
 * about types. Places for which `isIgnored` returns true are skipped with everything below them.
 */
export function compareShapes(recorded: Shape, now: Shape, isIgnored: (at: string) => boolean = () => false): ShapeComparison {
  const differences: ShapeDifference[] = [];
  let compared = 0;
  const compare = (one: Shape, other: Shape, at: string): void => {
    if (isIgnored(at)) return;
    const [types, otherTypes] = [typesOf(one), typesOf(other)];
    if (otherTypes.length === 0 && types.length > 0) return;
    compared++;
    if (types.length > 0 && otherTypes.some((type) => !one.types.has(type))) {
      differences.push({ kind: "type", at, type: types.join(" or "), now: otherTypes.join(" or ") });
      return;
    }
    if (one.items !== undefined && other.items !== undefined) compare(one.items, other.items, inside(at, ANY));
    if (one.objects > 0 && other.objects > 0) compareFields(one, other, at);
  };
  const compareFields = (one: Shape, other: Shape, at: string): void => {
    if (other.fields.size === 0) return;
    const newFields = new Map([...other.fields].filter(([name]) => name !== ANY && !one.fields.has(name)));
    const isLost = ([name, { count }]: readonly [string, Field]): boolean =>
      name !== ANY && count === one.objects && !other.fields.has(name) && !other.isCut && !isIgnored(inside(at, name));
    const lostFields = [...one.fields].filter(isLost);
    const isUndecided = lostFields.length > 0 && mayBeMap(one, other);
    for (const [index, [name, { shape }]] of lostFields.entries()) {
      const type = typesOf(shape).join(" or ") || "null";
      const to = index < MOST_SPELT ? successorOf(name, type, newFields, lostFields.length) : undefined;
      if (isUndecided && (to === undefined || lettersOf(to) !== lettersOf(name))) {
        differences.push({ kind: "undecided", at: inside(at, name), type });
        break;
      }
      if (to !== undefined) newFields.delete(to);
      compared++;
      differences.push(
        to === undefined ? { kind: "lost", at: inside(at, name), type } : { kind: "renamed", at: inside(at, name), type, to },
      );
    }
    for (const [name, field] of one.fields) {
      const counterpart = other.fields.get(name);
      if (counterpart !== undefined) compare(field.shape, counterpart.shape, inside(at, name));
    }
  };
  compare(recorded, now, "");
  return { differences, places: placesIn(recorded), compared };
}

const typesOf = ({ types }: Shape): readonly JsonType[] => [...types].filter((type) => type !== "null").sort();

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z\d]/g, "");

/** Returns the new field that replaces a lost one: of the same type, and spelt alike or alone in its place. */
function successorOf(name: string, type: string, newFields: ReadonlyMap<string, Field>, lostCount: number): string | undefined {
  const candidates = [...newFields].filter(([, { shape }]) => typesOf(shape).join(" or ") === type).map(([each]) => each);
  const alike = candidates.find((each) => lettersOf(each) === lettersOf(name)) ?? closest(name, candidates.slice(0, MOST_SPELT));
  return alike ?? (lostCount === 1 && candidates.length === 1 ? candidates[0] : undefined);
}

/**
 * Returns whether the names of an object may be keys of a map, such as of currencies or languages: all its values are alike, and it was
 * recorded only once. Names that several objects share are fields.
 */
function mayBeMap(one: Shape, other: Shape): boolean {
  if (one.objects > 1 || one.fields.size < 2) return false;
  const shapes = [...one.fields.values(), ...other.fields.values()].map(({ shape }) => shape);
  const [first, ...more] = shapes.filter((shape) => typesOf(shape).length > 0);
  return first !== undefined && more.every((each) => areAlike(first, each));
}

/** Returns whether two shapes have the same type, and objects a common name or none. */
function areAlike(one: Shape, other: Shape): boolean {
  if (typesOf(one).join() !== typesOf(other).join()) return false;
  if (one.items !== undefined && other.items !== undefined && !areAlike(one.items, other.items)) return false;
  return one.fields.size === 0 || other.fields.size === 0 || [...one.fields.keys()].some((name) => other.fields.has(name));
}

const placesIn = ({ fields, items }: Shape): number =>
  1 + (items === undefined ? 0 : placesIn(items)) + [...fields.values()].reduce((sum, { shape }) => sum + placesIn(shape), 0);
