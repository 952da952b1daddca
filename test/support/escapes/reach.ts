// Searches for a way out of the realm that this code runs in. It walks all objects reachable from a value, and reports the first that
// belongs to another realm. The code runs inside a pack, and uses only the platform's globals.

/** A value that the host let through, of any type. */
export type Anything = any;

/** Saved before any probe can change them. */
const { getPrototypeOf, getOwnPropertyDescriptor, isFrozen } = Object;
const { ownKeys } = Reflect;
const OwnObject = Object.prototype;
const OwnError = Error;

/** The result of a probe that found nothing. */
export const CONTAINED = "kept";

/** Returns "kept", or the path to an object of another realm, to `process`, or to a function that compiles strings. */
export const reach = (value: Anything): string => walk(value, () => false);

/**
 * Does the same, but ignores frozen built-ins of the other realm's language. Nobody can change them, and they offer nothing that this realm
 * lacks. For values that V8, and not the host, creates in the wrong realm.
 */
export const reachBeyondIntrinsics = (value: Anything): string =>
  walk(value, (foreign) => isFrozen(foreign) || isForeignError(foreign) || /^(?:get|set) stack$|^$/.test(nameOf(foreign)));

const isForeignError = (value: Anything): boolean => OwnObject.toString.call(value) === "[object Error]" && typeof value.stack === "string";
const nameOf = (value: Anything): string => (typeof value === "function" ? String(value.name) : "(an object)");

function walk(start: Anything, isHarmless: (foreign: Anything) => boolean): string {
  const visited = new Set<Anything>();
  const queue: Anything[] = [[start, "it"]];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const [value, path] = next;
    if (value === null || (typeof value !== "object" && typeof value !== "function") || visited.has(value)) continue;
    if (visited.size > 20_000) return "never at an end";
    visited.add(value);
    if (isForeign(value) && !isHarmless(value)) return `${path}: ${nameOf(value)} of another realm`;
    if (hasAuthority(value)) return `${path}: an object with authority`;
    if (makesCode(value)) return `${path}: code from strings`;
    for (const key of keysOf(value)) {
      const propertyDescriptor = descriptor(value, key);
      if (propertyDescriptor !== undefined && isForeign(propertyDescriptor)) return `${path}: a descriptor of another realm`;
      for (const part of ["value", "get", "set"]) queue.push([propertyDescriptor?.[part], `${path}.${String(key)}`]);
      // The value of an accessor is searched too.
      if (propertyDescriptor?.get !== undefined) queue.push([attempt(() => value[key]), `${path}.${String(key)}`]);
    }
    queue.push([attempt(() => getPrototypeOf(value)), `${path}.__proto__`]);
  }
  return CONTAINED;
}

/**
 * Returns whether the object belongs to another realm. Otherwise its prototype chain ends at this realm's Object.prototype, or the object
 * has no prototype.
 */
function isForeign(value: Anything): boolean {
  let top = value;
  for (let up = attempt(() => getPrototypeOf(top)); up !== null && up !== undefined; up = attempt(() => getPrototypeOf(top))) top = up;
  return top !== OwnObject && (top !== value || typeof value === "function");
}

const hasAuthority = (value: Anything): boolean =>
  attempt(
    () => typeof value.mainModule === "object" || typeof value.getBuiltinModule === "function" || typeof value.dlopen === "function",
  ) === true;

/** Returns whether the value is Function or one of its variants. */
const makesCode = (value: Anything): boolean =>
  typeof value === "function" &&
  /^(?:Async)?(?:Generator)?Function$/.test(nameOf(value)) &&
  attempt(() => typeof value("return 1") === "function") === true;

const keysOf = (value: Anything): readonly PropertyKey[] => attempt(() => ownKeys(value)) ?? [];
const descriptor = (value: Anything, key: PropertyKey): Anything => attempt(() => getOwnPropertyDescriptor(value, key));

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Searches the thrown value. An error of another realm is an escape in any case. */
export async function reachThrown(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    return error instanceof OwnError ? reach(error) : `threw something of another realm: ${reach(error)}`;
  }
  return "nothing was thrown";
}
