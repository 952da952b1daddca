// Lists the findings in a configuration of a small pack, as lines for a table of cases.
import { createDraft } from "../../server/analysis/draft.ts";
import { unasked } from "../../server/analysis/features/fixes/fix-all.ts";
import { fixInRounds } from "../../server/analysis/features/fixes/fix-rounds.ts";
import { analyse, apply, type Files, split } from "./analyse.ts";

const FILE = "/pack/pack.ts";

/** Returns a pack of one domain with these statements. */
export const packOf = (statements: string): string =>
  `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\n${statements}\n`;

/** Returns a pack with an OAuth2 user authentication and additional fields. */
export const oauth = (fields: string, urls: { readonly authorizationUrl?: string; readonly tokenUrl?: string } = {}): string =>
  packOf(
    `pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: ${urls.authorizationUrl ?? '"https://login.acme.example/authorize"'}, tokenUrl: ${urls.tokenUrl ?? '"https://login.acme.example/token"'}, ${fields} });`,
  );

interface Options {
  readonly toolkit?: boolean;
  /** Other files of the pack. */
  readonly files?: Files;
}

/** Returns `severity rule: text` for each finding in the pack's own file. */
export function flagged(source: string, { toolkit, files = {} }: Options = {}): readonly string[] {
  return analyse({ [FILE]: source, ...files }, { toolkit: toolkit === true })
    .diagnostics(FILE)
    .map(({ severity, rule, place }) => `${severity} ${rule}: ${source.slice(place.start, place.end)}`);
}

/** Returns `severity text` for each finding of one rule, in every file of a source with `// @file:` lines. */
export function flaggedBy(rule: string, source: string): readonly string[] {
  const files = split(source);
  const analysis = analyse(files);
  return Object.entries(files).flatMap(([file, text]) =>
    analysis
      .diagnostics(file)
      .filter((diagnostic) => diagnostic.rule === rule)
      .map(({ severity, place }) => `${severity} ${text.slice(place.start, place.end)}`),
  );
}

/** Returns the titles of the fixes of a rule's first finding, with the fixed source of each. */
export function fixesOf(source: string, rule: string, { toolkit, files = {} }: Options = {}): Readonly<Record<string, string>> {
  const all = { [FILE]: source, ...files };
  const finding = analyse(all, { toolkit: toolkit === true })
    .diagnostics(FILE)
    .find((diagnostic) => diagnostic.rule === rule);
  return Object.fromEntries((finding?.fixes ?? []).map((fix) => [fix.title, apply(all, fix)[FILE] ?? ""]));
}

/** Returns the source after all fixes that need no confirmation. */
export function fixedUnasked(source: string, { toolkit, files = {} }: Options = {}): string {
  const analysis = analyse({ [FILE]: source, ...files }, { toolkit: toolkit === true });
  const draft = createDraft(analysis, FILE, () => {});
  fixInRounds(draft, FILE, unasked);
  return draft.text;
}
