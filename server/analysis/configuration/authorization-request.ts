// The parameters that a configuration adds to the authorization request: entries of additionalParams and the query of authorizationUrl.
// Several rules treat both alike.

import { isOAuthType } from "../../../spec/auth-types.ts";
import { type QueryPart, queryParts, staticText, UNKNOWN_PART, withoutQueryParts } from "../domains/url-value.ts";
import type { Fix } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { Expression, ObjectValue, Place, Property } from "../model/values.ts";
import { isOwn, partOfText, quoteLike, removeProperty, replace } from "../text/edit.ts";
import { fieldValue, isAbsent, nameOf, propertyOf, propose, type ResolvedAuth, removal } from "./config.ts";

/** Whether the type is any OAuth type. */
export const isOAuth = ({ type }: ResolvedAuth): boolean => isOAuthType(type);

/** Returns the delimiter of the scopes, or undefined if it is unknown. */
export function delimiterOf(pack: PackModel, auth: ResolvedAuth): string | undefined {
  if (isAbsent(pack, auth, "scopeDelimiter")) return " ";
  const value = fieldValue(pack, auth, "scopeDelimiter");
  return value?.kind === "string" && [" ", ",", ";"].includes(value.value) ? value.value : undefined;
}

/** Returns the scopes that one entry joins with the delimiter, or that `split` leaves together since their text has other separators. */
export function scopesIn(pack: PackModel, { place }: Expression, scope: string, delimiter: string | undefined): readonly string[] {
  const parts = delimiter === undefined ? [] : scope.split(delimiter).flatMap((part) => part.trim() || []);
  if (parts.length > 1 || !SPLIT.test(pack.text(place.file).slice(place.start, place.end))) return parts;
  return scope.split(SEPARATOR).flatMap((part) => part.trim() || []);
}

const SPLIT = /\.split\([^()]*\)$/;
/** Matches what separates scopes. A scope may be a URL, in which `;name=` begins a parameter. */
const SEPARATOR = /[\s,|]|;(?!\w+=)/;

/**
 * The parameters that the platform itself adds to the authorization request (auth-spec 5.5, RFC 6749, section 4.1.1, RFC 7636, section
 * 4.3).
 */
export const PLATFORM_PARAMS: ReadonlySet<string> = new Set([
  "client_id",
  "redirect_uri",
  "response_type",
  "state",
  "scope",
  "code_challenge",
  "code_challenge_method",
]);

/** Names under which providers expect the client secret. */
export const SECRET_PARAMS: ReadonlySet<string> = new Set(["client_secret", "clientSecret"]);

export interface RequestParam {
  readonly name: string;
  /** Undefined if the value is not a string or is unknown. */
  readonly value: string | undefined;
  readonly place: Place;
  /** "additionalParams", or the URL field whose query contains the parameter. */
  readonly in: "additionalParams" | "authorizationUrl" | "tokenUrl";
  /** Returns the fixes that remove the parameter; empty if its container is elsewhere or computed. */
  readonly remove: () => readonly Fix[];
}

/** Returns the parameters that are known to be added. */
export function requestParams(pack: PackModel, auth: ResolvedAuth): readonly RequestParam[] {
  return [...additionalParams(pack, auth), ...urlParams(pack, auth, "authorizationUrl")];
}

function additionalParams(pack: PackModel, auth: ResolvedAuth): readonly RequestParam[] {
  const params = fieldValue(pack, auth, "additionalParams");
  if (params?.kind !== "object") return [];
  return params.properties.flatMap((property): RequestParam[] => {
    const value = pack.resolve(property.value);
    // The platform omits a parameter whose value is undefined.
    if (value.kind === "undefined") return [];
    return [
      {
        name: property.name,
        value: value.kind === "string" ? value.value : undefined,
        place: nameOf(property),
        in: "additionalParams",
        remove: () => removeParam(pack, auth, params, property),
      },
    ];
  });
}

/** Removes additionalParams with its last parameter. */
function removeParam(pack: PackModel, auth: ResolvedAuth, params: ObjectValue, property: Property): readonly Fix[] {
  const holder = propertyOf(auth.config, "additionalParams");
  const isLast = params.properties.length === 1 && !params.open && isOwn(params, property);
  if (isLast && holder?.value.kind === "object" && isOwn(auth.config, holder))
    return [propose(`Remove ${property.name}`, removeProperty(pack, auth.config, holder))];
  return removal(pack, params, property);
}

export function urlParams(pack: PackModel, auth: ResolvedAuth, field: "authorizationUrl" | "tokenUrl"): readonly RequestParam[] {
  const urlValue = propertyOf(auth.config, field)?.value;
  const text = urlValue === undefined ? undefined : staticText(pack.resolve(urlValue));
  if (urlValue === undefined || text === undefined) return [];
  return queryParts(text).flatMap((part): RequestParam[] =>
    part.name === undefined
      ? []
      : [
          {
            name: part.name,
            value: part.value,
            place: urlValue.kind === "string" ? partOfText(pack, urlValue, part.offset, part.length) : urlValue.place,
            in: field,
            remove: () => removeFromUrl(pack, urlValue, part),
          },
        ],
  );
}

function removeFromUrl(pack: PackModel, urlValue: Expression, part: QueryPart): readonly Fix[] {
  if (urlValue.kind !== "string") return [];
  return [
    propose(
      `Remove ${String(part.name)} from the URL`,
      replace(urlValue.place, quoteLike(pack, urlValue.place, withoutQueryParts(urlValue.value, [part]))),
    ),
  ];
}

/** Whether the request has the parameter, or may have it because its container is not fully known. */
export function mayCarry(pack: PackModel, auth: ResolvedAuth, name: string): boolean {
  if (requestParams(pack, auth).some((param) => param.name === name)) return true;
  const url = staticText(fieldValue(pack, auth, "authorizationUrl"));
  const holder = propertyOf(auth.config, "additionalParams");
  const params = fieldValue(pack, auth, "additionalParams");
  const isQueryStatic = url !== undefined && !url.endsWith(UNKNOWN_PART) && !queryParts(url).some((part) => part.name === undefined);
  const areParamsStatic =
    holder === undefined ? !auth.config.open : params?.kind === "undefined" || (params?.kind === "object" && !params.open);
  return !isQueryStatic || !areParamsStatic;
}
