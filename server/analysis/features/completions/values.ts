// Completes a field's value: enum members, legal strings, declared domains, URLs of known providers, scopes in use.
import { isAuthTypeName } from "../../../../spec/auth-types.ts";
import { ENUMS, type EnumName, type FieldSpec } from "../../../../spec/fields.ts";
import { wholePage } from "../../../../spec/provider-readings.ts";
import { oauth2Providers, oauth2ProvidersOfHost } from "../../../../spec/providers.ts";
import { customAuths, describeType, fieldValue, paramNames } from "../../configuration/config.ts";
import { enumText } from "../../configuration/starter-values.ts";
import { hostOf, staticPrefix } from "../../domains/url-value.ts";
import type { PackModel } from "../../model/pack.ts";
import { describeAuth, describeField, describeProvider } from "../describe.ts";
import {
  type Completion,
  type CompletionPlace,
  type ConfigPlace,
  emptyObject,
  literalCompletion,
  scopeOf,
  valueSpan,
} from "./completion.ts";
import { credentialDomains, endpointDomains, fieldSnippet, isRelative, itemSnippet, unflagged } from "./field-values.ts";
import { slotted } from "./provider-configuration.ts";
import { scopeCompletions } from "./scopes.ts";
import { literally } from "./snippet.ts";
import { typeChoices } from "./types.ts";

export function valueCompletions(place: CompletionPlace, config: ConfigPlace): readonly Completion[] {
  const field = config.fields.find((candidate) => candidate.name === config.property);
  if (field === undefined) return [];
  const canBeList = field.kind === "stringArray" || field.kind === "stringOrStringArray";
  if (config.inArray && field.kind === "objectArray" && place.cursor.text === undefined) return item(place, config, field);
  if (config.inArray !== (field.kind === "stringArray") && !(config.inArray && canBeList)) {
    return place.cursor.text === undefined && !config.inArray ? starter(place, config, field) : [];
  }
  if (field.name === "scopes") return scopeCompletions(place, config.auth);
  if (field.enum !== undefined) return enumCompletions(place, config, field.enum, field);
  const literals = texts(place, config, field);
  if (literals.length > 0) return literals;
  if (place.cursor.text !== undefined) return [];
  return field.kind === "boolean" ? booleans(place, field) : starter(place, config, field);
}

/** Completes `AuthenticationType["|"]` with the members of the enum. Returns undefined if the object is not an enum of the Packs SDK. */
export function memberCompletions(place: CompletionPlace): readonly Completion[] | undefined {
  const { pack, file, cursor } = place;
  const inner = cursor.frames.at(-1);
  const callee = inner?.kind === "array" ? inner.callee : undefined;
  const enumName = callee?.split(".").at(-1);
  if (callee === undefined || enumName === undefined || !isEnum(enumName) || enumText(pack, file, enumName, "") !== `${callee}.`)
    return undefined;
  const scope = scopeOf(cursor.frames.findLast(({ kind }) => kind === "call"));
  const auth = place.config?.auth ?? (scope && { scope, isAdmin: false, config: emptyObject({ file, start: 0, end: 0 }) });
  return membersOf(pack, enumName, auth).map((member, index) => ({
    ...literalCompletion(place, member, {
      sort: String(index).padStart(2, "0"),
      docs: () => (enumName === "AuthenticationType" && isAuthTypeName(member) ? describeType(member) : ""),
    }),
    kind: "enumMember",
  }));
}

/** For types, returns only those that the setter accepts. */
const membersOf = (pack: PackModel, enumName: EnumName, auth: Parameters<typeof typeChoices>[1] | undefined): readonly string[] =>
  enumName === "AuthenticationType" && auth !== undefined ? typeChoices(pack, auth) : Object.keys(ENUMS[enumName]);

const isEnum = (name: string): name is EnumName => Object.hasOwn(ENUMS, name);

/** Completes another object of an array. */
function item(place: CompletionPlace, { auth }: ConfigPlace, field: FieldSpec): readonly Completion[] {
  const inner = place.cursor.frames.at(-1);
  if (inner?.kind !== "array" || inner.callee !== undefined || place.cursor.spot !== "value") return [];
  return [
    {
      label: "{ … }",
      kind: "value",
      snippet: itemSnippet({ pack: place.pack, file: place.file, auth }, field),
      span: valueSpan(place),
      sort: "0",
      filter: place.text.slice(valueSpan(place).start, place.offset),
      docs: () => describeField(field),
    },
  ];
}

