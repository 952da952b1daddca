// What pack code must never be able to do, as a pack that tries it (security.md 1): the one table of probes for every Node and for the
// extension host of the real VS Code. Each formula gives "kept" unless it got out; its description says what it tried.
import * as coda from "@codahq/packs-sdk";
import { type Anything, KEPT, reach, reachBeyondIntrinsics, reachThrown } from "./reach.ts";

export const pack = coda.newPack();
pack.addNetworkDomain("example.com");

type Probe = (context: Anything, secretFile: string) => unknown;
let probes = 0;

/** A probe that leaves its process as it was, so that others may follow in it. */
function probe(description: string, body: Probe, name = `Probe${++probes}`): void {
  pack.addFormula({
    name,
    description,
    parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "secretFile", description: "A file that nobody may read." })],
    resultType: coda.ValueType.String,
    connectionRequirement: coda.ConnectionRequirement.None,
    execute: async ([secretFile], context) => (await body(context, secretFile)) as string,
  });
}

/** A probe that bends what others rely on. */
function probeAlone(description: string, body: Probe): void {
  probe(description, body, `Alone${++probes}`);
}

const own: Anything = globalThis;
const caught = (work: () => unknown): Anything => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
};
const REFUSED = { method: "GET", url: "https://example.com" };
const NOT_FOUND = { method: "GET", url: "https://example.com/404" };

// ---- what is handed to the pack

probe("through what is global", () => reach(own));
probe("through the context", (context) => reach(context));
probe("through the promise of a fetch", (context) => {
  const promise = context.fetcher.fetch(REFUSED);
  promise.catch(() => {});
  return reach(promise);
});
probe("through the error of a fetch", (context) => reachThrown(() => context.fetcher.fetch(REFUSED)));
probe("through the error of a fetch that makes no sense", (context) => reachThrown(() => context.fetcher.fetch(Symbol("request"))));
probe("through a StatusCodeError", (context) => reachThrown(() => context.fetcher.fetch(NOT_FOUND)));
probe("through the response of a StatusCodeError", async (context) => {
  const error = await context.fetcher.fetch(NOT_FOUND).catch((thrown: unknown) => thrown);
  return reach([error.response, error.options, error.body]);
});
probe("through the blob storage", async (context) => {
  const { temporaryBlobStorage } = context;
  const thrown = [
    await reachThrown(() => temporaryBlobStorage.storeBlob("no buffer", "text/plain")),
    await reachThrown(() => temporaryBlobStorage.storeUrl("https://example.com/404")),
  ];
  return thrown.find((found) => found !== KEPT) ?? reach(temporaryBlobStorage);
});
probe("through the logger and the console", (context) => reach([context.logger, console]));
probe("through Buffer", () => reach([Buffer, Buffer.from("a")]));
probe("through crypto", () => reach([own.crypto, own.crypto.getRandomValues(new Uint8Array(4))]));
probe("through the errors of crypto", () =>
  reach(
    [70_000, 0, -1]
      .map((size) => caught(() => own.crypto.getRandomValues(size < 0 ? "no array" : new Uint8Array(size))))
      .concat(caught(() => own.crypto.getRandomValues(0))),
  ),
);
probe("what the toolkit's script left behind", () =>
  own.__packAuthToolkit === undefined && own.__packAuthExports === undefined ? KEPT : "left",
);

// ---- code from strings, imports, Node

probe("eval", () => reachThrown(() => own.eval("1")));
for (const [name, maker] of [
  ["a function", () => {}],
  ["an async function", async () => {}],
  ["a generator", function* () {}],
  ["an async generator", async function* () {}],
  ["a function of the host", console.log],
] as const) {
  probe(`the constructor of ${name}`, () => {
    const error = caught(() => (maker.constructor as Anything)("return 1"));
    return error === undefined ? "made code" : reach(error);
  });
}
probe("a literal import", (context) =>
  reachThrown(async () => {
    const name = context.nothing ?? "node:fs";
    const module = await import(/* @vite-ignore */ name);
    if (typeof module?.readFileSync === "function") throw new Error("imported");
    throw new Error(KEPT);
  }),
);
probe("a built-in module", (_context, secretFile) => {
  for (const fs of [
    require("node:fs"),
    require("node:fs/promises"),
    require("node:child_process"),
    require("node:worker_threads"),
    require("node:vm"),
    require("node:inspector"),
    require("node:net"),
  ]) {
    for (const name of ["readFileSync", "readFile", "spawn", "execSync", "Worker", "runInThisContext", "open", "connect"])
      if (typeof fs[name] === "function") return `has ${name} for ${secretFile}`;
  }
  return KEPT;
});
probe("the environment", () => (Object.keys(process.env ?? {}).length === 0 ? KEPT : "environment"));
probe("native bindings", () => (caught(() => (process as Anything).binding("fs")) === undefined ? "bound" : KEPT));
probe("timers, network, workers and modules among the globals", () => {
  const names =
    "setTimeout setInterval setImmediate queueMicrotask fetch XMLHttpRequest WebSocket EventSource Worker MessageChannel BroadcastChannel SharedWorker URL structuredClone navigator performance importScripts require module global ShadowRealm";
  return (
    names
      .split(" ")
      .filter((name) => typeof own[name] !== "undefined")
      .join() || KEPT
  );
});

// ---- what V8 and Node do for a realm

