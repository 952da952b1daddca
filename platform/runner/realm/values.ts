// Values that cross the boundary: parameters, thrown errors, and objects that JSON does not preserve. Part of REALM_SOURCE.
export const VALUES = `  // ---- values across the boundary ----------------------------------------------------------------------------------------
  const revive = (value) => {
    if (isArray(value)) return value.map(revive);
    if (value === null || typeof value !== "object") return value;
    if (typeof value.$date === "string") return new RealmDate(value.$date);
    const result = {};
    for (const key of keys(value)) defineProperty(result, key, { value: revive(value[key]), writable: true, enumerable: true, configurable: true });
    return result;
  };
  const thrown = (error) => {
    try {
      if (error !== null && typeof error === "object") {
        const name = toText(error.name || "Error").slice(0, 200);
        const cause = error.cause === undefined ? "" : " (caused by " + (error.cause instanceof RealmError ? error.cause.name + ": " + error.cause.message : describe(error.cause, 1)) + ")";
        return {
          name, message: ((error.message === undefined ? "The pack threw " + describe(error, 0) + ", which is no Error." : toText(error.message)) + cause).slice(0, 65536),
          ...(typeof error.stack === "string" ? { stack: error.stack.slice(0, 32768) } : {}),
          userVisible: error.isUserVisible === true || name === "UserVisibleError", isOwn: !ofFetch.has(error),
        };
      }
      return { name: "Error", message: (typeof error === "string" ? error : "The pack threw " + describe(error, 0) + ", which is no Error.").slice(0, 65536) };
    } catch { return { name: "Error", message: "The pack threw a value that cannot be read." }; }
  };

  // What JSON makes something else of: a Date becomes its text, a promise and a Map or Set become {}. Where they stood is told, since the
  // platform's types know no such objects.
  let dates = 0, others = 0;
  /** Once, for all results: a prototype that changes with each of them makes V8 throw away what it knows of it, and keep the ways there. */
  const countLost = (prototype, count) => {
    const own = prototype.toJSON;
    const toJSON = typeof own === "function" ? function (key) { count(); return apply(own, this, [key]); } : function () { count(); return this; };
    defineProperty(prototype, "toJSON", { value: toJSON, writable: true, enumerable: false, configurable: true });
  };
  countLost(RealmDate.prototype, () => { dates++; });
  for (const { prototype } of [RealmPromise, RealmMap, RealmSet]) countLost(prototype, () => { others++; });
  const noteLost = (send, value) => {
    dates = others = 0;
    let found;
    const places = (which) => () => (dates + others === 0 ? undefined : (found = found || lostIn(value))[which]);
    return send({ dates: places("dates"), promises: places("promises"), collections: places("collections") });
  };
  const lostIn = (value) => {
    const found = { dates: [], promises: [], collections: [] };
    let looked = 0;
    const add = (list, path) => { if (list.length < 20) list.push(path); };
    const walk = (item, path, depth) => {
      if (item === null || typeof item !== "object" || depth > 20 || ++looked > 100000) return;
      if (item instanceof RealmDate) add(found.dates, path);
      else if (item instanceof RealmPromise) add(found.promises, path);
      else if (item instanceof RealmMap || item instanceof RealmSet) add(found.collections, path);
      else if (isArray(item)) for (let i = 0; i < item.length; i++) walk(item[i], path + "[" + i + "]", depth + 1);
      else for (const key of keys(item)) walk(item[key], path === "" ? key : path + "." + key, depth + 1);
    };
    try { walk(value, "", 0); } catch { /* a getter that throws: what was found is told */ }
    return found;
  };`;