/** Completes the value that the field's name would have inserted. */
function starter(place: CompletionPlace, { auth }: ConfigPlace, field: FieldSpec): readonly Completion[] {
  if (!STARTER_KINDS.has(field.kind)) return [];
  return [
    {
      label: field.kind === "function" ? "async function" : `${field.name}: …`,
      kind: field.kind === "function" ? "function" : "value",
      snippet: fieldSnippet({ pack: place.pack, file: place.file, auth }, field),
      span: valueSpan(place),
      sort: "0",
      // The filter equals the typed text, so that it always matches.
      filter: place.text.slice(valueSpan(place).start, place.offset),
      docs: () => describeField(field),
    },
  ];
}

const STARTER_KINDS = new Set<FieldSpec["kind"]>(["function", "object", "objectArray", "record", "stringArray"]);

export function enumCompletions(
  place: CompletionPlace,
  config: ConfigPlace | undefined,
  enumName: EnumName,
  { docs }: Pick<FieldSpec, "docs">,
  members: readonly string[] = membersOf(place.pack, enumName, config?.auth),
): readonly Completion[] {
  const { pack, file, cursor } = place;
  const span =
    cursor.text === undefined ? cursor.word : { start: cursor.text.start, end: cursor.text.isClosed ? cursor.text.end : place.offset };
  return members.map((member, index): Completion => {
    const label = enumText(pack, file, enumName, member);
    return {
      label,
      kind: "enumMember",
      snippet: literally(label),
      span,
      sort: String(index).padStart(2, "0"),
      ...(cursor.text === undefined ? {} : { filter: `${cursor.text.quote}${member}` }),
      docs: () => (enumName === "AuthenticationType" && config !== undefined ? describeAuth(pack, { ...config.auth, type: member }) : docs),
    };
  });
}

const booleans = (place: CompletionPlace, field: FieldSpec): readonly Completion[] =>
  ["true", "false"].map((word) => ({
    label: word,
    kind: "value",
    snippet: word,
    span: valueSpan(place),
    sort: word === field.default ? "1" : "0",
    docs: () => describeField(field),
  }));

function texts(place: CompletionPlace, config: ConfigPlace, field: FieldSpec): readonly Completion[] {
  const { pack } = place;
  const { auth, within } = config;
  const docs = (): string => describeField(field);
  const plain = (contents: readonly string[]): readonly Completion[] =>
    contents.map((content, index) => literalCompletion(place, literally(content), { sort: String(index).padStart(2, "0"), docs }));
  if (field.name === "networkDomain") return plain(credentialDomains(pack, auth));
  if (field.name === "endpointDomain") return plain(endpointDomains(pack, auth));
  if (field.values !== undefined) return plain(unflagged(field.values));
  if (within?.name === "params" && field.name === "name" && auth.type === "Custom") return plain(undeclaredNames(pack));
  if (field.name === "authorizationUrl" || field.name === "tokenUrl") return providerUrls(place, config, field.name);
  return [];
}

/** Returns the names that placeholders use but no param declares. */
function undeclaredNames(pack: PackModel): readonly string[] {
  const declared = new Set(customAuths(pack).flatMap((auth) => paramNames(pack, auth)));
  return [...new Set(pack.placeholders.flatMap(({ name }) => name ?? []))].filter((name) => !declared.has(name));
}

function providerUrls(place: CompletionPlace, config: ConfigPlace, name: "authorizationUrl" | "tokenUrl"): readonly Completion[] {
  const { pack } = place;
  const { auth } = config;
  if (isRelative({ pack, file: place.file, auth }, name)) {
    const path = name === "tokenUrl" ? "/oauth/token" : "/oauth/authorize";
    return [literalCompletion(place, path, { sort: "0", docs: () => "Appended to the endpoint that the user enters." })];
  }
  const other = fieldValue(pack, auth, name === "tokenUrl" ? "authorizationUrl" : "tokenUrl");
  const near = new Set(oauth2ProvidersOfHost(hostOf(staticPrefix(other) ?? "") ?? ""));
  const offeredUrls = new Set<string>();
  return oauth2Providers()
    .filter(({ oauth2: { [name]: url } }) => (offeredUrls.has(url) ? false : offeredUrls.add(url) !== undefined))
    .map((provider) =>
      literalCompletion(place, slotted(provider.oauth2[name]), {
        detail: provider.title,
        sort: `${near.has(provider) ? "0" : "1"}${provider.title.toLowerCase()}`,
        filter: `${provider.oauth2[name]} ${provider.title}`,
        docs: () => describeProvider(wholePage(provider)),
      }),
    );
}
