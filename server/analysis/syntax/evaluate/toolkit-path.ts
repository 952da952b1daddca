// What names mean inside the toolkit, however it is imported: its enums and their members.
import { ENUMS } from "../../../../spec/fields.ts";
import type { ImportFact } from "../../model/facts.ts";
import type { Place, Value } from "../../model/values.ts";

/** What a path means inside the toolkit: `coda.AuthenticationType.X` and `Auth.X` are both AuthenticationType, X. */
export function toolkitPath(names: readonly string[], imported: ImportFact): readonly string[] {
  return imported.name === "*" || imported.name === "default" ? names.slice(1) : [imported.name, ...names.slice(1)];
}

/** The member that a path inside the toolkit names, as the reference writes it. */
export function enumMember(
  path: readonly string[],
  reference: { readonly place: Place; readonly nameSpan: Place },
  text: string,
): Value | undefined {
  const enumName = path[0];
  const name = path[1];
  if (path.length !== 2 || enumName === undefined || name === undefined || !Object.hasOwn(ENUMS, enumName)) return undefined;
  const { place, nameSpan } = reference;
  return { kind: "member", place, enum: enumName, name, prefix: text.slice(place.start, nameSpan.start), nameSpan };
}
