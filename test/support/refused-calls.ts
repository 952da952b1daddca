// A file system that refuses for a while, as Windows does where a virus scanner or another window has a file open.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

type Refusable = "renameSync" | "mkdirSync" | "rmSync" | "rmdirSync" | "readFileSync" | "writeFileSync" | "openSync";

export interface RefusedCalls {
  /** How often it was refused. */
  count(): number;
  restore(): void;
}

/** Refuses the call with this code for paths that match: so many times, and then no more. */
export function refuseCalls(call: Refusable, matching: RegExp, code: string, times: number): RefusedCalls {
  const real = fs[call] as (...args: unknown[]) => unknown;
  let refusalCount = 0;
  Object.assign(fs, {
    [call]: (...args: unknown[]): unknown => {
      // Of a rename the target counts.
      const path = String(args[call === "renameSync" ? 1 : 0]);
      if (!matching.test(path) || refusalCount >= times) return real.apply(fs, args);
      refusalCount++;
      throw Object.assign(new Error(`${code}: operation not permitted, ${call} '${path}'`), { code });
    },
  });
  syncBuiltinESMExports();
  return {
    count: () => refusalCount,
    restore() {
      Object.assign(fs, { [call]: real });
      syncBuiltinESMExports();
    },
  };
}
