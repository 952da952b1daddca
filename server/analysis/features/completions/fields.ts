// Completes field names: those of the chosen type, required ones first, and none that a rule would report.
import type { FieldSpec } from "../../../../spec/fields.ts";
import { fieldValue, isTrue } from "../../configuration/config.ts";
import type { TextEdit } from "../../model/findings.ts";
import type { PackModel } from "../../model/pack.ts";
import { describeField } from "../describe.ts";
import { type Completion, type CompletionPlace, type ConfigPlace, hasField } from "./completion.ts";
import { declaredDomains, fieldSnippet } from "./field-values.ts";

export function fieldCompletions(place: CompletionPlace, config: ConfigPlace): readonly Completion[] {
  const { pack, file } = place;
  return (
    config.fields
      .filter(
        (field) => !field.isHidden && field.deprecated === undefined && !config.present.includes(field.name) && fits(pack, config, field),
      )
      // If the SDK's declarations are installed, TypeScript offers `type` too, also at the top. Whole configurations begin with it.
      .filter((field) => field.name !== "type" || pack.toolkit === undefined)
      .map((field, index) => {
        const needed = isNeeded(pack, config, field);
        return {
          ...named(place, field.name, () => fieldSnippet({ pack, file, auth: config.auth }, field)),
          kind: field.kind === "function" ? "function" : "field",
          detail: needed ? "required" : "optional",
          sort: `${field.name === "type" ? "0" : needed ? "1" : RECOMMENDED.has(field.name) ? "2" : "3"}${String(index).padStart(2, "0")}`,
          docs: () => describeField(field),
        };
      })
  );
}

const RECOMMENDED = new Set(["instructionsUrl", "getConnectionName", "scopes"]);

/** Completes a member with its value, a comma if needed, and a comma that is missing before it. */
export function named(
  place: CompletionPlace,
  name: string,
  value: () => string,
): Pick<Completion, "label" | "snippet" | "span" | "also" | "filter"> {
  const { text: source, cursor, file } = place;
  const { text, word } = cursor;
  const span = text === undefined ? word : { start: text.start, end: text.isClosed ? text.end : place.offset };
  const rest = source.slice(span.end);
  const also: readonly TextEdit[] =
    cursor.missingComma === undefined ? [] : [{ file, start: cursor.missingComma, end: cursor.missingComma, text: "," }];
  const isRenamed = /^\s*:/.test(rest);
  // On one line, the last member has no comma.
  const comma = /^[ \t]*(?:,|\})/.test(rest) ? "" : ",";
  return {
    label: name,
    snippet: isRenamed ? name : `${name}: ${value()}${comma}`,
    span,
    ...(also.length === 0 ? {} : { also }),
    ...(text === undefined ? {} : { filter: `${text.quote}${name}` }),
  };
}

/** Returns whether the type or another part of the pack requires the field. */
export function isNeeded(pack: PackModel, { auth, within }: Pick<ConfigPlace, "auth" | "within">, field: FieldSpec): boolean {
  if (field.name === "networkDomain") return declaredDomains(pack).length > 1;
  if (within?.name === "postSetup" && field.name === "getOptions") return true;
  const discovers = isTrue(pack, auth, "useDynamicClientRegistration");
  return field.required === true && !(discovers && (field.name === "authorizationUrl" || field.name === "tokenUrl"));
}

/** Returns whether the field is compatible with the existing ones, because every offer must be correct. */
function fits(pack: PackModel, config: ConfigPlace, { name, needs }: FieldSpec): boolean {
  const { auth, within } = config;
  if (within !== undefined) return true;
  const has = (field: string): boolean => hasField(config, field);
  switch (name) {
    case "requiresEndpointUrl":
      return !has("postSetup") && (auth.type !== "OAuth2" || has("endpointKey"));
    case "endpointKey":
      return !has("postSetup");
    case "postSetup":
      return !has("requiresEndpointUrl") && !has("endpointKey");
    case "endpointDomain":
      // An endpoint domain only matters if the user enters an endpoint.
      return has("requiresEndpointUrl") && declaredDomains(pack).length > 0;
    case "networkDomain":
      return declaredDomains(pack).length > 0;
    case "tokenPrefix":
      return !has("tokenQueryParam");
    case "tokenQueryParam":
      return !has("tokenPrefix");
    default: {
      const needed = needs === undefined ? undefined : fieldValue(pack, auth, needs);
      return needs === undefined || (needed?.kind === "boolean" ? needed.value : needed !== undefined);
    }
  }
}
