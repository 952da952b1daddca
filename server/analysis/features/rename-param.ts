// Renames a Custom param with all its placeholders, or explains why renaming would break the pack.

import { customParams } from "../configuration/config.ts";
import type { ParamOccurrences } from "../configuration/param-occurrences.ts";
import type { TextEdit } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";

/** Returns why the param cannot be renamed at all, or undefined if it can. `lineOf` returns the 1-based line of a place. */
export function renameObstacle(
  { name, all, obstacles }: ParamOccurrences,
  lineOf: (place: { readonly file: string; readonly start: number }) => number,
): string | undefined {
  const [obstacle] = obstacles;
  if (obstacle !== undefined) {
    const { place, what, why } = obstacle;
    return `${what} in ${String(place.file.split("/").at(-1))}, line ${lineOf(place)}, ${why}. Renaming ${name} could leave it behind: write the name out there first.`;
  }
  if (!all.some(({ kind }) => kind !== "placeholder")) return `No Custom authentication declares a param ${name}. Declare it first.`;
  return undefined;
}

/** Returns why the new name is invalid, or undefined if it is valid. */
export function nameProblem(packs: readonly PackModel[], occurrences: ParamOccurrences, name: string): string | undefined {
  if (name === "") return "A param needs a name.";
  if (/\s/.test(name)) return "Use a name without spaces. The platform would not find its placeholders otherwise.";
  if (/[{}]/.test(name)) return "Use a name without braces. They end the placeholder.";
  if (/["'`\\$]/.test(name)) return "Use a name without quotes, backslashes and dollar signs. It is written inside strings and templates.";
  const isDuplicate = name !== occurrences.name && packs.some((pack) => customParams(pack).some((param) => param.name === name));
  return isDuplicate ? `There is a param ${name} already. Two params of one name cannot be told apart.` : undefined;
}

export const renameEdits = ({ all }: ParamOccurrences, name: string): readonly TextEdit[] =>
  all.map(({ file, start, end }) => ({ file, start, end, text: name }));
