import type { Source } from "../../server/analysis/source/source.ts";

const MODULES = ["@codahq/packs-sdk"];

/** Returns all facts of a source as text, including those of every name in it. */
export function factsAsText(source: Source | undefined): string {
  const facts = source?.facts(MODULES);
  if (facts === undefined) return "";
  const names = [...new Set(facts.text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu))];
  const middle = Math.floor(facts.text.length / 2);
  return JSON.stringify({
    ...facts,
    imports: [...facts.imports],
    exports: [...facts.exports],
    declarations: names.map((name) => facts.declarations.get(name)),
    used: names.map((name) => [facts.declarations.assignedAt(name, middle), facts.declarations.writtenAt(name, middle, true)]),
  });
}
