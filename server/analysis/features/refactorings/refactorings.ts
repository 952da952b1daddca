import type { Analysis } from "../../analysis.ts";
import { extractScopes } from "./extract-scopes.ts";
import { moveQuery } from "./move-query.ts";
import type { Refactoring } from "./refactoring.ts";
import { switchType } from "./switch-type.ts";

export function refactoringsAt(analysis: Analysis, file: string, offset: number): readonly Refactoring[] {
  const [pack] = analysis.packsOf(file);
  if (pack === undefined) return [];
  return [...switchType(pack, file, offset), ...moveQuery(pack, file, offset), ...extractScopes(pack, file, offset)];
}
