// The place in the source that a path in the pack's metadata means. The Packs SDK compiles the metadata from what the author wrote, and
// renames some of it. So the path is turned back into the members of the source.
import type { MetadataPath, MetadataSegment } from "../../../protocol/validation.ts";
import { BUILDER_METHODS } from "../../../spec/pack-builder.ts";
import { spelling } from "../../../spec/spelling.ts";
import { propertyOf, textIn } from "../configuration/config.ts";
import type { PackModel } from "../model/pack.ts";
import type { Expression, FileSpan, ObjectValue, Place, Property } from "../model/values.ts";
import { definitionsOf } from "../pack/definitions.ts";
import { loopItems } from "../pack/loop-items.ts";
import { fileSpan } from "../text/place.ts";

/** A part of the pack: where it stands, and what it is. */
interface Part {
  readonly place: Place;
  readonly value?: Expression;
}

/** Returns the member that the path means, else the nearest part around it; undefined if the source does not show the pack. */
export function locateMetadata(pack: PackModel, path: MetadataPath): FileSpan | undefined {
  const [root, ...inner] = path;
  if (typeof root !== "string") return wholeOf(pack);
  // The validator's name for both when it compares them with other parts of the pack.
  if (root === "authentication" && typeof inner[0] === "string")
    return locateMetadata(pack, [/system/i.test(inner[0]) ? "systemConnectionAuthentication" : "defaultAuthentication", ...inner.slice(1)]);
  const parts = partsOf(pack, root);
  const [item, ...rest] = inner;
  if (typeof item !== "object") return descend(pack, bestOf(pack, parts, item), inner) ?? wholeOf(pack);
  const part = itemOf(pack, parts, item);
  if (part !== undefined) return descend(pack, part, writtenPath(pack, root, part, rest));
  return parts.length === 1 && parts[0] !== undefined ? fileSpan(parts[0].place) : wholeOf(pack);
}

/** Returns the parts of the pack from which the SDK compiles the member: a setter's, those of the definition, or the items that are added. */
function partsOf(pack: PackModel, root: string): readonly Part[] {
  if (root === "formulas" || root === "syncTables") {
    const kind = root === "formulas" ? "formula" : "syncTable";
    return pack.runnables.flatMap((runnable) => (runnable.kind === kind ? { place: runnable.place, value: runnable.definition } : []));
  }
  if (root === "mcpServers") return pack.mcpServers.map(({ place, definition }) => ({ place, value: definition }));
  if (root === "networkDomains") return [...pack.domains.declared.map(({ expression }) => expression), ...pack.domains.noTexts].map(asItem);
  const scope = root === "defaultAuthentication" ? "user" : root === "systemConnectionAuthentication" ? "system" : undefined;
  if (scope !== undefined) return pack.auths.flatMap(({ scope: own, place, config }) => (own === scope ? { place, value: config } : []));
  const added = callsOf(pack).flatMap(({ method, nameSpan, arguments: [argument] }) =>
    methodMembers.get(method) !== root || argument === undefined
      ? []
      : loopItems(argument, pack.resolve, pack.facts).map((value) => ({ place: nameSpan, value })),
  );
  const declared = definitionsIn(pack).flatMap((definition): Part[] => {
    const property = propertyOf(definition, root);
    if (property === undefined) return [];
    const list = pack.resolve(property.value);
    return list.kind === "array" ? list.items.map(asItem) : [asMember(property)];
  });
  return [...added, ...declared];
}

const methodMembers: ReadonlyMap<string, string> = new Map(Object.entries(BUILDER_METHODS));

const callsOf = ({ facts }: PackModel) => facts.flatMap(({ calls }) => calls);
const definitionsIn = (pack: PackModel): readonly ObjectValue[] => definitionsOf(callsOf(pack), pack.facts, pack.resolve, pack);

const asItem = (value: Expression): Part => ({ place: value.place, value });
const asMember = ({ nameSpan, value }: Property): Part => ({ place: nameSpan, value });

/** Returns where the pack is built. */
function wholeOf(pack: PackModel): FileSpan | undefined {
  const [place = definitionsIn(pack)[0]?.place] = callsOf(pack).flatMap(({ method, nameSpan }) => (method === "newPack" ? nameSpan : []));
  return place && fileSpan(place);
}

/** Returns the part that has the member; conditions may decide between several. */
const bestOf = (pack: PackModel, parts: readonly Part[], member: string | undefined): Part | undefined =>
  parts.find(({ value }) => member !== undefined && value !== undefined && partIn(pack, value, member) !== undefined) ?? parts[0];

