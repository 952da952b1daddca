// What may be written at a place of a configuration: fields of the type (required ones first), enum members, legal texts, declared
// domains, and declared params behind `{{`.
import { AUTH_TYPES, fieldsOf, isAuthTypeName } from "../../spec/auth-types.ts";
import { BASE_FIELDS, ENUMS, type FieldSpec, USER_ONLY_FIELDS } from "../../spec/fields.ts";
import { enumText, propertyOf, starterValue } from "./config.ts";
import { isOwn } from "./edit.ts";
import type { AuthConfig, ObjectValue, PackModel, Span } from "./model.ts";

export interface Completion {
  readonly label: string;
  readonly kind: "field" | "enumMember" | "value";
  /** What is inserted; a field's value is written as a snippet placeholder `${1:…}` where `snippet` is true. */
  readonly text: string;
  readonly snippet: boolean;
  /** What is replaced. */
  readonly span: Span;
  readonly docs: string;
  readonly detail?: string;
  readonly sort: string;
}

export function completionsAt(packs: readonly PackModel[], file: string, offset: number): readonly Completion[] {
  for (const pack of packs) {
    const text = pack.text(file);
    const placeholder = placeholderCompletions(pack, text, offset);
    if (placeholder.length > 0) return placeholder;
    for (const auth of pack.auths) {
      const { config } = auth;
      if (config.file !== file || offset <= config.start || offset >= config.end) continue;
      return inConfig(pack, auth, text, offset);
    }
  }
  return [];
}

function inConfig(pack: PackModel, auth: AuthConfig, text: string, offset: number): readonly Completion[] {
  const fields = auth.type !== undefined && isAuthTypeName(auth.type) ? fieldsOf(auth.type, auth.scope) : typeless(auth);
  const spot = spotAt(auth.config, text, offset);
  if (spot.kind === "value") {
    const field = fields.find((candidate) => candidate.name === spot.property);
    return field === undefined ? [] : valueCompletions(pack, auth, field, spot.span, text);
  }
  if (spot.kind === "name") return fieldCompletions(pack, auth.config, fields, spot.span, text);
  const field = fields.find((candidate) => candidate.name === spot.property);
  if (field?.fields === undefined) return [];
  const inner = spotAt(spot.object, text, offset);
  if (inner.kind === "name") return fieldCompletions(pack, spot.object, field.fields, inner.span, text);
  const innerField = inner.kind === "value" ? field.fields.find((candidate) => candidate.name === inner.property) : undefined;
  return innerField === undefined || inner.kind !== "value" ? [] : valueCompletions(pack, auth, innerField, inner.span, text);
}

const typeless = (auth: AuthConfig): readonly FieldSpec[] => [
  ...fieldsOf("None", auth.scope),
  ...BASE_FIELDS,
  ...(auth.scope === "user" ? USER_ONLY_FIELDS : []),
];

type Spot =
  | { readonly kind: "name"; readonly span: Span }
  | { readonly kind: "value"; readonly property: string; readonly span: Span }
  | { readonly kind: "inside"; readonly property: string; readonly object: ObjectValue };

