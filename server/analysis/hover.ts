// What stands under the pointer: a field's meaning and default, or a type with the request that it makes.
import { AUTH_TYPES, fieldsOf, isAuthTypeName } from "../../spec/auth-types.ts";
import type { FieldSpec } from "../../spec/fields.ts";
import { describeField } from "./completions.ts";
import { fieldValue, propertyOf } from "./config.ts";
import { isOwn } from "./edit.ts";
import type { AuthConfig, ObjectValue, PackModel, Property, Span } from "./model.ts";

export interface Hover {
  readonly span: Span;
  /** Markdown. */
  readonly text: string;
}

export function hoverAt(packs: readonly PackModel[], file: string, offset: number): Hover | undefined {
  for (const pack of packs) {
    for (const auth of pack.auths) {
      const { config } = auth;
      if (config.file === file && offset >= config.start && offset <= config.end) return inConfig(pack, auth, offset);
      if (auth.place.file === file && within(auth.place, offset)) return { span: auth.place, text: describeAuth(pack, auth) };
    }
  }
  return undefined;
}

const within = (span: Span, offset: number): boolean => offset >= span.start && offset <= span.end;

function inConfig(pack: PackModel, auth: AuthConfig, offset: number): Hover | undefined {
  const fields = fieldsOf(auth.type !== undefined && isAuthTypeName(auth.type) ? auth.type : "None", auth.scope);
  const property = auth.config.properties.find((candidate) => isOwn(auth.config, candidate) && within(candidate.span, offset));
  if (property === undefined) return undefined;
  const field = fields.find((candidate) => candidate.name === property.name);
  if (field === undefined) return undefined;
  if (within(property.nameSpan, offset)) return { span: property.nameSpan, text: titled(field) };
  if (property.name === "type") return { span: property.value, text: describeAuth(pack, auth) };
  return field.fields === undefined ? undefined : inObjects(field.fields, objectsOf(property), offset);
}

function objectsOf(property: Property): readonly ObjectValue[] {
  const { value } = property;
  return value.kind === "object" ? [value] : value.kind === "array" ? value.items.filter((item) => item.kind === "object") : [];
}

function inObjects(fields: readonly FieldSpec[], objects: readonly ObjectValue[], offset: number): Hover | undefined {
  const property = objects.flatMap((object) => object.properties).find((candidate) => within(candidate.nameSpan, offset));
  const field = fields.find((candidate) => candidate.name === property?.name);
  return property === undefined || field === undefined ? undefined : { span: property.nameSpan, text: titled(field) };
}

const titled = (field: FieldSpec): string => `**${field.name}**${field.required ? " (required)" : ""}\n\n${describeField(field)}`;

function describeAuth(pack: PackModel, auth: AuthConfig): string {
  if (auth.type === undefined || !isAuthTypeName(auth.type))
    return `Authentication of ${auth.scope === "user" ? "each user" : "the whole pack"}.`;
  const type = AUTH_TYPES[auth.type];
  return `**${type.name}** — ${type.docs}\n\nA request carries:\n\n\`\`\`http\n${preview(pack, auth, type.sends)}\n\`\`\`\n\n*${type.source}*`;
}

/** The type's pattern with this configuration's own names in it. */
function preview(pack: PackModel, auth: AuthConfig, pattern: string): string {
  const text = (name: string): string | undefined => {
    const value = fieldValue(pack, auth, name);
    return value?.kind === "string" ? value.value : undefined;
  };
  const query = text("tokenQueryParam");
  if (query !== undefined) return `?${query}=••••`;
  const names =
    auth.type === "MultiHeaderToken" || auth.type === "MultiQueryParamToken"
      ? propertyOf(auth.config, auth.type === "MultiHeaderToken" ? "headers" : "params")
      : undefined;
  if (names !== undefined) return pattern.replaceAll("<tokenPrefix> ", "");
  const isOAuth = auth.type === "OAuth2" || auth.type === "OAuth2ClientCredentials";
  const prefix = text("tokenPrefix") ?? (isOAuth ? "Bearer" : "");
  return pattern
    .replace("<headerName>", text("headerName") ?? "<headerName>")
    .replace("<paramName>", text("paramName") ?? "<paramName>")
    .replace(/<tokenPrefix> ?/, prefix === "" ? "" : `${prefix} `);
}
