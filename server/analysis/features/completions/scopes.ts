// Completes scopes: those that other parts of the pack request, and the scope that a known provider requires for a refresh token.
import { valueIn } from "../../configuration/config.ts";
import { askOf } from "../../configuration/provider.ts";
import { nameOfRunnable } from "../../configuration/runnable.ts";
import type { AuthConfig, PackModel } from "../../model/pack.ts";
import type { Expression, ObjectValue, Span } from "../../model/values.ts";
import { plain } from "../../text/markdown.ts";
import { type Completion, type CompletionPlace, literalCompletion } from "./completion.ts";
import { literally } from "./snippet.ts";

/** Completes in an array of scopes, of a configuration or of a formula. */
export function scopeCompletions(place: CompletionPlace, auth: AuthConfig | undefined): readonly Completion[] {
  const { pack } = place;
  const array = place.cursor.frames.findLast((frame) => frame.kind === "array");
  const lists = scopeLists(pack);
  const here = lists.find(({ value }) => value.place.file === place.file && value.place.start === array?.start);
  // The scope under the cursor is being typed.
  const present = new Set(
    here?.scopes.filter(({ span }) => place.offset < span.start || place.offset > span.end).map(({ scope }) => scope),
  );
  const otherScopes = new Map(
    lists.filter((list) => list !== here).flatMap(({ scopes, of }) => scopes.map(({ scope }) => [scope, of] as const)),
  );
  const refreshScopes = auth === undefined ? [] : readRefreshScopes(pack, auth);
  const option = (scope: string, sort: string, docs: string): Completion =>
    literalCompletion(place, literally(scope), { sort: `${sort}${scope}`, docs: () => docs });
  return [
    ...refreshScopes
      .filter((scope) => !present.has(scope) && !otherScopes.has(scope))
      .map((scope) => option(scope, "0", "This provider gives a refresh token only with this scope.")),
    ...[...otherScopes].filter(([scope]) => !present.has(scope)).map(([scope, of]) => option(scope, "1", `Also in ${plain(of)}.`)),
  ];
}

interface ScopeList {
  readonly value: Expression;
  readonly scopes: readonly { readonly scope: string; readonly span: Span }[];
  /** The part of the pack that requests the scopes. */
  readonly of: string;
}

function scopeLists(pack: PackModel): readonly ScopeList[] {
  const list = (object: ObjectValue, name: string, of: string): readonly ScopeList[] => {
    const value = valueIn(pack, object, name);
    if (value?.kind !== "array") return [];
    const scopes = value.items.flatMap((item) => {
      const text = pack.resolve(item);
      return text.kind === "string" && text.value !== ""
        ? [{ scope: text.value, span: { start: item.place.start, end: item.place.end } }]
        : [];
    });
    return [{ value, scopes, of }];
  };
  return [
    ...pack.auths.flatMap((auth) =>
      list(auth.config, "scopes", auth.scope === "user" ? "setUserAuthentication" : "setSystemAuthentication"),
    ),
    ...pack.runnables.flatMap((runnable) => list(runnable.definition, "extraOAuthScopes", nameOfRunnable(pack, runnable) ?? "a formula")),
  ];
}

/** Returns the first scope that the provider requires for a refresh token; empty if none is required. */
function readRefreshScopes(pack: PackModel, auth: AuthConfig): readonly string[] {
  const ask = askOf(pack, auth);
  return ask === undefined || ask.allByDefault ? [] : (ask.scopes?.slice(0, 1) ?? []);
}
