// Changes the type of a configuration: keeps the fields that fit, removes the others, and adds those that the new type requires.
import { type AuthTypeName, fieldsOf } from "../../../../spec/auth-types.ts";
import { foreignFields, propertyOf } from "../../configuration/config.ts";
import { starterValue, typeText } from "../../configuration/starter-values.ts";
import type { Draft } from "../../draft.ts";
import type { TextEdit } from "../../model/findings.ts";
import type { AuthConfig, PackModel } from "../../model/pack.ts";
import { importsFor } from "../../modules/toolkit-imports.ts";
import { insertProperty, isOwn, removeProperty, replace } from "../../text/edit.ts";
import { offeredTypes } from "../completions/types.ts";
import type { Refactoring } from "./refactoring.ts";

/** Offered at the type's property; types that keep most of the fields come first. */
export function switchType(pack: PackModel, file: string, offset: number): readonly Refactoring[] {
  const auth = pack.auths.find(({ config, typeProperty: property }) => {
    const stands = property !== undefined && config.place.file === file && isOwn(config, property);
    // Other code may use the referenced constant too.
    return stands && property.value.kind !== "reference" && property.span.start <= offset && offset <= property.span.end;
  });
  if (auth === undefined) return [];
  return offeredTypes(pack, auth.scope)
    .filter(({ name }) => name !== auth.type)
    .sort((a, b) => foreignFields(auth, a.name) - foreignFields(auth, b.name))
    .map(({ name: type }) => ({
      title: `Change the type to ${type}`,
      kind: "rewrite",
      type,
      edits: (draft) => rewrite(draft(), auth, type),
    }));
}

/** Applies one edit at a time, each to the result of the last: removals and insertions computed together would overlap. */
function rewrite(draft: Draft, { config, scope }: AuthConfig, type: AuthTypeName): readonly TextEdit[] {
  const { file, start } = config.place;
  const step = (make: (pack: PackModel, auth: AuthConfig) => TextEdit | undefined): boolean => {
    for (const pack of draft.packs()) {
      // All changes are behind the opening brace, so its offset stays the same.
      const auth = pack.auths.find(({ config }) => config.place.file === file && config.place.start === start);
      const edit = auth && make(pack, auth);
      if (edit === undefined) continue;
      draft.apply([edit]);
      return true;
    }
    return false;
  };
  step((pack, { typeProperty }) => typeProperty && replace(typeProperty.value.place, typeText(pack, typeProperty.value, type)));
  const fields = fieldsOf(type, scope);
  const fits = (name: string): boolean => fields.some((field) => field.name === name);
  while (
    step((pack, { config }) => {
      const foreign = config.properties.find((property) => isOwn(config, property) && !fits(property.name));
      return foreign && removeProperty(pack, config, foreign);
    })
  );
  for (const field of fields)
    if (field.required && field.name !== "type")
      step((pack, { config }) =>
        propertyOf(config, field.name) === undefined && !config.open
          ? insertProperty(pack, config, `${field.name}: ${starterValue(pack, file, field)}`)
          : undefined,
      );
  // Imports come last, because they shift everything else.
  for (const pack of draft.packs().slice(0, 1)) draft.apply(importsFor(pack, draft.edits()));
  return draft.edits();
}
