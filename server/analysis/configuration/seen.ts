// What sign-ins and runs showed of a pack, where the source that they judged is still the same. What the source does not tell (a field that
// is computed, a spread from elsewhere) may have changed: then nothing is said.
import type { Fact } from "../../../protocol/evidence.ts";
import { fingerprintOf } from "../../../protocol/fingerprint.ts";
import { type ConfigurationCode, isConfigurationCode, judgedBy } from "../../../spec/evidence.ts";
import { ENUMS } from "../../../spec/fields.ts";
import type { PackModel } from "../model/pack.ts";
import type { FileSpan, Value } from "../model/values.ts";
import { fieldValue, isAbsent, type KnownAuth, knownAuths } from "./config.ts";

/** A fact, and where it stands in the source: at a configuration, or at a line. */
export type Seen = { readonly fact: Fact } & (
  | { readonly auth: KnownAuth; readonly line?: never }
  | { readonly auth?: never; readonly line: FileSpan }
);

export function seenIn(pack: PackModel): readonly Seen[] {
  return pack.evidence.flatMap((fact): Seen[] => {
    const { code } = fact;
    if (isConfigurationCode(code)) {
      const auth = knownAuths(pack).find(({ scope }) => scope === fact.scope);
      return auth !== undefined && judgesTheSame(pack, auth, code, fact) ? [{ fact, auth }] : [];
    }
    const line = lineOf(pack, fact);
    return line === undefined ? [] : [{ fact, line }];
  });
}

function judgesTheSame(pack: PackModel, auth: KnownAuth, code: ConfigurationCode, { fingerprint }: Fact): boolean {
  let isKnown = true;
  const judged = judgedBy(code, (field) => {
    if (field === "type") return auth.type;
    if (isAbsent(pack, auth, field)) return undefined;
    const value = plainOf(pack, fieldValue(pack, auth, field));
    if (value === UNKNOWN) isKnown = false;
    return value;
  });
  return isKnown && fingerprintOf(judged) === fingerprint;
}

const UNKNOWN = Symbol("unknown");

/** A value as JSON has it. */
function plainOf(pack: PackModel, value: Value | undefined): unknown {
  if (value === undefined) return UNKNOWN;
  const resolved = pack.resolve(value);
  switch (resolved.kind) {
    case "string":
    case "number":
    case "boolean":
      return resolved.value;
    case "null":
      return null;
    case "undefined":
      return undefined;
    case "member": {
      const members: Readonly<Record<string, string>> | undefined = Object.entries(ENUMS).find(([name]) => name === resolved.enum)?.[1];
      return members?.[resolved.name] ?? UNKNOWN;
    }
    case "array": {
      const items = resolved.items.map((item) => plainOf(pack, item));
      return resolved.open || items.includes(UNKNOWN) ? UNKNOWN : items;
    }
    case "object": {
      const members = resolved.properties.map((property) => [property.name, plainOf(pack, property.value)] as const);
      return resolved.open || members.some(([, member]) => member === UNKNOWN) ? UNKNOWN : Object.fromEntries(members);
    }
    default:
      return UNKNOWN;
  }
}

/** Lines that may have come or gone above since. */
const MOVED = 200;

/** The line that the fact is about, without the blanks around it: where it was, or the nearest one that reads the same. */
function lineOf(pack: PackModel, { at, fingerprint }: Fact): FileSpan | undefined {
  if (at === undefined || !pack.files.includes(at.path)) return undefined;
  const lines = pack.text(at.path).split("\n");
  const isIt = (index: number): boolean => lines[index] !== undefined && fingerprintOf(lines[index].trim()) === fingerprint;
  for (let distance = 0; distance <= MOVED; distance++)
    for (const index of new Set([at.line - distance, at.line + distance])) {
      if (!isIt(index)) continue;
      const line = lines[index] ?? "";
      const start = lines.slice(0, index).reduce((sum, text) => sum + text.length + 1, line.search(/\S|$/));
      return { file: at.path, start, end: start + line.trim().length };
    }
  return undefined;
}
