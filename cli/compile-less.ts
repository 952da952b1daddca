// V8 compiles what runs often once more, in threads of its own. Beside threads of ours, which leave it no processor, they take as much time
// as the check itself: there they are better asked later.
import { setFlagsFromString } from "node:v8";

/** By V8's version: what says so, and what it is otherwise. From 13 on there is none that helps. */
const MEASURES: readonly (readonly [version: string, less: string, ever: string])[] = [
  ["11.3.", "--interrupt-budget=300000", "--interrupt-budget=67584"],
  ["12.4.", "--invocation-count-for-turbofan=15000", "--invocation-count-for-turbofan=3000"],
];

const measure = MEASURES.find(([version]) => process.versions.v8.startsWith(version));

/**
 * Holds for all threads of the process. Code that was compiled before is not taken by those that start under another measure, so a thread
 * says it once it has been loaded.
 */
export function compileLess(): void {
  if (measure !== undefined) setFlagsFromString(measure[1]);
}

/** What is compiled is kept for other runs, which take it only where it was kept under the usual measure. */
export function compileAsEver(): void {
  if (measure !== undefined) setFlagsFromString(measure[2]);
}
