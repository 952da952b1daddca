// What of the command line reads sources: a bundle of its own with TypeScript in it, loaded where there is a source to read.
export { checkFiles } from "./check/check-files.ts";
export { fixFiles, writeFixed } from "./check/fix-files.ts";
export { sarifReport } from "./check/reports/sarif.ts";
export { explain } from "./explain.ts";
export { configurationPlace, readsOf } from "./pack-source.ts";
