// V8 optimises functions that run often, in threads of its own. A check ends before this pays off. On a machine without idle processors,
// optimising takes as long as the check itself, so V8 should start later. The same applies to regular expressions, which V8 compiles again
// at their second use. Long-running processes (a language server, a run) keep V8's defaults.

/** Flags by V8 version, measured for Node 20, 22 and 24. Other versions keep their defaults. */
const MEASURES: readonly (readonly [version: string, flags: string])[] = [
  ["11.3.", "--interrupt-budget=500000 --regexp-tier-up-ticks=10"],
  ["12.4.", "--invocation-count-for-turbofan=15000 --regexp-tier-up-ticks=10"],
  ["13.6.", "--invocation-count-for-maglev=4000 --regexp-tier-up-ticks=10"],
];
const [, flags] = MEASURES.find(([version]) => process.versions.v8.startsWith(version)) ?? [];

/** Delays V8's optimisation. Must run before cached code is read, because V8 ties the code to one set of flags. */
export function compileLess(): void {
  // Importing this module loads Node's streams, so it is required only if needed.
  if (flags !== undefined) (require("node:v8") as typeof import("node:v8")).setFlagsFromString(flags);
}
