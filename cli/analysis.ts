// The part of the command line that reads sources. It is a bundle of its own because it contains TypeScript, and is loaded only if needed.
export { rulePages } from "../server/analysis/features/source-report.ts";
export { checkFiles } from "./check/check-files.ts";
export { fixFiles, writeFixed } from "./check/fix-files.ts";
export { sarifReport } from "./check/reports/sarif.ts";
export { readDomainEdits, readFindings, readOutline, writeSetup } from "./mcp/read-sources.ts";
export { configurationPlace, metadataPlaces, readsOf } from "./pack-source.ts";
