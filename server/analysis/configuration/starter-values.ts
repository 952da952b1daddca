// Values that fixes and completions insert into a configuration: members of the SDK's enums, and a starter value for a field.
import { ENUMS, type FieldSpec } from "../../../spec/fields.ts";
import type { PackModel } from "../model/pack.ts";
import type { Expression } from "../model/values.ts";
import { isTypeScript } from "../modules/paths.ts";
import { toolkitName } from "../modules/toolkit-imports.ts";
import { quoteLike } from "../text/edit.ts";

/** Returns the source text for an enum member, with the SDK's namespace as the file writes it. */
export function enumText(pack: PackModel, file: string, enumName: keyof typeof ENUMS, member: string): string {
  return `${toolkitName(pack, file, enumName)}.${member}`;
}

/**
 * Returns the source text that replaces an authentication type. A string stays a string except in TypeScript, which does not accept one for
 * an enum.
 */
export function typeText(pack: PackModel, { kind, place }: Expression, type: string): string {
  return kind === "string" && !isTypeScript(place.file)
    ? quoteLike(pack, place, type)
    : enumText(pack, place.file, "AuthenticationType", type);
}

/** The most common names in APIs, used in place of an empty string that the author might overlook. */
const USUAL: Readonly<Record<string, string>> = { headerName: "X-API-Key", paramName: "api_key", name: "api_key", service: "execute-api" };

/** Returns a starter value for a field that is inserted without asking the author. */
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
