import { describeToolkit } from "../../../protocol/verdict.ts";
import { AUTH_TYPES, fieldsOf, hasCredential, isAuthTypeName, typesWithField } from "../../../spec/auth-types.ts";
import { BASE_FIELDS, USER_ONLY_FIELDS } from "../../../spec/configuration-fields.ts";
import { FIELD_ALIASES, type FieldSpec, REMOVED_FIELDS, SET_ENDPOINT_FIELDS } from "../../../spec/fields.ts";
import {
  closestField,
  fieldsWithin,
  mayBeNewer,
  nameOf,
  propertyOf,
  propose,
  removal,
  respell,
  unsureField,
} from "../configuration/config.ts";
import type { Finding } from "../model/findings.ts";
import type { AuthConfig, PackModel } from "../model/pack.ts";
import type { ObjectValue, Place, Property } from "../model/values.ts";
import { bearer, pack, rule, user } from "../rule.ts";
import { find } from "../syntax/names/declarations.ts";
import { insertProperty, isOwn, removeProperty, replace } from "../text/edit.ts";

const EVERYWHERE = new Set([...BASE_FIELDS, ...USER_ONLY_FIELDS].map((field) => field.name));

export default rule({
  id: "field-unknown",
  severity: "error",
  verdict: "will-be-rejected",
  source: "auth-spec 2.2",
  docs: `A configuration has a field that no authentication type has.

Correct the name or remove the field. The platform rejects unknown fields at upload. A token or password is not one: the platform asks each user for it, and it must not be in the source. Without an installed Packs SDK it is a warning, because a newer SDK may have the field. A misspelling of another field stays an error. Inside postSetup steps it is a warning. So is the field defaultConnectionType, which the specification names and the Packs SDK has removed.`,
  examples: [
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, «parameters»: [{ name: "key", description: "Key" }] });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });`,
    },
    {
      bad: bearer`«instructionUrl»: "https://login.acme.example/help",`,
      change: ["instructionUrl", "instructionsUrl"],
    },
    {
      bad: user`
        type: coda.AuthenticationType.WebBasic,
        «uxOptions»: { placeholderUsername: "Login" },`,
      change: ["uxOptions", "uxConfig"],
    },
    {
      bad: user`
        type: coda.AuthenticationType.Custom,
        params: [{ name: "key", description: "Key", «type»: "password" }],`,
      change: [', type: "password"', ""],
      toolkit: "installed",
    },
    {
      bad: user`
        type: coda.AuthenticationType.WebBasic,
        «username»: "anna@acme.example",`,
      fixed: user`type: coda.AuthenticationType.WebBasic,`,
    },
    { good: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, uxConfig: { usernameOnly: true } });` },
  ],
  on: {
    *configuration(pack, auth) {
      // If the type is unknown too, only names that no type has are reported.
      const isSpecifiedType = auth.type !== undefined && isAuthTypeName(auth.type);
      const fields = fieldsOf(isSpecifiedType ? auth.type : "None", auth.scope);
      const legal = isSpecifiedType ? fields.map(({ name }) => name) : NAMES_IN_ANY_TYPE[auth.scope];
      for (const property of auth.config.properties) {
        const field = fields.find(({ name }) => name === property.name);
        if (field !== undefined && isNewer(pack, field)) {
          yield newerField(pack, auth.config, property);
          continue;
        }
        const isLegal = legal.includes(property.name) || EVERYWHERE.has(property.name) || typesWithField(property.name).length > 0;
        if (isLegal || pack.toolkit?.fields.has(property.name)) {
          if (field?.fields !== undefined) yield* checkInner(pack, auth.config, property, field, field.fields, legal);
          continue;
        }
        if (isHalfTyped(pack, property, legal)) continue;
        const removed = REMOVED_FIELDS.some((field) => field.name === property.name);
        // The field is in the specification, so it is correct unless an SDK lacks it.
        if (removed && pack.toolkit === undefined) continue;
        // The type of a newer SDK has its own fields.
        const isUnsure = auth.typeProperty !== undefined && mayBeNewer(pack, pack.resolve(auth.typeProperty.value)) && !isSpecifiedType;
        if (isSecret(pack, auth, property)) {
          yield {
            place: nameOf(property),
            message:
              auth.scope === "user"
                ? `Remove it. The platform asks each user for it at sign-in, and it must not be in the source. The platform rejects the field ${property.name}.`
                : `Remove it. The platform asks for it in the pack's settings, and it must not be in the source. The platform rejects the field ${property.name}.`,
            fixes: () => removal(pack, auth.config, property),
          };
          continue;
        }
        const holder = fields.find(({ kind, fields: inner }) => kind === "object" && inner?.some(({ name }) => name === property.name));
        const names = auth.typeProperty === undefined ? [...legal, "type"] : legal;
        const inner = removed || closestField(property.name, names) !== undefined ? undefined : findWrappedFields(pack, auth, property);
        if (holder !== undefined) yield misplacedField(pack, auth.config, property, holder.name);
        else if (inner !== undefined) yield wrappedFields(pack, auth.config, property, inner);
        else yield unknownField(pack, auth.config, property, names, removed || isUnsure ? "warning" : undefined);
      }
    },
  },
});

