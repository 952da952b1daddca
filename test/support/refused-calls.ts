// A file system that refuses calls for a while, as Windows does while a virus scanner or another window has a file open.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

type Refusable = "renameSync" | "mkdirSync" | "rmSync" | "rmdirSync" | "readFileSync" | "writeFileSync" | "openSync";

export interface RefusedCalls {
  /** Returns the number of refused calls. */
  count(): number;
  restore(): void;
}

/** Refuses the call with this code for matching paths, up to `times` times. */
export function refuseCalls(call: Refusable, matching: RegExp, code: string, times: number): RefusedCalls {
  const real = fs[call] as (...args: unknown[]) => unknown;
  let refusalCount = 0;
  Object.assign(fs, {
    [call]: (...args: unknown[]): unknown => {
      // For a rename, the target path decides.
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
