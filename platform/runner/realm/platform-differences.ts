// Reports that pack code uses something that differs on the platform: members of the context and headers of a response. Part of
// REALM_SOURCE.
export const PLATFORM_DIFFERENCES = `  // ---- what the platform has otherwise -------------------------------------------------------------------------------------
  let seen = create(null), seenCount = 0;
  const notice = (what, name) => {
    const key = what + " " + name;
    if (seen[key] === true || seenCount >= 20) return;
    seen[key] = true;
    seenCount++;
    post({ type: "noticed", executionId: current, platformDifference: { what, name, stack: framesOf(new RealmError().stack).slice(0, 4000) } });
  };
  /** What is looked for in an echo of the sandbox: whoever lists its fields knows which there are. */
  const ECHO_ITERATOR = Symbol.iterator, MOST_READS = 50;
  /** What is read of a result is not the pack's doing. */
  let isPackRunning = false;
  const echoOf = (echo, request) => {
    // Bytes are read by methods of their own, which take no proxy.
    if (echo === null || typeof echo !== "object" || isView(echo)) return echo;
    const read = create(null);
    let count = 0, listed = false;
    return new RealmProxy(echo, {
      get(target, name, receiver) {
        const field = name === ECHO_ITERATOR ? "[Symbol.iterator]" : name;
        // A promise is asked for then, and JSON for toJSON.
        if (isPackRunning && typeof field === "string" && field !== "then" && field !== "toJSON" && !(listed && hasOwn(target, field)) && read[field] !== true && count < MOST_READS) {
          read[field] = true;
          count++;
          post({ type: "echoRead", executionId: current, request, field });
        }
        return reflectGet(target, name, receiver);
      },
      ownKeys(target) { listed = true; return reflectKeys(target); },
    });
  };
  const asOwn = (object, name, value) => defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  /** A field of the context that is told when pack code reads it. It is not enumerable: who logs or spreads a context did not ask for it. */
  const told = (name, value) => freeze({
    get() { notice(name); return value; }, set(own) { asOwn(this, name, own); }, enumerable: false, configurable: true,
  });
  // Made once: with functions of its own each context would have a shape of its own, which V8 keeps, page by page of a table.
  const TOLD_LOGGER = told("logger", makeConsole());
  const TOLD_OF_SYNC = ["syncStateService", "previousCompletion", "continuation"].map((name) => [name, told(name, undefined)]);
  const withSync = (context, sync) => {
    context.sync = sync;
    for (const [name, field] of TOLD_OF_SYNC) defineProperty(context, name, field);
    return context;
  };
  /** Headers that the toolkit's own documentation and samples read: the platform must show them. */
  const SHOWN = { "content-type": true, "content-disposition": true, link: true, location: true };
  const headersOf = (headers) => {
    let listed = false, written;
    return new RealmProxy(headers, {
      get(target, name, receiver) {
        if (!listed && typeof name === "string" && SHOWN[name] !== true && (hasOwn(target, name) || name === "set-cookie") && !(written && written[name])) notice("responseHeader", name);
        return reflectGet(target, name, receiver);
      },
      // What the pack put there itself is no header of the response.
      defineProperty(target, name, descriptor) {
        written = written || create(null);
        written[name] = true;
        return reflectDefine(target, name, descriptor);
      },
      // Who looks at all of them, to log them, wants none.
      ownKeys(target) { listed = true; return reflectKeys(target); },
    });
  };`;