const namesInAnyType = (scope: AuthConfig["scope"]): readonly string[] => {
  const ofTypes = Object.values(AUTH_TYPES).flatMap(({ name, isHidden }) =>
    isHidden ? [] : fieldsOf(name, scope).map((field) => field.name),
  );
  return [...new Set([...EVERYWHERE, ...ofTypes])];
};
const NAMES_IN_ANY_TYPE = { user: namesInAnyType("user"), system: namesInAnyType("system") } satisfies Record<AuthConfig["scope"], unknown>;

function* checkInner(
  pack: PackModel,
  config: ObjectValue,
  property: Property,
  { kind, lenient }: FieldSpec,
  fields: readonly FieldSpec[],
  outer: readonly string[],
): Iterable<Finding> {
  const legal = fields.map(({ name }) => name);
  const value = pack.resolve(property.value);
  const objects = value.kind === "array" ? value.items.map((item) => pack.resolve(item)) : [value];
  const installed = pack.toolkit?.innerFields.get(property.name);
  // The SDK declares the field in a way that the analysis cannot read, so anything may be legal.
  if (installed === undefined && pack.toolkit?.fields.has(property.name)) return;
  for (const object of objects) {
    if (object.kind !== "object") continue;
    // In an object in place of an array, the names are not fields: field-type reports that object.
    if (object === value && kind === "objectArray" && !object.properties.some(({ name }) => legal.includes(name))) continue;
    for (const inner of object.properties) {
      const step = lenient ? SET_ENDPOINT_FIELDS.find((field) => field.name === inner.name) : undefined;
      if (step !== undefined && installed !== undefined && !installed.has(step.name) && isNewer(pack, step))
        yield { ...newerField(pack, object, inner), severity: "warning" };
      if (step !== undefined || legal.includes(inner.name) || installed?.has(inner.name) || isHalfTyped(pack, inner, legal)) continue;
      const isOuter = outer.includes(inner.name) && propertyOf(config, inner.name) === undefined;
      yield isOuter
        ? nestedField(pack, config, property, object, inner, lenient)
        : unknownField(pack, object, inner, legal, lenient ? "warning" : undefined);
    }
  }
}

/** Returns whether the property is an incomplete field name: a shorthand for a name that the file lacks. TypeScript reports it. */
function isHalfTyped({ facts }: PackModel, { name, span, nameSpan, value }: Property, legal: readonly string[]): boolean {
  if (span.end !== nameSpan.end || value.kind !== "reference" || !legal.some((field) => field.startsWith(name))) return false;
  const file = facts.find((candidate) => candidate.file === span.file);
  return file !== undefined && !file.imports.has(name) && find(file.declarations.get(name), span.start) === undefined;
}

/** Returns whether the installed SDK does not have the field yet, and the specification does not name it. */
function isNewer({ toolkit }: PackModel, field: FieldSpec): boolean {
  return (
    toolkit !== undefined && !toolkit.fields.has(field.name) && field.source.startsWith("sdk-facts") && toolkit.fields.has("postSetup")
  );
}

function newerField(pack: PackModel, object: ObjectValue, property: Property): Finding {
  return {
    place: nameOf(property),
    message: `Update the Packs SDK, or remove ${property.name}. The installed ${describeToolkit(pack.toolkit?.version)} does not have this field, and its upload rejects unknown ones.`,
    fixes: () => removal(pack, object, property),
  };
}

/** Names of credentials in lower case, without word separators. */
const CREDENTIALS: ReadonlySet<string> = new Set(
  "accesskey accesskeyid accesstoken apikey apitoken authtoken bearertoken key password secret secretaccesskey secretkey token user username".split(
    " ",
  ),
);

/** Returns whether the property is a credential as a string literal, in a type that has credentials. */
function isSecret(pack: PackModel, { type }: AuthConfig, { name, value }: Property): boolean {
  if (!hasCredential(type) || !CREDENTIALS.has(name.toLowerCase().replaceAll(/[_-]/g, ""))) return false;
  const resolvedValue = pack.resolve(value);
  return resolvedValue.kind === "string" && resolvedValue.value.trim() !== "";
}

