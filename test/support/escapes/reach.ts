// Looks for a way out of the realm that this code runs in: walks everything that hangs on a value and tells of the first thing that
// was not made here. It runs inside a pack, on the platform's globals alone.

/** What is looked at is whatever the host let through. */
export type Anything = any;

/** Taken before any probe bends them. */
const { getPrototypeOf, getOwnPropertyDescriptor, isFrozen } = Object;
const { ownKeys } = Reflect;
const OwnObject = Object.prototype;
const OwnError = Error;

/** What a probe says where it found nothing. */
export const CONTAINED = "kept";

/**
 * "kept", or the path to something of another realm, to `process`, or to a function that makes code of strings.
 */
export const reach = (value: Anything): string => walk(value, () => false);

/**
 * The same, but what the language itself brings to the other realm may be seen, where it is frozen: nobody can change it, and it gives nothing that this realm has
 * not. For values that V8, and not the host, makes in the wrong realm.
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
      // What an accessor gives is looked at too.
      if (propertyDescriptor?.get !== undefined) queue.push([attempt(() => value[key]), `${path}.${String(key)}`]);
    }
    queue.push([attempt(() => getPrototypeOf(value)), `${path}.__proto__`]);
  }
  return CONTAINED;
}

/** Every chain of prototypes ends at this realm's Object.prototype, or at an object without any. */
function isForeign(value: Anything): boolean {
  let top = value;
  for (let up = attempt(() => getPrototypeOf(top)); up !== null && up !== undefined; up = attempt(() => getPrototypeOf(top))) top = up;
  return top !== OwnObject && (top !== value || typeof value === "function");
}

const hasAuthority = (value: Anything): boolean =>
  attempt(
    () => typeof value.mainModule === "object" || typeof value.getBuiltinModule === "function" || typeof value.dlopen === "function",
  ) === true;

/** Function, or one of its relatives. */
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

/** What is thrown by errors that are ours is looked at; everything thrown is. */
export async function reachThrown(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    return error instanceof OwnError ? reach(error) : `threw something of another realm: ${reach(error)}`;
  }
  return "nothing was thrown";
}
