// Hovers: a field's meaning and default, a type with the request that it produces, a param or its placeholder with its effect.
import { fieldsWith } from "../../../spec/configuration-fields.ts";
import { MCP_SERVER_FIELDS } from "../../../spec/mcp-server.ts";
import { wholePage } from "../../../spec/provider-readings.ts";
import { providersOfHost } from "../../../spec/providers.ts";
import { customParams, fieldValue } from "../configuration/config.ts";
import { type Site, sitesOf } from "../configuration/configuration-objects.ts";
import { hostOf, staticText } from "../domains/url-value.ts";
import type { AuthConfig, PackModel } from "../model/pack.ts";
import type { Place, Span } from "../model/values.ts";
import { fileSpan } from "../text/place.ts";
import { isNeeded } from "./completions/fields.ts";
import { describeAuth, describeParam, describeProvider, describeRedirect, fenced, titledField } from "./describe.ts";
import { requestPreview } from "./request-preview.ts";

interface Hover {
  readonly span: Span;
  /** Markdown. */
  readonly text: string;
}

export function hoverAt(packs: readonly PackModel[], file: string, offset: number): Hover | undefined {
  const isAt: IsAt = (place) => place.file === file && offset >= place.start && offset <= place.end;
  for (const pack of packs) {
    const hover = hoverPlaceholder(pack, isAt) ?? hoverSetter(pack, isAt) ?? hoverField(pack, isAt) ?? hoverServer(pack, isAt);
    if (hover !== undefined) return hover;
  }
  return undefined;
}

/** Returns whether the pointer is at the place. */
type IsAt = (place: Place) => boolean;

function aboutParam(pack: PackModel, span: Span, name: string | undefined): Hover | undefined {
  const param = name === undefined ? undefined : customParams(pack).find((candidate) => candidate.name === name);
  return name === undefined || param === undefined ? undefined : { span, text: describeParam(name, param.description) };
}

function hoverPlaceholder(pack: PackModel, isAt: IsAt): Hover | undefined {
  const placeholder = pack.placeholders.find(({ place }) => isAt(place));
  return placeholder && aboutParam(pack, fileSpan(placeholder.place), placeholder.name);
}

function hoverSetter(pack: PackModel, isAt: IsAt): Hover | undefined {
  const auth = pack.auths.find(({ place }) => isAt(place));
  return auth === undefined ? undefined : { span: fileSpan(auth.place), text: describeAuth(pack, auth) };
}

function hoverField(pack: PackModel, isAt: IsAt): Hover | undefined {
  for (const site of sitesOf(pack)) {
    const property = site.object.properties.find(({ span }) => isAt(span));
    const field = site.fields.find(({ name }) => name === property?.name);
    if (property === undefined || field === undefined) continue;
    if (isAt(property.nameSpan))
      return { span: fileSpan(property.nameSpan), text: titledField(field, isNeeded(pack, site, field)) + more(pack, site, field.name) };
    const span = fileSpan(property.value.place);
    if (field.enum === "AuthenticationType") return { span, text: describeAuth(pack, site.auth) + aboutProvider(pack, site.auth) };
    const isParamName = site.within?.name === "params" && field.name === "name";
    const value = isParamName ? pack.resolve(property.value) : undefined;
    if (value?.kind === "string") return aboutParam(pack, span, value.value);
  }
  return undefined;
}

/** Hovers a field of an MCP server, or the call that declares the server. */
function hoverServer(pack: PackModel, isAt: IsAt): Hover | undefined {
  for (const { place, definition } of pack.mcpServers) {
    const property = definition.properties.find(({ nameSpan }) => isAt(nameSpan));
    const field = MCP_SERVER_FIELDS.find(({ name }) => name === property?.name);
    if (property !== undefined && field !== undefined) return { span: fileSpan(property.nameSpan), text: titledField(field) };
    if (isAt(place) && !isAt(definition.place)) return { span: fileSpan(place), text: ABOUT_SERVERS };
  }
  return undefined;
}

const ABOUT_SERVERS =
  "An MCP server that the platform's assistant uses, with the pack's account. **Try server** lists its tools here and calls them.";

/** Fields that the request of the preview depends on. */
const PREVIEWED: ReadonlySet<string> = new Set(fieldsWith("placement", "signature"));

/** Returns additions to a field's own documentation that depend on the pack. */
function more(pack: PackModel, { auth }: Site, field: string): string {
  if (field === "authorizationUrl") return `\n\n${describeRedirect(pack)}${aboutProvider(pack, auth)}`;
  if (field === "tokenUrl") return aboutProvider(pack, auth);
  return PREVIEWED.has(field) ? `\n\n${fenced(requestPreview(pack, auth))}` : "";
}

/** Describes the provider of the authorization URL, if a single one is known. */
function aboutProvider(pack: PackModel, auth: AuthConfig): string {
  const host = hostOf(staticText(fieldValue(pack, auth, "authorizationUrl")) ?? "");
  const [provider, ...otherProviders] = host === undefined ? [] : providersOfHost(host);
  return provider === undefined || otherProviders.length > 0 ? "" : `\n\n${describeProvider(wholePage(provider))}`;
}
