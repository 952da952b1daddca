// What stands under the pointer: a field's meaning and default, a type with the request that it makes, a param or its placeholder with
// what becomes of it.
import { t } from "@vscode/l10n";
import { flowKindOf, hasCredential, isAuthTypeName } from "../../../spec/auth-types.ts";
import { PLACEMENT_FIELDS } from "../../../spec/credential-placement.ts";
import { MCP_SERVER_FIELDS } from "../../../spec/mcp-server.ts";
import { customParams } from "../configuration/config.ts";
import { type Site, sitesOf } from "../configuration/configuration-objects.ts";
import type { PackModel } from "../model/pack.ts";
import type { Span } from "../model/values.ts";
import { isOwn } from "../text/edit.ts";
import { fileSpan } from "../text/place.ts";
import { isNeeded } from "./completions/fields.ts";
import { describeAuth, describeParam, describeRedirect, fenced, titledField } from "./describe.ts";
import { requestPreview } from "./request-preview.ts";

interface Hover {
  readonly span: Span;
  /** Markdown. */
  readonly text: string;
}

export function hoverAt(packs: readonly PackModel[], file: string, offset: number): Hover | undefined {
  for (const pack of packs) {
    const found =
      hoverPlaceholder(pack, file, offset) ??
      hoverSetter(pack, file, offset) ??
      hoverField(pack, file, offset) ??
      hoverServer(pack, file, offset);
    if (found !== undefined) return found;
  }
  return undefined;
}

const within = (span: Span, offset: number): boolean => offset >= span.start && offset <= span.end;

function hoverPlaceholder(pack: PackModel, file: string, offset: number): Hover | undefined {
  const params = customParams(pack);
  const placeholder = pack.placeholders.find((candidate) => candidate.place.file === file && within(candidate.place, offset));
  const name = placeholder?.name;
  const param = name === undefined ? undefined : params.find((candidate) => candidate.name === name);
  return placeholder === undefined || name === undefined || param === undefined
    ? undefined
    : { span: fileSpan(placeholder.place), text: describeParam(name, param.description) };
}

function hoverSetter(pack: PackModel, file: string, offset: number): Hover | undefined {
  const auth = pack.auths.find(({ place }) => place.file === file && within(place, offset));
  return auth === undefined ? undefined : { span: fileSpan(auth.place), text: describeAuth(pack, auth) };
}

function hoverField(pack: PackModel, file: string, offset: number): Hover | undefined {
  for (const site of sitesOf(pack)) {
    const { object, fields } = site;
    if (object.place.file !== file || !within(object.place, offset)) continue;
    const property = object.properties.find((candidate) => isOwn(object, candidate) && within(candidate.span, offset));
    const field = fields.find((candidate) => candidate.name === property?.name);
    if (property === undefined || field === undefined) continue;
    if (within(property.nameSpan, offset))
      return { span: fileSpan(property.nameSpan), text: titledField(field, isNeeded(pack, site, field)) + more(pack, site, field.name) };
    if (field.enum === "AuthenticationType" && within(property.value.place, offset))
      return { span: fileSpan(property.value.place), text: describeAuth(pack, site.auth) };
    const isParamName =
      site.within?.name === "params" &&
      field.name === "name" &&
      flowKindOf(site.auth.type ?? "") === "custom" &&
      within(property.value.place, offset);
    const value = isParamName ? pack.resolve(property.value) : undefined;
    if (value?.kind === "string")
      return {
        span: fileSpan(property.value.place),
        text: describeParam(value.value, customParams(pack).find(({ name }) => name === value.value)?.description),
      };
  }
  return undefined;
}

/** A field of an MCP server, or what declares one. */
function hoverServer(pack: PackModel, file: string, offset: number): Hover | undefined {
  for (const { place, definition } of pack.mcpServers) {
    const of = definition.place.file === file ? definition.properties : [];
    const property = of.find((candidate) => isOwn(definition, candidate) && within(candidate.nameSpan, offset));
    const field = MCP_SERVER_FIELDS.find(({ name }) => name === property?.name);
    if (property !== undefined && field !== undefined) return { span: fileSpan(property.nameSpan), text: titledField(field) };
    if (place.file === file && within(place, offset) && !within(definition.place, offset))
      return { span: fileSpan(place), text: ABOUT_SERVERS };
  }
  return undefined;
}

const ABOUT_SERVERS = t`An MCP server that the platform's assistant uses, with the pack's account. **Try server** lists its tools here and calls them.`;

/** What a field's own documentation cannot say. */
function more(pack: PackModel, site: Site, field: string): string {
  if (field === "authorizationUrl") return `\n\n${describeRedirect(pack)}`;
  return PLACEMENT_FIELDS.has(field) ? carried(pack, site) : "";
}

const carried = (pack: PackModel, { auth }: Site): string =>
  auth.type !== undefined && isAuthTypeName(auth.type) && hasCredential(auth.type) ? `\n\n${fenced(requestPreview(pack, auth))}` : "";