/** Returns the item of that name. The order of the items in the metadata need not be that of the source. */
function itemOf(pack: PackModel, parts: readonly Part[], { index, name }: Exclude<MetadataSegment, string>): Part | undefined {
  const nameIn = ({ value }: Part): string | undefined => {
    const resolved = value && pack.resolve(value);
    return resolved?.kind === "string" ? resolved.value : resolved?.kind === "object" ? textIn(pack, resolved, "name") : undefined;
  };
  const atIndex = parts[index];
  const named = name === undefined ? [] : parts.filter((part) => nameIn(part) === name);
  if (named.length > 0) return atIndex !== undefined && named.includes(atIndex) ? atIndex : named.at(-1);
  const unnamed = parts.filter((part) => nameIn(part) === undefined);
  return atIndex !== undefined && unnamed.includes(atIndex) ? atIndex : unnamed.length === 1 ? unnamed[0] : undefined;
}

/** Returns the path in what the author wrote, where the SDK renames or wraps its members. */
function writtenPath(pack: PackModel, root: string, part: Part, path: MetadataPath): MetadataPath {
  const { value } = part;
  const definition = value && pack.resolve(value);
  if (definition?.kind !== "object") return path;
  const has = (name: string): boolean => propertyOf(definition, name) !== undefined;
  const [first, ...rest] = path;
  if (root === "formulas") return first === "schema" && !has("schema") ? rest : path;
  if (root !== "syncTables" || typeof first !== "string") return path;
  const [second, ...further] = rest;
  if (first === "getter") {
    if (second === "schema") return writtenPath(pack, root, part, ["schema", ...further.slice(1)]);
    const formula = memberIn(definition, "formula")?.value;
    const isOfFormula = formula === undefined || typeof second !== "string" || partIn(pack, formula, second) !== undefined;
    return isOfFormula || !has(second) ? ["formula", ...rest] : rest;
  }
  if (first === "schema" && second === "identity" && further[0] === "name" && has("identityName")) return ["identityName"];
  if (has(first)) return path;
  if (first === "schema" && has("placeholderSchema")) return ["placeholderSchema", ...rest];
  return has("dynamicOptions") ? ["dynamicOptions", ...path] : path;
}

/** Returns the place at the end of the path, or at the last member of it that the source shows. */
function descend(pack: PackModel, start: Part | undefined, path: MetadataPath): FileSpan | undefined {
  let deepest = { place: start?.place, left: path.length };
  let looks = 0;
  /** Whether the end of the path is below the part. */
  const look = ({ place, value }: Part, left: MetadataPath): boolean => {
    if (left.length < deepest.left) deepest = { place, left: left.length };
    const [segment, ...rest] = left;
    if (segment === undefined) return true;
    return value !== undefined && ++looks < MOST_LOOKS && partsIn(pack, value, segment).some((part) => look(part, rest));
  };
  if (start !== undefined) look(start, path);
  return deepest.place && fileSpan(deepest.place);
}

/** Schemas may contain themselves, and each name may stand for several values. */
const MOST_LOOKS = 500;

const partIn = (pack: PackModel, value: Expression, segment: MetadataSegment): Part | undefined => partsIn(pack, value, segment)[0];

function partsIn(pack: PackModel, value: Expression, segment: MetadataSegment): readonly Part[] {
  return [...pack.options(value).map(pack.resolve), ...writtenValues(pack, value)].flatMap((resolved): Part[] => {
    if (typeof segment === "string") {
      const property = resolved.kind === "object" ? memberIn(resolved, segment) : undefined;
      return property === undefined ? [] : [asMember(property)];
    }
    if (resolved.kind !== "array") return [];
    const items = resolved.items.map(asItem);
    const item = resolved.open ? itemOf(pack, items, segment) : items[segment.index];
    return item === undefined ? [] : [item];
  });
}

/**
 * Returns the value as it is written. The model does not know a value that has an unknown spread, or that code changes. Most of it is in the
 * source all the same.
 */
function writtenValues(pack: PackModel, value: Expression): readonly Expression[] {
  if (value.kind !== "reference" || value.path.length !== 1) return [value];
  const facts = pack.facts.find(({ file }) => file === value.place.file);
  return (facts?.declarations.get(value.path[0] ?? "") ?? []).flatMap((declaration) => declaration.value ?? []);
}

/** The SDK's names of members that the author may have written by another name. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  id: "idProperty",
  primary: "displayProperty",
  featured: "featuredProperties",
  idProperty: "id",
  displayProperty: "primary",
  featuredProperties: "featured",
  getOptions: "getOptionsFormula",
  getOptionsFormula: "getOptions",
  defaultValue: "suggestedValue",
};

/** The SDK changes the case of a schema's properties, and leaves out most punctuation. */
function memberIn(object: ObjectValue, name: string): Property | undefined {
  const exact = propertyOf(object, name);
  if (exact !== undefined) return exact;
  const other = Object.hasOwn(OTHER_NAMES, name) ? propertyOf(object, OTHER_NAMES[name] ?? "") : undefined;
  return other ?? object.properties.find((property) => spelling(property.name) === spelling(name));
}
