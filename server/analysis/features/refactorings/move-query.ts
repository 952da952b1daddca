// Moves the query of an authorizationUrl to additionalParams: the fix of oauth2-url-query, available even if that rule is off.
import { resolvedAuths } from "../../configuration/config.ts";
import type { PackModel } from "../../model/pack.ts";
import oauth2UrlQuery from "../../rules/oauth2-url-query.ts";
import type { Refactoring } from "./refactoring.ts";

export function moveQuery(pack: PackModel, file: string, offset: number): readonly Refactoring[] {
  return resolvedAuths(pack)
    .flatMap((auth) => [...(oauth2UrlQuery.on.auth?.(pack, auth) ?? [])])
    .filter(({ place }) => place.file === file && place.start <= offset && offset <= place.end)
    .flatMap(({ fixes = [] }) => (typeof fixes === "function" ? fixes() : fixes))
    .map(({ title, edits }): Refactoring => ({ title, kind: "rewrite", edits: () => edits }));
}
