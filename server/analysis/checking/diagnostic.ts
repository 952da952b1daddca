// A rule's finding → a diagnostic, whose fixes are made when they are asked for.
import type { Diagnostic, Finding, Fix, Severity } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import { withImports } from "../modules/toolkit-imports.ts";

const MADE_OF = Symbol("what its fixes are made of");

interface WithFixes {
  readonly [MADE_OF]: { readonly finding: Finding; readonly pack: PackModel | undefined; fixes?: readonly Fix[] };
}

/** One for all diagnostics: with a function of its own, each would have a shape of its own too, which outlives it. */
const FIXES: PropertyDescriptor & ThisType<WithFixes> = {
  enumerable: true,
  get() {
    const of = this[MADE_OF];
    const { finding, pack } = of;
    const { fixes = [] } = finding;
    of.fixes ??= (typeof fixes === "function" ? fixes() : fixes).map((fix) => (pack === undefined ? fix : withImports(pack, fix)));
    return of.fixes;
  },
};

/** The pack is what its fixes are made from. */
export function toDiagnostic(finding: Finding, rule: string, severity: Severity, pack?: PackModel): Diagnostic {
  const { place, message } = finding;
  // In plain numbers: places of facts are elsewhere after the next edit.
  const made = { rule, severity, place: { file: place.file, start: place.start, end: place.end }, message };
  Object.defineProperty(made, MADE_OF, { value: { finding, pack } });
  return Object.defineProperty(made, "fixes", FIXES) as typeof made & Pick<Diagnostic, "fixes">;
}
