// Which rules are asked about a pack: most packs have little of what there are rules about, and a rule about something that is not
// there is not worth starting.
import type { PackModel } from "./model.ts";
import type { Rule } from "./rule.ts";
import { signsOf } from "./signs.ts";
import { FIELDS, SUBJECTS, TYPES } from "./subjects.ts";

/** No condition: all bits. A pack without any passes where the rule has none. */
const ANY = 0;

/** Kinds of packs; an editor may be open for long. */
const MOST_KNOWN = 1000;

/** What of a rule it takes to ask it. All of one shape, which rules are not. */
export type AskedRule = Pick<Rule, "id" | "severity" | "check">;

/** With what it takes of a pack to ask it. */
interface Wanting {
  readonly rule: AskedRule;
  readonly subjects: number;
  readonly types: number;
  readonly fields: number;
}

/** Gives those of the rules that may find anything in a pack, by what each rule says of itself; in the order in which they come. */
export function concernsOf(rules: readonly Rule[]): (pack: PackModel) => readonly AskedRule[] {
  const looking = rules.filter(({ types }) => types === undefined || types.length > 0).map(wanting);
  /** Where the same is there, the same rules are asked: to look at each of them would take longer than to ask them. */
  const known = new Map<string, readonly AskedRule[]>();
  return (pack) => {
    const { subjects, types, fields } = signsOf(pack);
    const key = `${subjects} ${types} ${fields}`;
    let concerned = known.get(key);
    if (concerned === undefined) {
      concerned = looking
        .filter((wants) => isThere(subjects, wants.subjects) && isThere(types, wants.types) && isThere(fields, wants.fields))
        .map(({ rule }) => rule);
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(key, concerned);
    }
    return concerned;
  };
}

function wanting({ id, severity, check, about, types = [], fields = [] }: Rule): Wanting {
  const subjects = typeof about === "string" ? [about] : (about ?? []);
  return {
    rule: { id, severity, check },
    subjects: sum(subjects.map((subject) => SUBJECTS[subject])),
    types: sum(types.map((type) => TYPES.get(type) ?? ANY)),
    fields: sum(fields.map((field) => FIELDS[field])),
  };
}

const sum = (bits: readonly number[]): number => bits.reduce((all, bit) => all | bit, 0);

/** One of those that are wanted. */
const isThere = (has: number, wanted: number): boolean => wanted === ANY || (has & wanted) !== 0;
