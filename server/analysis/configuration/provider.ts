// The provider that a configuration signs in at, how it is asked for a refresh token, and the edits that add this.
import { type OAuth2Provider, type ProviderAddress, providerOf, type RefreshTokenAsk, refreshTokenAsk } from "../../../spec/providers.ts";
import { staticText } from "../domains/url-value.ts";
import type { Fix } from "../model/findings.ts";
import type { AuthConfig, PackModel } from "../model/pack.ts";
import { insertItem, insertProperty, isOwn, quoteIn, quoteLike } from "../text/edit.ts";
import { fieldValue, propertyOf, propose, type ResolvedAuth } from "./config.ts";

const addressOf = (pack: PackModel, auth: AuthConfig): ProviderAddress => {
  const [authorizationUrl, endpointDomain] = ["authorizationUrl", "endpointDomain"].map((name) => staticText(fieldValue(pack, auth, name)));
  return { ...(authorizationUrl !== undefined && { authorizationUrl }), ...(endpointDomain !== undefined && { endpointDomain }) };
};

/** Returns the provider that the configuration signs in at, if a page names it. */
export const providerAt = (pack: PackModel, auth: AuthConfig): OAuth2Provider | undefined => providerOf(addressOf(pack, auth));

/** Returns how the configuration's provider is asked for a refresh token, if its documentation says so. */
export const askOf = (pack: PackModel, auth: AuthConfig): RefreshTokenAsk | undefined => refreshTokenAsk(addressOf(pack, auth));

export function addParams(pack: PackModel, auth: ResolvedAuth, params: readonly Pick<Param, "name" | "value">[]): readonly Fix[] {
  const texts = params.map(({ name, value }) => `${name}: ${quoteIn(pack, auth.config, value)}`);
  const title = `Add ${params.map(({ name }) => name).join(" and ")}`;
  const property = propertyOf(auth.config, "additionalParams");
  if (property === undefined) return [propose(title, insertProperty(pack, auth.config, `additionalParams: { ${texts.join(", ")} }`))];
  const holder = property.value;
  return holder.kind === "object" && isOwn(auth.config, property) ? [propose(title, insertProperty(pack, holder, texts))] : [];
}

export function addScope(pack: PackModel, auth: ResolvedAuth, scope: string): readonly Fix[] {
  const title = `Add the scope ${scope}`;
  const property = propertyOf(auth.config, "scopes");
  if (property === undefined) return [propose(title, insertProperty(pack, auth.config, `scopes: [${quoteIn(pack, auth.config, scope)}]`))];
  const list = pack.resolve(property.value);
  if (list.kind !== "array") return [];
  const last = list.items.at(-1);
  const edit = insertItem(pack, list, last === undefined ? quoteIn(pack, auth.config, scope) : quoteLike(pack, last.place, scope));
  return edit === undefined ? [] : [propose(title, edit)];
}

type Param = NonNullable<RefreshTokenAsk["params"]>[number];
