// Reads values of unknown origin into known shapes. Members that a shape does not have are dropped, and values that do not conform are
// refused.
import { isRecord } from "./is-record.ts";

/** Returns the value as a T, or throws {@link Misshapen}. */
export type Shape<T> = (value: unknown) => T;

export class Misshapen extends Error {}

const refuse = (): never => {
  throw new Misshapen();
};

const kind =
  <T>(fits: (value: unknown) => value is T): Shape<T> =>
  (value) =>
    fits(value) ? value : refuse();

export const text = kind((value): value is string => typeof value === "string");
export const flag = kind((value): value is boolean => typeof value === "boolean");
export const finite = kind((value): value is number => typeof value === "number" && Number.isFinite(value));
/** A non-negative integer. */
export const count = kind((value): value is number => typeof value === "number" && Number.isSafeInteger(value) && value >= 0);
export const anything: Shape<unknown> = (value) => value;

export const oneOf = <const T extends string>(...names: readonly T[]): Shape<T> => kind((value): value is T => names.includes(value as T));

export const list =
  <T>(item: Shape<T>): Shape<readonly T[]> =>
  (value) =>
    Array.isArray(value) ? value.map((each: unknown) => item(each)) : refuse();

/** An object with any names, and at most `most` of them. `__proto__` is an ordinary name. */
export const dictionary =
  <T>(item: Shape<T>, most = Number.POSITIVE_INFINITY): Shape<Readonly<Record<string, T>>> =>
  (value) => {
    const entries = Object.entries(members(value));
    if (entries.length > most) refuse();
    return Object.fromEntries(entries.map(([name, each]) => [name, item(each)]));
  };

export const either =
  <A, B>(first: Shape<A>, second: Shape<B>): Shape<A | B> =>
  (value) => {
    try {
      return first(value);
    } catch {
      return second(value);
    }
  };

const LEFT_OUT = Symbol("left out");
export type Optional<T> = T | typeof LEFT_OUT;

/** A field that may be missing. null counts as missing, since JSON has no undefined. */
export const optional =
  <T>(shape: Shape<T>): Shape<Optional<T>> =>
  (value) =>
    value === undefined || value === null ? LEFT_OUT : shape(value);

/** A field that is left out if its value does not conform. It is used for values that the author's code determines. */
export const lenient =
  <T>(shape: Shape<T>): Shape<Optional<T>> =>
  (value) => {
    try {
      return value === undefined || value === null ? LEFT_OUT : shape(value);
    } catch {
      return LEFT_OUT;
    }
  };

type Fields = Readonly<Record<string, Shape<unknown>>>;
type OptionalNames<F extends Fields> = {
  [K in keyof F]: unknown extends ReturnType<F[K]> ? never : typeof LEFT_OUT extends ReturnType<F[K]> ? K : never;
}[keyof F];
type Read<F extends Fields> = { readonly [K in Exclude<keyof F, OptionalNames<F>>]: ReturnType<F[K]> } & {
  readonly [K in OptionalNames<F>]?: Exclude<ReturnType<F[K]>, typeof LEFT_OUT>;
};

/** An object with these fields; others are dropped. */
export const record = <F extends Fields>(fields: F): Shape<Read<F>> => {
  const shapes = Object.entries(fields);
  return (value) => {
    const fieldValues = members(value);
    const result: Record<string, unknown> = {};
    for (const [name, shape] of shapes) {
      const read = shape(Object.hasOwn(fieldValues, name) ? fieldValues[name] : undefined);
      if (read !== LEFT_OUT) result[name] = read;
    }
    return result as Read<F>;
  };
};

const members = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : refuse());
