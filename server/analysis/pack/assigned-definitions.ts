// Parts of a definition that are assigned to a pack and not passed to a setter: `pack.networkDomains = […]`.

import type { AssignedDefinition, CallFact, FileFacts } from "../model/facts.ts";
import type { ObjectValue, Property, Value } from "../model/values.ts";
import { unknownAt } from "../syntax/names/mutations.ts";

/** What is certain of them; what may be changed or replaced afterwards is not known. */
export function assignedDefinitions(
  facts: readonly FileFacts[],
  calls: readonly CallFact[],
  newPacks: readonly ObjectValue[],
  resolve: (value: Value) => Value,
): readonly ObjectValue[] {
  // What is not known may be a pack, too.
  const assigned = facts.flatMap(({ definitions }) => definitions.filter(({ receiver }) => resolve(receiver).kind === "unknown"));
  if (assigned.length === 0) return [];
  const declaredElsewhere =
    calls.some(({ method }) => method === "addNetworkDomain") || newPacks.some(({ properties }) => properties.some(isOfDomains));
  const lists = assigned.filter(({ definition }) => definition.properties.some(isOfDomains));
  const known = (property: Property, { receiver, certain }: AssignedDefinition): boolean =>
    isPack(resolve(receiver)) &&
    (isOfDomains(property) ? certain && lists.length === 1 && !declaredElsewhere : !isLookedInto(property.name, facts));
  return assigned.map((one): ObjectValue => {
    const properties = one.definition.properties.map((property) =>
      known(property, one) ? property : { ...property, value: unknownAt(property.value.place) },
    );
    return { ...one.definition, properties };
  });
}

const isOfDomains = ({ name }: Property): boolean => name === "networkDomains";

/** What newPack gives back, or a parameter or member that is called so. */
const isPack = (receiver: Value): boolean =>
  receiver.kind === "unknown" && (receiver.isPack === true || /^p$|pack$|builder$/i.test(receiver.path?.at(-1) ?? ""));

/** Whether something is read of it or written to it: `pack.defaultAuthentication.headerName = …`. */
const isLookedInto = (name: string, facts: readonly FileFacts[]): boolean =>
  facts.some(({ text }) => new RegExp(`\\.${name}\\s*[!?]?\\s*[.[]`).test(text));
