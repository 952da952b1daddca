// The methods of lists: those that call back for each item, and those that tell a list from a text.

/** Method → which parameter of its callback is the item. */
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

/** What no text has: who calls one has a list. */
export const METHODS_OF_LISTS: ReadonlySet<string> = new Set(
  Object.getOwnPropertyNames(Array.prototype).filter((name) => !(name in String.prototype)),
);

/** Those that ask whether the item is what is looked for. */
export const PREDICATE_METHODS: ReadonlySet<string> = new Set(["every", "filter", "find", "findIndex", "findLast", "some"]);
