// V8 compiles what runs often once more, in threads of its own. A check is over before that pays, and where no processor is free for them,
// it takes as long as the check itself: V8 is better asked to wait. So with regular expressions, which it compiles anew at
// their second use, and most of which are used a few times. What runs long (a language server, a run) is not asked.

/** By V8's version, as measured for Node 20, 22 and 24; another one is left as it is. */
const MEASURES: readonly (readonly [version: string, flags: string])[] = [
  ["11.3.", "--interrupt-budget=500000 --regexp-tier-up-ticks=10"],
  ["12.4.", "--invocation-count-for-turbofan=15000 --regexp-tier-up-ticks=10"],
  ["13.6.", "--invocation-count-for-maglev=4000 --regexp-tier-up-ticks=10"],
];
const [, flags] = MEASURES.find(([version]) => process.versions.v8.startsWith(version)) ?? [];

/** Compiled code is kept for one set of flags, so this comes before any is read. */
export function compileLess(): void {
  // Node loads its streams with this module.
  if (flags !== undefined) (require("node:v8") as typeof import("node:v8")).setFlagsFromString(flags);
}
