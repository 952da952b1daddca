// Attempts to escape through stacks: those that Node formats, and calls near the end of the stack, which may not return.
import { caught, own, probeAlone, REFUSED_REQUEST } from "../probe.ts";
import { type Anything, CONTAINED, reach, reachBeyondIntrinsics } from "../reach.ts";

probeAlone("through prepareStackTrace", () => {
  let verdict = "never asked";
  (Error as Anything).prepareStackTrace = (error: unknown, sites: Anything[]) => {
    verdict = reach([error, sites]);
    for (const site of sites) {
      for (const name of Reflect.ownKeys(Object.getPrototypeOf(site))) {
        const value = caught(() => site[name]()) === undefined ? site[name]() : undefined;
        if (verdict === CONTAINED) verdict = reach(value);
      }
    }
    return "";
  };
  void new Error("x").stack;
  void caught(() => own.crypto.getRandomValues(0)).stack;
  return verdict;
});
/**
 * Calls the function at every depth near the end of the stack, where it may not return. Returns a thrown value that is not an error of this
 * realm.
 */
function atTheStacksEnd(work: () => unknown): Anything {
  let foreign: Anything;
  let left = 0;
  // The calls begin on the way back from the end, because the depth of the stack depends on V8's compiled code.
  const dive = (): void => {
    try {
      dive();
    } catch (error) {
      if (!(error instanceof Error)) foreign ??= error;
    }
    if (foreign === undefined && left-- > 0) work();
  };
  for (let times = 0; times < 2 && foreign === undefined; times++) {
    left = 1_000;
    dive();
  }
  return foreign;
}
probeAlone("a call to the console at the stack's end", () => reach(atTheStacksEnd(() => console.log(""))));
probeAlone("a call to crypto at the stack's end", () => reach(atTheStacksEnd(() => own.crypto.getRandomValues(new Uint8Array(8)))));
// The caller's stack is formatted too: see below.
probeAlone("a fetch at the stack's end", async (context) => {
  const pendingRequests: Promise<unknown>[] = [];
  const thrown = atTheStacksEnd(() => pendingRequests.push(context.fetcher.fetch(REFUSED_REQUEST)));
  const rejected: unknown[] = [];
  for (const one of pendingRequests) void one.catch((error) => error instanceof Error || rejected.push(error));
  // The host never receives some requests, because the stack ended before; these never settle. The others settle before a new request does.
  await context.fetcher.fetch(REFUSED_REQUEST).catch(() => {});
  return reachBeyondIntrinsics([thrown, ...rejected]);
});
// Node formats stacks with its own function, and V8 lets the pack see that this function ran out of stack.
probeAlone("a stack that is read at the stack's end", () => reachBeyondIntrinsics(atTheStacksEnd(() => new Error("x").stack)));
