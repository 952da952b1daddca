// How a provider is asked for a refresh token, and the edits that add this.
import { type RefreshTokenAsk, refreshTokenAsk } from "../../../spec/providers.ts";
import { hostOf } from "../domains/url-value.ts";
import type { Fix } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import { insertItem, insertProperty, isOwn, quoteIn, quoteLike } from "../text/edit.ts";
import { propertyOf, propose, type ResolvedAuth } from "./config.ts";

/** Returns how the provider at an authorization URL is asked for a refresh token, if it is known. */
export function askOf(url: string): RefreshTokenAsk | undefined {
  const host = hostOf(url);
  return host === undefined ? undefined : refreshTokenAsk(host, url);
}

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
