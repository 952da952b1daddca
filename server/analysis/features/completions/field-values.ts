// The value of a newly written field: the most common correct one, with placeholders for values that only the author knows.
import { ENUMS, type FieldSpec } from "../../../../spec/fields.ts";
import { fieldValue, propertyOf } from "../../configuration/config.ts";
import { enumText } from "../../configuration/starter-values.ts";
import type { AuthConfig, PackModel } from "../../model/pack.ts";
import { connectionName, endpointOptions } from "./functions.ts";
import { blank, choice, lastStop, literally, renumbered } from "./snippet.ts";
import { typeChoices } from "./types.ts";

interface FieldContext {
  readonly pack: PackModel;
  readonly file: string;
  readonly auth: AuthConfig;
}

/** Returns a snippet for the field's value, with tab stops from 1. */
export function fieldSnippet(context: FieldContext, field: FieldSpec): string {
  const { pack, auth } = context;
  const { name } = field;
  if (field.enum !== undefined) return enumSnippet(context, field.enum, name);
  if (name === "getConnectionName") return connectionName(pack, auth);
  if (name === "getOptions") return endpointOptions(pack, auth);
  if (name === "networkDomain") return domainSnippet(pack, auth);
  if (field.values !== undefined) {
    const legal = unflagged(field.values);
    const useful = legal.filter((value) => JSON.stringify(value) !== field.default);
    return `"${choice(1, useful.length > 0 ? useful : legal)}"`;
  }
  switch (field.kind) {
    case "boolean":
      return choice(1, field.default === "true" ? ["false", "true"] : ["true", "false"]);
    case "url":
      return isRelative(context, name) ? `"${blank(1, name === "tokenUrl" ? "/oauth/token" : "/oauth/authorize")}"` : `"${blank(1)}"`;
    case "string":
      return name === "endpointDomain" ? `"${choice(1, endpointDomains(pack, auth))}"` : `"${blank(1)}"`;
    case "stringArray":
    case "stringOrStringArray":
      return `["${blank(1)}"]`;
    case "function":
      return `async function (context) {\n  ${blank(1)}\n}`;
    case "record":
      return `{ ${blank(1)} }`;
    case "object":
      return `{ ${memberSnippets(context, field)} }`;
    case "objectArray":
      return name === "postSetup" ? `[\n  ${itemSnippet(context, field).replaceAll("\n", "\n  ")},\n]` : `[${itemSnippet(context, field)}]`;
    case "enum":
      return blank(1);
  }
}

/** The older PKCE method is legal but a rule reports it; S256 should replace it (RFC 7636, section 4.2). */
export const unflagged = (values: readonly string[]): readonly string[] => values.filter((value) => value !== "plain");

/** Returns a snippet for one object of an array. */
export const itemSnippet = (context: FieldContext, field: FieldSpec): string =>
  field.name === "postSetup" ? `{\n${memberSnippets(context, field, "  ")}\n}` : `{ ${memberSnippets(context, field)} }`;

/** Returns the required members of an object, or its first two if none is required. With an indentation, each is on its own line. */
function memberSnippets(context: FieldContext, { fields = [], name }: FieldSpec, indent?: string): string {
  const requiredFields = fields.filter((field) => field.required || (name === "postSetup" && field.name === "getOptions"));
  let stops = 0;
  const members = (requiredFields.length > 0 ? requiredFields : fields.slice(0, 2)).map((field) => {
    const value = renumbered(fieldSnippet(context, field), stops);
    stops = Math.max(stops, lastStop(value));
    return `${field.name}: ${indent === undefined ? value : value.replaceAll("\n", `\n${indent}`)}`;
  });
  return indent === undefined ? members.join(", ") : members.map((member) => `${indent}${member},`).join("\n");
}

function enumSnippet({ pack, file, auth }: FieldContext, enumName: keyof typeof ENUMS, field: string): string {
  const prefix = enumText(pack, file, enumName, "");
  const members = enumName === "AuthenticationType" ? typeChoices(pack, auth) : Object.keys(ENUMS[enumName]);
  // The platform's own default is not worth writing, so it comes last.
  const useful = field === "defaultConnectionRequirement" ? ["Optional", "None", "Required"] : members;
  return members.length === 0 ? blank(1) : `${literally(prefix)}${choice(1, useful)}`;
}

const domainSnippet = (pack: PackModel, auth: AuthConfig): string => `"${choice(1, credentialDomains(pack, auth))}"`;

/** Returns the declared domains without duplicates. */
export const declaredDomains = (pack: PackModel): readonly string[] => [...new Set(pack.domains.declared.map((domain) => domain.value))];

/** Returns the domains that networkDomain may name: only endpointDomain if it is set and declared. */
export function credentialDomains(pack: PackModel, auth: AuthConfig): readonly string[] {
  const endpoint = fieldValue(pack, auth, "endpointDomain");
  const declared = declaredDomains(pack);
  return endpoint?.kind === "string" && declared.includes(endpoint.value) ? [endpoint.value] : declared;
}

/** Returns the domains that endpointDomain may have: those of networkDomain if it is set, else all declared domains. */
export function endpointDomains(pack: PackModel, auth: AuthConfig): readonly string[] {
  const declared = declaredDomains(pack);
  const networkDomain = fieldValue(pack, auth, "networkDomain");
  const texts =
    networkDomain?.kind === "array" ? networkDomain.items.map(pack.resolve) : networkDomain === undefined ? [] : [networkDomain];
  const named = texts.flatMap((text) => (text.kind === "string" ? [text.value] : []));
  return named.length > 0 ? declared.filter((domain) => named.includes(domain)) : declared;
}

/** Returns whether the platform prepends the user's own endpoint to the URL. */
export function isRelative({ pack, auth }: FieldContext, field: string): boolean {
  if (field !== "authorizationUrl" && field !== "tokenUrl") return false;
  const manual = fieldValue(pack, auth, "requiresEndpointUrl");
  return manual?.kind === "boolean" && manual.value && propertyOf(auth.config, "endpointKey") === undefined;
}
