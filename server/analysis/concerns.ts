// Which rules are asked about a pack: most packs have little of what there are rules about, and a rule about something that is not
// there is not worth starting.
import type { PackModel } from "./model.ts";
import type { Rule } from "./rule.ts";
import { signsOf } from "./signs.ts";
import { FIELDS, SUBJECTS, TYPES } from "./subjects.ts";

/** Numbers for each rule: what it is about, its types, its fields. */
const NUMBERS = 3;

/** No condition: all bits. A pack without any passes where the rule has none. */
const ANY = 0;

/** What of a rule it takes to ask it. All of one shape, which rules are not. */
export type AskedRule = Pick<Rule, "id" | "severity" | "check">;

/** Gives those of the rules that may find anything in a pack, by what each rule says of itself; in the order in which they come. */
export function concernsOf(rules: readonly Rule[]): (pack: PackModel) => readonly AskedRule[] {
  const looking = rules.filter(({ types }) => types === undefined || types.length > 0);
  const asked = looking.map(({ id, severity, check }): AskedRule => ({ id, severity, check }));
  // Beside each other: to look at each rule itself would take longer than to ask most of them.
  const wanted = new Int32Array(looking.length * NUMBERS);
  for (const [index, { about, types = [], fields = [] }] of looking.entries()) {
    const subjects = typeof about === "string" ? [about] : (about ?? []);
    wanted[index * NUMBERS] = sum(subjects.map((subject) => SUBJECTS[subject]));
    wanted[index * NUMBERS + 1] = sum(types.map((type) => TYPES.get(type) ?? ANY));
    wanted[index * NUMBERS + 2] = sum(fields.map((field) => FIELDS[field]));
  }
  return (pack) => {
    const has = signsOf(pack);
    const concerned: AskedRule[] = [];
    for (let index = 0; index < asked.length; index++) {
      const at = index * NUMBERS;
      const rule = asked[index];
      if (rule === undefined) continue;
      if (isThere(has.subjects, wanted[at]) && isThere(has.types, wanted[at + 1]) && isThere(has.fields, wanted[at + 2]))
        concerned.push(rule);
    }
    return concerned;
  };
}

const sum = (bits: readonly number[]): number => bits.reduce((all, bit) => all | bit, 0);

/** One of those that are wanted. */
const isThere = (has: number, wanted = ANY): boolean => wanted === ANY || (has & wanted) !== 0;