/** Where in the object the offset is: at a name, at a property's value, or inside an object that stands in a value. */
function spotAt(object: ObjectValue, text: string, offset: number): Spot {
  for (const property of object.properties) {
    if (!isOwn(object, property) || offset <= property.nameSpan.end || offset > property.span.end) continue;
    const { value } = property;
    const objects = value.kind === "object" ? [value] : value.kind === "array" ? value.items.filter((item) => item.kind === "object") : [];
    const inside = objects.find((candidate) => offset > candidate.start && offset < candidate.end);
    if (inside !== undefined) return { kind: "inside", property: property.name, object: inside };
    if (value.kind === "function") return { kind: "value", property: "", span: { start: offset, end: offset } };
    const start = /[\w.$"'`/:-]/.test(text[offset - 1] ?? "") ? Math.min(value.start, offset) : offset;
    return {
      kind: "value",
      property: property.name,
      span: { start: Math.max(start, property.nameSpan.end), end: Math.max(offset, value.end <= offset + 80 ? value.end : offset) },
    };
  }
  // `name: |` that does not parse yet.
  const before = /(\w+)\s*:\s*([\w.]*)$/.exec(text.slice(object.start, offset));
  if (before) return { kind: "value", property: before[1] ?? "", span: { start: offset - (before[2]?.length ?? 0), end: offset } };
  const word = /\w*$/.exec(text.slice(0, offset))?.[0].length ?? 0;
  const rest = /^\w*/.exec(text.slice(offset))?.[0].length ?? 0;
  return { kind: "name", span: { start: offset - word, end: offset + rest } };
}

function fieldCompletions(
  pack: PackModel,
  object: ObjectValue,
  fields: readonly FieldSpec[],
  span: Span,
  text: string,
): readonly Completion[] {
  const present = (field: FieldSpec): boolean => {
    const property = propertyOf(object, field.name);
    return property !== undefined && !(property.nameSpan.start <= span.end && property.nameSpan.end >= span.start);
  };
  const followedByColon = /^\s*:/.test(text.slice(span.end));
  return fields
    .filter((field) => !field.hidden && field.deprecated === undefined && !present(field))
    .map((field) => ({
      label: field.name,
      kind: "field" as const,
      text: followedByColon ? field.name : `${field.name}: ${asSnippet(starterValue(pack, object.file, field))},`,
      snippet: !followedByColon,
      span,
      docs: describeField(field),
      detail: field.required ? "required" : "optional",
      sort: `${field.required ? "0" : "1"}${field.name}`,
    }));
}

/** The value's first part to fill becomes a tab stop. */
function asSnippet(value: string): string {
  const escaped = value.replaceAll("\\", "\\\\").replaceAll("$", "\\$").replaceAll("}", "\\}");
  if (value === '""') return '"$1"';
  if (value === "[]") return '["$1"]';
  if (value === "{}") return "{ $1 }";
  return `\${1:${escaped}}`;
}

function valueCompletions(pack: PackModel, auth: AuthConfig, field: FieldSpec, span: Span, text: string): readonly Completion[] {
  const value = (label: string, insert: string, docs: string, sort: string, kind: Completion["kind"] = "value"): Completion => ({
    label,
    kind,
    text: insert,
    snippet: false,
    span,
    docs,
    sort,
  });
  if (field.enum === "AuthenticationType") {
    return Object.values(AUTH_TYPES)
      .filter((type) => !type.hidden && (auth.scope === "user" || type.system))
      .map((type, index) =>
        value(
          type.name,
          enumText(pack, auth.config.file, "AuthenticationType", type.name),
          `${type.docs}\n\nA request carries: \`${type.sends}\``,
          `${type.inSpec ? "0" : "1"}${String(index).padStart(2, "0")}`,
          "enumMember",
        ),
      )
      .map((completion) => ({ ...completion, label: completion.text }));
  }
  if (field.enum !== undefined) {
    const { enum: enumName } = field;
    return Object.keys(ENUMS[enumName]).map((member, index) =>
      value(
        enumText(pack, auth.config.file, enumName, member),
        enumText(pack, auth.config.file, enumName, member),
        field.docs,
        String(index),
        "enumMember",
      ),
    );
  }
  if (field.kind === "boolean") return ["true", "false"].map((word) => value(word, word, field.docs, word === "true" ? "0" : "1"));
  const quoted = /^["'`]/.test(text.slice(span.start, span.start + 1));
  const literal = (content: string, sort: string): Completion => ({
    ...value(JSON.stringify(content), JSON.stringify(content), field.docs, sort),
    span: quoted ? span : { start: span.start, end: span.end },
  });
  if (field.values !== undefined) return field.values.map((content, index) => literal(content, String(index)));
  if (field.name === "networkDomain" || field.name === "endpointDomain")
    return [...new Set(pack.domains.declared.map((domain) => domain.value))].map((domain, index) => literal(domain, String(index)));
  return [];
}

/** Behind `{{` inside a text, in a pack with Custom authentication. */
function placeholderCompletions(pack: PackModel, text: string, offset: number): readonly Completion[] {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  const typed = /\{\{([\w-]*)$/.exec(line)?.[1];
  if (typed === undefined) return [];
  const quote = /(["'`])[^"'`]*$/.exec(line)?.[1];
  if (quote === undefined) return [];
  const custom = pack.auths.filter((auth) => auth.type === "Custom");
  const names = custom.flatMap((auth) => {
    const params = propertyOf(auth.config, "params");
    const list = params === undefined ? undefined : pack.resolve(params.value);
    return list?.kind !== "array"
      ? []
      : list.items.flatMap((item) => {
          const object = pack.resolve(item);
          const name = object.kind === "object" ? propertyOf(object, "name") : undefined;
          const value = name === undefined ? undefined : pack.resolve(name.value);
          return value?.kind === "string" ? [value.value] : [];
        });
  });
  const token = quote === "`" ? `\${context.invocationToken}` : `${quote} + context.invocationToken + ${quote}`;
  const closing = /^\}\}/.test(text.slice(offset)) ? "" : "}}";
  return names.map((name, index) => ({
    label: name,
    kind: "value",
    text: `${name}-${token}${closing}`,
    snippet: false,
    span: { start: offset - typed.length, end: offset },
    docs: `The account's value of ${name}. The platform puts it there before the request is sent; the pack never sees it.`,
    sort: String(index),
  }));
}

export function describeField(field: FieldSpec): string {
  const parts = [field.docs];
  if (field.deprecated !== undefined) parts.push(`**Deprecated.** ${field.deprecated}`);
  if (field.values !== undefined) parts.push(`One of ${field.values.map((value) => `\`${JSON.stringify(value)}\``).join(", ")}.`);
  if (field.default !== undefined) parts.push(`Default: \`${field.default}\``);
  parts.push(`*${field.source}*`);
  return parts.join("\n\n");
}
