// The part of the command line that reads sources. It is a bundle of its own because it contains TypeScript, and is loaded only if needed.

export { rulePages } from "../../server/analysis/features/source-report.ts";
export { RULES } from "../../server/analysis/rules/index.ts";
export { checkFiles } from "./check-files.ts";
export { fixFiles, writeFixed } from "./fix-files.ts";
export { configurationPlace, metadataPlaces, readsOf } from "./pack-source.ts";
export { readDomainEdits, readFindings, readOutline, writeSetup } from "./read-sources.ts";
export { storedFacts } from "./stored-facts.ts";
