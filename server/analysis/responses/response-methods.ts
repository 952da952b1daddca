// The methods of arrays: those with a callback for each item, and those that strings lack.

/** The index of the item among the callback's parameters, by method. */
export const CALLBACK_METHODS: ReadonlyMap<string, number> = new Map([
  ["every", 0],
  ["filter", 0],
  ["find", 0],
  ["findIndex", 0],
  ["findLast", 0],
  ["flatMap", 0],
  ["forEach", 0],
  ["map", 0],
  ["reduce", 1],
  ["some", 0],
  ["sort", 0],
]);

/** Methods that strings lack, so that their receiver must be an array. */
export const METHODS_OF_LISTS: ReadonlySet<string> = new Set(
  Object.getOwnPropertyNames(Array.prototype).filter((name) => !(name in String.prototype)),
);

/** Methods whose callback decides whether the item matches. */
export const PREDICATE_METHODS: ReadonlySet<string> = new Set(["every", "filter", "find", "findIndex", "findLast", "some"]);
