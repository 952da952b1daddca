// Inlay hints for defaults: what the platform does if a configuration, a formula or a sync table omits a field.
import { ENUMS, type FieldSpec } from "../../../spec/fields.ts";
import { fieldValue, isAbsent, isTrue, propertyOf, resolvedAuths } from "../configuration/config.ts";
import { configFields } from "../configuration/configuration-objects.ts";
import type { AuthConfig, PackModel, RunnableFact } from "../model/pack.ts";
import { titledField } from "./describe.ts";

interface DefaultHint {
  readonly offset: number;
  /** A label such as `tokenPrefix: "Bearer"`. */
  readonly label: string;
  /** Markdown. */
  readonly docs: string;
}

export function defaultsIn(packs: readonly PackModel[], file: string): readonly DefaultHint[] {
  const all = packs.flatMap((pack) => [
    ...resolvedAuths(pack)
      .filter(({ typeProperty }) => typeProperty?.value.place.file === file)
      .flatMap((auth) => authDefaults(pack, auth)),
    ...pack.runnables.filter(({ definition }) => definition.place.file === file).flatMap((runnable) => requirementInForce(pack, runnable)),
  ]);
  return all.filter((hint, index) => all.findIndex((other) => other.offset === hint.offset && other.label === hint.label) === index);
}

function authDefaults(pack: PackModel, auth: AuthConfig): readonly DefaultHint[] {
  const { typeProperty } = auth;
  if (typeProperty === undefined) return [];
  return configFields(pack, auth).flatMap((field) =>
    field.default !== undefined && field.deprecated === undefined && matters(pack, auth, field) && isAbsent(pack, auth, field.name)
      ? [{ offset: typeProperty.span.end, label: `${field.name}: ${field.default}`, docs: titledField(field) }]
      : [],
  );
}

/** Returns whether the default has an effect; a default of an unused feature has none. */
function matters(pack: PackModel, auth: AuthConfig, { name, needs, default: value }: FieldSpec): boolean {
  if (name === "tokenPrefix") return isAbsent(pack, auth, "tokenQueryParam");
  if (needs === undefined) return value !== "false";
  const needed = fieldValue(pack, auth, needs);
  // A delimiter joins two scopes or more.
  return needed?.kind === "array" ? needed.items.length > (name === "scopeDelimiter" ? 1 : 0) : isTrue(pack, auth, needs);
}

/** Returns the requirement that a formula or sync table inherits from the configuration. */
function requirementInForce(pack: PackModel, { definition }: RunnableFact): readonly DefaultHint[] {
  const [auth, ...otherAuths] = pack.auths.filter(({ scope }) => scope === "user");
  const name = propertyOf(definition, "name");
  if (
    auth === undefined ||
    otherAuths.length > 0 ||
    auth.type === "None" ||
    name === undefined ||
    definition.open ||
    name.value.place.file !== definition.place.file
  )
    return [];
  if (["connectionRequirement", "network"].some((field) => propertyOf(definition, field) !== undefined)) return [];
  const defaultRequirement = fieldValue(pack, auth, "defaultConnectionRequirement");
  const member =
    defaultRequirement?.kind === "member" && Object.hasOwn(ENUMS.ConnectionRequirement, defaultRequirement.name)
      ? defaultRequirement.name
      : isAbsent(pack, auth, "defaultConnectionRequirement")
        ? "Required"
        : undefined;
  if (member === undefined) return [];
  const docs = `What \`defaultConnectionRequirement\` says, or the platform's own default.`;
  return [{ offset: name.span.end, label: `connectionRequirement: ${member}`, docs }];
}
