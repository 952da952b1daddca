// Ways out through stacks: those that Node formats, and calls so near to the stack's end that they may not return.
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
/** Calls it at every depth near the stack's end, where it may not return; gives what was thrown and was no error of this realm. */
function atTheStacksEnd(work: () => unknown): Anything {
  let foreign: Anything;
  let left = 0;
  // On the way back from the end: how deep that is depends on what V8 made of the code.
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
// Where it was called from is in a stack, too: see below.
probeAlone("a fetch at the stack's end", async (context) => {
  const pendingRequests: Promise<unknown>[] = [];
  const thrown = atTheStacksEnd(() => pendingRequests.push(context.fetcher.fetch(REFUSED_REQUEST)));
  const rejected: unknown[] = [];
  for (const one of pendingRequests) void one.catch((error) => error instanceof Error || rejected.push(error));
  // Of some the host never heard, as the stack ended before: those settle never. Others are answered before one that is asked now.
  await context.fetcher.fetch(REFUSED_REQUEST).catch(() => {});
  return reachBeyondIntrinsics([thrown, ...rejected]);
});
// Node formats stacks with a function of its own, and V8 lets the pack see that it ended.
probeAlone("a stack that is read at the stack's end", () => reachBeyondIntrinsics(atTheStacksEnd(() => new Error("x").stack)));
