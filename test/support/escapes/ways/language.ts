// Attempts to escape through objects that V8 and Node create for a realm: WebAssembly, errors and objects of the language, the global
// object.
import { caught, own, probe, probeAlone } from "../probe.ts";
import { type Anything, CONTAINED, reach, reachThrown } from "../reach.ts";

probe("a script of WebAssembly that streams: Node reads it outside", async () => {
  const { compileStreaming, instantiateStreaming } = own.WebAssembly;
  const verdicts: string[] = [];
  for (const stream of [compileStreaming, instantiateStreaming]) {
    if (stream === undefined) continue;
    const look = (...callArguments: Anything[]): string => {
      verdicts.push(reach(callArguments));
      return "";
    };
    const source = {
      then(resolve: Anything, reject: Anything) {
        look(resolve, reject);
        resolve({ [Symbol.for("nodejs.util.inspect.custom")]: look });
      },
    };
    verdicts.push(await reachThrown(() => stream.call(own.WebAssembly, source)));
  }
  return verdicts.find((each) => each !== CONTAINED) ?? CONTAINED;
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
  const verdicts: string[] = [];
  let busy = false;
  const look = function (this: Anything): number {
    // The searched object has this accessor too.
    if (!busy) {
      busy = true;
      verdicts.push(reach(this));
      busy = false;
    }
    return 1;
  };
  Object.defineProperty(own, "probed", { configurable: true, get: look, set: look });
  void own.probed;
  own.probed = 2;
  verdicts.push(reach(Object.getOwnPropertyDescriptor(own, "probed")));
  delete own.probed;
  return verdicts.find((each) => each !== CONTAINED) ?? CONTAINED;
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
  const verdicts: string[] = [];
  const trap =
    (name: string) =>
    (...callArguments: Anything[]): Anything => {
      verdicts.push(reach(callArguments.slice(0, 2)));
      return (Reflect as Anything)[name](...callArguments);
    };
  const traps = Object.fromEntries(["get", "has", "getOwnPropertyDescriptor", "set"].map((name) => [name, trap(name)]));
  const before = Object.getPrototypeOf(own);
  Object.setPrototypeOf(own, new Proxy(before, traps));
  void new Error("x").stack;
  own.somethingNew = 1;
  Object.setPrototypeOf(own, before);
  return verdicts.find((each) => each !== CONTAINED) ?? CONTAINED;
});