function misplacedField(pack: PackModel, config: ObjectValue, property: Property, holder: string): Finding {
  return {
    place: nameOf(property),
    message: `Move it into ${holder}. ${property.name} is a field of ${holder}, and the platform rejects it here.`,
    fixes: () => {
      if (!isOwn(config, property)) return [];
      const { file, start, end } = property.span;
      const text = pack.text(file).slice(start, end);
      const title = `Move it into ${holder}`;
      const other = propertyOf(config, holder);
      if (other === undefined) return [propose(title, replace(property.span, `${holder}: { ${text} }`))];
      const { value } = other;
      return value.kind === "object" && isOwn(config, other)
        ? [propose(title, removeProperty(pack, config, property), insertProperty(pack, value, text))]
        : [];
    },
  };
}

/** Reports a field of the configuration inside one of its objects, whose closing brace may be missing. */
function nestedField(
  pack: PackModel,
  config: ObjectValue,
  holder: Property,
  object: ObjectValue,
  property: Property,
  lenient: boolean | undefined,
): Finding {
  return {
    place: nameOf(property),
    ...(lenient ? { severity: "warning" as const } : {}),
    message: `Move it out of ${holder.name}. ${property.name} is a field of the configuration itself, and has no effect here.`,
    fixes: () => {
      if (!isOwn(object, property) || !isOwn(config, holder) || !isWithin(property.span, holder.span)) return [];
      const { file, start, end } = property.span;
      const text = pack.text(file).slice(start, end);
      const place = { file, start: holder.span.end, end: holder.span.end };
      return [propose(`Move it out of ${holder.name}`, removeProperty(pack, object, property), replace(place, `, ${text}`))];
    },
  };
}

/**
 * Returns the fields of the configuration that an unknown property contains. Without an SDK that may declare the property, one of them must
 * be missing outside.
 */
function findWrappedFields(pack: PackModel, { config, type, scope }: AuthConfig, { value }: Property): ObjectValue | undefined {
  const inner = fieldsWithin(pack, value);
  if (pack.toolkit !== undefined || inner === undefined) return inner;
  const needed = type !== undefined && isAuthTypeName(type) ? fieldsOf(type, scope).filter(({ required }) => required) : [];
  const isMissing = (name: string): boolean => propertyOf(config, name) === undefined && propertyOf(inner, name) !== undefined;
  return isMissing("type") || needed.some(({ name }) => isMissing(name)) ? inner : undefined;
}

/** Reports fields of the configuration in an object of their own. */
function wrappedFields(pack: PackModel, config: ObjectValue, property: Property, inner: ObjectValue): Finding {
  const isThere = inner.properties.some(({ name }) => propertyOf(config, name) !== undefined);
  const { members } = inner;
  return {
    place: nameOf(property),
    message: `Move its fields out of it. There is no field ${property.name}, and the platform rejects unknown fields.`,
    fixes: () => [
      ...(isOwn(config, property) && members?.file === property.span.file && isWithin(members, property.span) && !isThere
        ? [propose("Move its fields out of it", replace(property.span, pack.text(members.file).slice(members.start, members.end)))]
        : []),
      ...removal(pack, config, property),
    ],
  };
}

const isWithin = (inner: Place, outer: Place): boolean => inner.start >= outer.start && inner.end <= outer.end;

function unknownField(
  pack: PackModel,
  object: ObjectValue,
  property: Property,
  legal: readonly string[],
  severity: "warning" | undefined,
): Finding {
  const absent = legal.filter((name) => !object.properties.some((other) => other.name === name));
  const isRemoved = REMOVED_FIELDS.some((field) => field.name === property.name);
  // A removed field has no successor, even if another name is similar.
  const renamed = isRemoved ? undefined : closestField(property.name, absent);
  const place = nameOf(property);
  if (pack.toolkit === undefined && renamed === undefined && !isRemoved)
    return { place, severity: "warning", message: unsureField(property.name) };
  const isShorthand = property.span.end === property.nameSpan.end;
  const isAlias = renamed !== undefined && FIELD_ALIASES.get(property.name.toLowerCase())?.includes(renamed) === true;
  const problem = isRemoved
    ? `The installed ${describeToolkit(pack.toolkit?.version)} has no field ${property.name} any more, and its upload rejects it`
    : `There is no field ${property.name}${severity === undefined ? ", and the platform rejects unknown fields" : ": it has no effect"}`;
  const newName = (name: string): string =>
    isShorthand ? `${name}: ${property.name}` : place.file.endsWith(".json") ? JSON.stringify(name) : name;
  return {
    place,
    ...(severity === undefined ? {} : { severity }),
    message: `${renamed === undefined ? "Remove it." : isAlias ? `Use ${renamed}.` : `Did you mean ${renamed}?`} ${problem}.`,
    fixes: () => [
      ...(renamed === undefined ? [] : [respell(`Rename to ${renamed}`, replace(place, newName(renamed)))]),
      ...removal(pack, object, property),
    ],
  };
}
