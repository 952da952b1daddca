// The diagnostics of a file that several packs share: code in it may be meant for one pack and not for another.
import type { Diagnostic } from "../model/findings.ts";
import { RULES } from "../rules/index.ts";

const IN_ALL_PACKS = new Set(RULES.flatMap((rule) => (rule.inSharedFiles === "all-packs" ? rule.id : [])));

/** Each finding once; of the rules that say so, only what they find in every pack. */
export function ofSharedFile(byPack: readonly (readonly Diagnostic[])[]): readonly Diagnostic[] {
  if (byPack.length === 1 && (byPack[0]?.length ?? 0) < 2) return byPack[0] ?? [];
  const at = ({ rule, place }: Diagnostic): string => `${rule}:${place.start}:${place.end}`;
  const keys = byPack.map((found) => new Set(found.map(at)));
  const seen = new Set<string>();
  return byPack.flat().filter((diagnostic) => {
    const key = `${at(diagnostic)}:${IN_ALL_PACKS.has(diagnostic.rule) ? "" : diagnostic.message}`;
    const counts = !IN_ALL_PACKS.has(diagnostic.rule) || keys.every((found) => found.has(at(diagnostic)));
    return counts && !seen.has(key) && seen.add(key) !== undefined;
  });
}
