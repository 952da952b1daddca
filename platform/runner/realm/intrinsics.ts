// The intrinsics that the realm's own code uses, saved before any pack code runs, and `post`, the only way out. Part of REALM_SOURCE.
export const INTRINSICS = `  // Taken now: pack code may replace any of these later.
  const { parse, stringify } = JSON;
  const { freeze, defineProperty, create, keys, hasOwn, assign } = Object;
  const RealmError = Error, RealmTypeError = TypeError, RealmPromise = Promise, RealmDate = Date, RealmMap = Map, RealmSet = Set, RealmWeakSet = WeakSet;
  const PART = 200;
  const arraySlice = Array.prototype.slice, apply = Reflect.apply;
  const RealmProxy = Proxy, reflectGet = Reflect.get, reflectKeys = Reflect.ownKeys, reflectDefine = Reflect.defineProperty;
  const slice = (list, from, to) => apply(arraySlice, list, [from, to]);
  const isArray = Array.isArray, toNumber = Number, toText = String, isView = ArrayBuffer.isView, Bytes = Uint8Array;
  /** Why the last message that was none could not be written. */
  let unwritten;
  const post = (message, attachment) => {
    let text;
    try { text = stringify(message); } catch (error) { text = undefined; unwritten = error; }
    try { if (typeof text === "string") send(text, typeof attachment === "string" ? attachment : undefined); } catch { /* the error belongs to the outer realm: it stays here */ }
    return typeof text === "string";
  };`;
