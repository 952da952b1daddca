// Attempts to escape through values that the realm's own code takes from the pack. Examples are objects that observe their readers, changed
// prototypes, and unusual results and errors.
import { caught, NOT_FOUND, own, probe, probeAlone, REFUSED_REQUEST } from "../probe.ts";
import { type Anything, CONTAINED, reach } from "../reach.ts";

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
  return callers.some((stack) => stack.includes("runner")) ? "called by the outer realm" : CONTAINED;
});
probeAlone("polluted prototypes", () => {
  let verdict = CONTAINED;
  const look = function (this: Anything, ...callArguments: Anything[]): Anything {
    if (verdict === CONTAINED) verdict = reach([this, callArguments]);
    return verdict;
  };
  (Object.prototype as Anything).toJSON = function (this: Anything) {
    look.call(this);
    delete (Object.prototype as Anything).toJSON;
    return this;
  };
  console.log({ a: 1 });
  const { map } = Array.prototype;
  Array.prototype.map = function (this: Anything, ...callArguments: Anything[]) {
    look.call(this, ...callArguments);
    return map.apply(this, callArguments as [Anything]);
  } as Anything;
  console.log(["a"]);
  Array.prototype.map = map;
  return verdict;
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
    let verdict = CONTAINED;
    let busy = false;
    holder[method] = function (this: Anything, ...callArguments: Anything[]) {
      if (!busy) {
        busy = true;
        if (verdict === CONTAINED) verdict = reach([this, callArguments]);
        busy = false;
      }
      return original.apply(this, callArguments);
    };
    await context.fetcher.fetch(REFUSED_REQUEST).catch(() => {});
    await context.fetcher.fetch(NOT_FOUND).catch(() => {});
    console.log({ a: 1 }, ["b"]);
    holder[method] = original;
    return verdict;
  });
}
probe("objects that watch who reads a request", async (context) => {
  const verdicts: string[] = [];
  const watched = (target: Anything): Anything =>
    new Proxy(target, {
      get(from, key) {
        const value = from[key];
        return typeof value === "function"
          ? function (this: Anything, ...callArguments: Anything[]) {
              verdicts.push(reach([this === from ? undefined : this, callArguments]));
              return value.apply(from, callArguments);
            }
          : value;
      },
    });
  const url = watched({ [Symbol.toPrimitive]: () => "https://example.com", toString: () => "https://example.com" });
  await context.fetcher.fetch(watched({ method: "GET", url, headers: watched({ a: url }) })).catch(() => {});
  return verdicts.find((each) => each !== CONTAINED && !each.startsWith("it.0")) ?? CONTAINED;
});
probeAlone("a text of bytes that is an object and watches who reads it", async (context) => {
  let verdict = CONTAINED;
  const watch = (_from: unknown, key: PropertyKey): undefined => {
    verdict = `the host asked it for ${String(key)}`;
    return undefined;
  };
  own.Buffer.prototype.toString = () => new Proxy({}, { get: watch, has: watch as Anything });
  await context.fetcher.fetch({ ...REFUSED_REQUEST, method: "POST", body: new Uint8Array(8) }).catch(() => {});
  return verdict;
});
probeAlone("an array of its own kind as the result", () => {
  const list: Anything = Array.from({ length: 1_000 }, () => CONTAINED);
  let verdict = CONTAINED;
  list.slice = (...callArguments: Anything[]) => {
    verdict = reach(callArguments);
    return [verdict];
  };
  list.constructor = {
    [Symbol.species](...callArguments: Anything[]) {
      verdict = reach(callArguments);
      return [];
    },
  };
  return {
    [Symbol.toPrimitive]: () => verdict,
    toJSON: (...callArguments: Anything[]) => (verdict === CONTAINED ? reach([callArguments, list]) : verdict),
  };
});
probe("a promise of its own kind as the result", () => {
  class Own extends Promise<unknown> {
    static override get [Symbol.species](): Anything {
      return function (this: Anything, executor: Anything) {
        reach(executor) === CONTAINED || console.log("out");
        return new Promise(executor);
      };
    }
  }
  return new Own((resolve) => resolve(CONTAINED));
});
probe("a thenable as the result", () => ({ then: (resolve: Anything, reject: Anything) => resolve(reach([resolve, reject])) }));
probeAlone("a result that is asked for its JSON", () => ({ toJSON: (...callArguments: Anything[]) => reach(callArguments) }));
probe("an error that watches who reads it", () => {
  let busy = false;
  let verdict = CONTAINED;
  throw new Proxy(Object.assign(new Error(CONTAINED), { name: "Watching" }), {
    get(target: Anything, key, ...more) {
      if (!busy) {
        busy = true;
        if (verdict === CONTAINED) verdict = reach([key, more]);
        busy = false;
      }
      return key === "message" ? verdict : target[key];
    },
  });
});
