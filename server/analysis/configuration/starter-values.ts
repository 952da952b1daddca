// What is written into a configuration: members of the toolkit's enums, and a value to start a field with.
import { ENUMS, type FieldSpec } from "../../../spec/fields.ts";
import type { PackModel } from "../model/pack.ts";
import type { Value } from "../model/values.ts";
import { isTypeScript } from "../modules/paths.ts";
import { toolkitName } from "../modules/toolkit-imports.ts";
import { quoteLike } from "../text/edit.ts";

/** Source text for an enum member, as the file writes the toolkit's namespace. */
export function enumText(pack: PackModel, file: string, enumName: keyof typeof ENUMS, member: string): string {
  return `${toolkitName(pack, file, enumName)}.${member}`;
}

/** An authentication type in place of what is given. A text stays a text where it can: TypeScript takes none for a member of an enum. */
export function typeText(pack: PackModel, { kind, place }: Value, type: string): string {
  return kind === "string" && !isTypeScript(place.file)
    ? quoteLike(pack, place, type)
    : enumText(pack, place.file, "AuthenticationType", type);
}

/** Texts that are no blank to forget: what APIs most often call these. */
const USUAL: Readonly<Record<string, string>> = { headerName: "X-API-Key", paramName: "api_key", name: "api_key", service: "execute-api" };

/** A value to start with, for a field that is inserted where nobody is asked. */
export function starterValue(pack: PackModel, file: string, field: FieldSpec): string {
  switch (field.kind) {
    case "string":
    case "url":
      return JSON.stringify(field.values?.[0] ?? USUAL[field.name] ?? "");
    case "boolean":
      return "true";
    case "stringArray":
    case "stringOrStringArray":
      return field.required ? '["https://www.googleapis.com/auth/cloud-platform"]' : "[]";
    case "function":
      return 'async function (context) {\n    return "";\n  }';
    case "enum": {
      const member = field.enum === undefined ? undefined : Object.keys(ENUMS[field.enum])[0];
      return member === undefined || field.enum === undefined ? '""' : enumText(pack, file, field.enum, member);
    }
    case "record":
    case "object":
      return "{}";
    case "objectArray":
      return `[{ ${(field.fields ?? [])
        .filter((inner) => inner.required)
        .map((inner) => `${inner.name}: ${starterValue(pack, file, inner)}`)
        .join(", ")} }]`;
  }
}
