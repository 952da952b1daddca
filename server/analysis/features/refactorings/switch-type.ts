// Another type for a configuration: what still fits is kept, what does not is taken out, what the type requires is put in.
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

/** On the type's property; those first that keep most of what is written. */
export function switchType(pack: PackModel, file: string, offset: number): readonly Refactoring[] {
  const auth = pack.auths.find(({ config, typeProperty: property }) => {
    const stands = property !== undefined && config.place.file === file && isOwn(config, property);
    // What a name stands for may stand for more.
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

/** One step after another, each on what the last one left: removals and insertions side by side would be in each other's way. */
function rewrite(draft: Draft, { config, scope }: AuthConfig, type: AuthTypeName): readonly TextEdit[] {
  const { file, start } = config.place;
  const step = (make: (pack: PackModel, auth: AuthConfig) => TextEdit | undefined): boolean => {
    for (const pack of draft.packs()) {
      // Everything that changes stands behind its brace.
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
  // Last, because it stands before everything else.
  for (const pack of draft.packs().slice(0, 1)) draft.apply(importsFor(pack, draft.edits()));
  return draft.edits();
}
