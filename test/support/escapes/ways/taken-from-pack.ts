// Ways out through what the realm's own code takes from the pack: objects that watch who reads them, bent prototypes, results and errors of their own kind.
import { caught, NOT_FOUND, own, probe, probeAlone, REFUSED } from "../probe.ts";
import { type Anything, KEPT, reach } from "../reach.ts";

probeAlone("a number that is an object, for crypto", () => {
  (ArrayBuffer as Anything).isView = () => true;
  const callers: string[] = [];
  const byteLength = {
    valueOf() {
      callers.push(new Error("x").stack ?? "");
      return 4;
    },
  };
  caught(() => own.crypto.getRandomValues({ byteLength, byteOffset: 0, buffer: new ArrayBuffer(4) }));
  return callers.some((stack) => stack.includes("runner")) ? "called by the outer realm" : KEPT;
});
probeAlone("polluted prototypes", () => {
  let found = KEPT;
  const look = function (this: Anything, ...given: Anything[]): Anything {
    if (found === KEPT) found = reach([this, given]);
    return found;
  };
  (Object.prototype as Anything).toJSON = function (this: Anything) {
    look.call(this);
    delete (Object.prototype as Anything).toJSON;
    return this;
  };
  console.log({ a: 1 });
  const { map } = Array.prototype;
  Array.prototype.map = function (this: Anything, ...given: Anything[]) {
    look.call(this, ...given);
    return map.apply(this, given as [Anything]);
  } as Anything;
  console.log(["a"]);
  Array.prototype.map = map;
  return found;
});
for (const [owner, method] of [
  [Promise.prototype, "then"],
  [Map.prototype, "set"],
  [Map.prototype, "get"],
  [Map.prototype, "delete"],
  [String.prototype, "slice"],
  [String.prototype, "split"],
  [Object, "keys"],
  [JSON, "stringify"],
  [JSON, "parse"],
] as const) {
  probeAlone(`a replaced ${method}`, async (context) => {
    const holder = owner as Anything;
    const original = holder[method];
    let found = KEPT;
    let busy = false;
    holder[method] = function (this: Anything, ...given: Anything[]) {
      if (!busy) {
        busy = true;
        if (found === KEPT) found = reach([this, given]);
        busy = false;
      }
      return original.apply(this, given);
    };
    await context.fetcher.fetch(REFUSED).catch(() => {});
    await context.fetcher.fetch(NOT_FOUND).catch(() => {});
    console.log({ a: 1 }, ["b"]);
    holder[method] = original;
    return found;
  });
}
probe("objects that watch who reads a request", async (context) => {
  const found: string[] = [];
  const watched = (target: Anything): Anything =>
    new Proxy(target, {
      get(from, key) {
        const value = from[key];
        return typeof value === "function"
          ? function (this: Anything, ...given: Anything[]) {
              found.push(reach([this === from ? undefined : this, given]));
              return value.apply(from, given);
            }
          : value;
      },
    });
  const url = watched({ [Symbol.toPrimitive]: () => "https://example.com", toString: () => "https://example.com" });
  await context.fetcher.fetch(watched({ method: "GET", url, headers: watched({ a: url }) })).catch(() => {});
  return found.find((each) => each !== KEPT && !each.startsWith("it.0")) ?? KEPT;
});
probeAlone("a text of bytes that is an object and watches who reads it", async (context) => {
  let found = KEPT;
  const watch = (_from: unknown, key: PropertyKey): undefined => {
    found = `the host asked it for ${String(key)}`;
    return undefined;
  };
  own.Buffer.prototype.toString = () => new Proxy({}, { get: watch, has: watch as Anything });
  await context.fetcher.fetch({ ...REFUSED, method: "POST", body: new Uint8Array(8) }).catch(() => {});
  return found;
});
probe("an array of its own kind as the result", () => {
  const list: Anything = Array.from({ length: 1_000 }, () => KEPT);
  let found = KEPT;
  list.slice = (...given: Anything[]) => {
    found = reach(given);
    return [found];
  };
  list.constructor = {
    [Symbol.species](...given: Anything[]) {
      found = reach(given);
      return [];
    },
  };
  return { [Symbol.toPrimitive]: () => found, toJSON: (...given: Anything[]) => (found === KEPT ? reach([given, list]) : found) };
});
probe("a promise of its own kind as the result", () => {
  class Own extends Promise<unknown> {
    static override get [Symbol.species](): Anything {
      return function (this: Anything, executor: Anything) {
        reach(executor) === KEPT || console.log("out");
        return new Promise(executor);
      };
    }
  }
  return new Own((resolve) => resolve(KEPT));
});
probe("a thenable as the result", () => ({ then: (resolve: Anything, reject: Anything) => resolve(reach([resolve, reject])) }));
probe("a result that is asked for its JSON", () => ({ toJSON: (...given: Anything[]) => reach(given) }));
probe("an error that watches who reads it", () => {
  let busy = false;
  let found = KEPT;
  throw new Proxy(Object.assign(new Error(KEPT), { name: "Watching" }), {
    get(target: Anything, key, ...more) {
      if (!busy) {
        busy = true;
        if (found === KEPT) found = reach([key, more]);
        busy = false;
      }
      return key === "message" ? found : target[key];
    },
  });
});