probe("a script of WebAssembly that streams: Node reads it outside", async () => {
  const { compileStreaming, instantiateStreaming } = own.WebAssembly;
  const found: string[] = [];
  for (const stream of [compileStreaming, instantiateStreaming]) {
    if (stream === undefined) continue;
    const look = (...given: Anything[]): string => {
      found.push(reach(given));
      return "";
    };
    const source = {
      then(resolve: Anything, reject: Anything) {
        look(resolve, reject);
        resolve({ [Symbol.for("nodejs.util.inspect.custom")]: look });
      },
    };
    found.push(await reachThrown(() => stream.call(own.WebAssembly, source)));
  }
  return found.find((each) => each !== KEPT) ?? KEPT;
});
probe("through the errors of WebAssembly", async () => {
  const { compile, instantiate, Module, Memory } = own.WebAssembly;
  const errors = [caught(() => new Module(new Uint8Array(3))), caught(() => new Memory({ initial: 70_000 }))];
  for (const make of [compile, instantiate]) errors.push(await make(new Uint8Array(3)).catch((error: unknown) => error));
  return reach(errors);
});
probe("through errors of the language", () =>
  reach(
    [
      () => own.nothing.at.all,
      () => new Array(-1),
      () => "x".repeat(2 ** 30),
      () => new ArrayBuffer(2 ** 53),
      () => new RegExp(own.nothing ?? "("),
      () => JSON.parse("{"),
      () => BigInt(1.5),
      () => Atomics.wait(new Int32Array(4), 0, 0),
      () => Object.setPrototypeOf(own, own),
      () => Object.preventExtensions(own),
      () => new Proxy({}, { getPrototypeOf: () => 1 as Anything }) instanceof Object,
      () => new Intl.DateTimeFormat("x-no-language-of-this-world-at-all"),
    ].map(caught),
  ),
);
probe("through the objects of the language", () =>
  reach([
    (async () => {})(),
    (async function* () {})(),
    (function* () {})(),
    [][Symbol.iterator](),
    new Map().entries(),
    "a".matchAll(/a/g),
    new Intl.Segmenter().segment("a")[Symbol.iterator](),
    new WeakRef({}),
    new SharedArrayBuffer(8),
    own.Iterator?.from([1]),
  ]),
);
probe("through what waits for shared memory", () => reach(own.Atomics.waitAsync?.(new Int32Array(new SharedArrayBuffer(8)), 0, 0, 5)));
probe("through accessors on the global object, and its descriptors", () => {
  const found: string[] = [];
  let busy = false;
  const look = function (this: Anything): number {
    // What is looked at has this accessor too.
    if (!busy) {
      busy = true;
      found.push(reach(this));
      busy = false;
    }
    return 1;
  };
  Object.defineProperty(own, "probed", { configurable: true, get: look, set: look });
  void own.probed;
  own.probed = 2;
  found.push(reach(Object.getOwnPropertyDescriptor(own, "probed")));
  delete own.probed;
  return found.find((each) => each !== KEPT) ?? KEPT;
});
probe("through a constant of the global object", () => {
  Object.defineProperty(own, "constant", { value: 1, configurable: false, writable: false });
  return reach([
    caught(() => (own.constant = 2)),
    caught(() => Object.defineProperty(own, "constant", { value: 3 })),
    caught(() => delete own.constant),
  ]);
});
probeAlone("through the prototype of the global object", () => {
  const found: string[] = [];
  const trap =
    (name: string) =>
    (...given: Anything[]): Anything => {
      found.push(reach(given.slice(0, 2)));
      return (Reflect as Anything)[name](...given);
    };
  const traps = Object.fromEntries(["get", "has", "getOwnPropertyDescriptor", "set"].map((name) => [name, trap(name)]));
  const before = Object.getPrototypeOf(own);
  Object.setPrototypeOf(own, new Proxy(before, traps));
  void new Error("x").stack;
  own.somethingNew = 1;
  Object.setPrototypeOf(own, before);
  return found.find((each) => each !== KEPT) ?? KEPT;
});

// ---- stacks

probeAlone("through prepareStackTrace", () => {
  let found = "never asked";
  (Error as Anything).prepareStackTrace = (error: unknown, sites: Anything[]) => {
    found = reach([error, sites]);
    for (const site of sites) {
      for (const name of Reflect.ownKeys(Object.getPrototypeOf(site))) {
        const value = caught(() => site[name]()) === undefined ? site[name]() : undefined;
        if (found === KEPT) found = reach(value);
      }
    }
    return "";
  };
  void new Error("x").stack;
  void caught(() => own.crypto.getRandomValues(0)).stack;
  return found;
});
/** Calls it so near to the stack's end that it may not return, at every depth; gives what was thrown and was no error of this realm. */
function atTheStacksEnd(work: () => unknown): Anything {
  let foreign: Anything;
  const dive = (depth: number): void => {
    try {
      if (depth > 0) dive(depth - 1);
      else work();
    } catch (error) {
      if (!(error instanceof Error)) foreign ??= error;
    }
  };
  let deepest = 0;
  const measure = (): void => {
    deepest++;
    measure();
  };
  caught(measure);
  for (let depth = deepest - 900; depth < deepest + 300 && foreign === undefined; depth++) dive(depth);
  return foreign;
}
probeAlone("a call to the console at the stack's end", () => {
  let calls = 0;
  return reach(atTheStacksEnd(() => calls++ < 4_000 && console.log("")));
});
probeAlone("a call to crypto at the stack's end", () => reach(atTheStacksEnd(() => own.crypto.getRandomValues(new Uint8Array(8)))));
probeAlone("a fetch at the stack's end", (context) => reach(atTheStacksEnd(() => context.fetcher.fetch(REFUSED).catch(() => {}))));
// Node formats stacks with a function of its own, and V8 lets the pack see that it ended.
probeAlone("a stack that is read at the stack's end", () => reachBeyondIntrinsics(atTheStacksEnd(() => new Error("x").stack)));

// ---- what the realm's own code takes from the pack

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
