// Packs of several files in memory, for tests of which files belong to a pack. The requests contain a mistake that is only found if their
// file belongs to the pack.
import { type Analysis, createAnalysis } from "../../server/analysis/analysis.ts";
import { quietRules } from "./quiet-rules.ts";

/** A pack of one domain, without authentication. */
export const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n`;
/** Requests with a placeholder that a pack with the parameter `key` does not declare. */
export const REQUESTS = `export const url = (context) => \`https://example.com/?key={{keyy-\${context.invocationToken}}}\`;\n`;
/** Returns a pack of Custom authentication that begins with an import. */
export const packOf = (importing: string, param = "key"): string =>
  `${importing}\n${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "${param}", description: "Key" }] });\n`;

/** Creates an analysis of files that can change on disk. */
export function workspace(files: Record<string, string>): { readonly analysis: Analysis; readonly files: Record<string, string> } {
  const analysis = createAnalysis({ readFile: (path) => files[path] });
  analysis.configure({ rules: quietRules() });
  analysis.addCandidates(Object.keys(files).filter((path) => !path.endsWith(".json")));
  return { analysis, files };
}

/** Returns the rules with a finding in a file. */
export const rules = (analysis: Analysis, path: string): readonly string[] => analysis.diagnostics(path).map(({ rule }) => rule);
