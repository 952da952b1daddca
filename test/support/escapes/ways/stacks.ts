// Ways out through stacks: those that Node formats, and calls so near to the stack's end that they may not return.
import { caught, own, probeAlone, REFUSED } from "../probe.ts";
import { type Anything, KEPT, reach, reachBeyondIntrinsics } from "../reach.ts";

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
