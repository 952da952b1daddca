// V8 compiles what runs often once more, in threads of its own. A check is over before that pays, and where threads of its own leave no
// processor free, it takes as long as the check itself: V8 is better asked to wait. So with regular expressions, which it compiles anew at
// their second use, and most of which are used a few times. What runs long (a language server, a run) is not asked.

/** By V8's version, as measured for Node 20, 22 and 24, and V8's own; another one is left as it is. */
const MEASURES: readonly (readonly [version: string, less: string, usual: string])[] = [
  ["11.3.", "--interrupt-budget=1000000 --regexp-tier-up-ticks=10", "--interrupt-budget=67584 --regexp-tier-up-ticks=1"],
  [
    "12.4.",
    "--invocation-count-for-turbofan=15000 --regexp-tier-up-ticks=10",
    "--invocation-count-for-turbofan=3000 --regexp-tier-up-ticks=1",
  ],
  ["13.6.", "--invocation-count-for-maglev=4000 --regexp-tier-up-ticks=10", "--invocation-count-for-maglev=400 --regexp-tier-up-ticks=1"],
];
const [, less, usual] = MEASURES.find(([version]) => process.versions.v8.startsWith(version)) ?? [];

/** Holds for all threads of the process. Compiled code is kept for one set of flags, so this comes before any is read. */
export const compileLess = (): void => set(less);

/** As before {@link compileLess}, for what comes with code compiled for V8's own flags, such as a thread of Node. */
export const compileAsUsual = (): void => set(usual);

function set(flags: string | undefined): void {
  // Node loads its streams with this module.
  if (flags !== undefined) (require("node:v8") as typeof import("node:v8")).setFlagsFromString(flags);
}
