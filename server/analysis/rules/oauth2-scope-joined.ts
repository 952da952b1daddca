import { delimiterOf, isOAuth, scopesIn } from "../configuration/authorization-request.ts";
import { fieldValue, fix } from "../configuration/config.ts";
import type { Finding } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { Expression, ListValue } from "../model/values.ts";
import { oauth2, rule } from "../rule.ts";
import { isWithin, quoteLike, removeItem, replace } from "../text/edit.ts";

export default rule({
  id: "oauth2-scope-joined",
  severity: "warning",
  source: "auth-spec 2.3",
  docs: `One entry of \`scopes\` contains several scopes, or a space around one, or nothing.

Make each scope an entry of its own. \`scopes\` is an array of single scopes, and the platform joins them with the delimiter. With another delimiter the provider would see a joined entry as one unknown scope. Pack Auth cannot find missing or repeated scopes in it either. A space around a scope is sent with it, and an empty entry is no scope.`,
  examples: [
    { bad: oauth2`scopes: ["profile", «"read write"»],`, fixed: oauth2`scopes: ["profile", "read", "write"],` },
    {
      bad: oauth2`
        scopeDelimiter: ",",
        scopes: [
          «'read,write'»,
        ],`,
      change: ["'read,write'", "'read', 'write'"],
    },
    { bad: oauth2`scopes: [«"read "», "write"],`, fixed: oauth2`scopes: ["read", "write"],` },
    { good: oauth2`scopes: ["read,write", "https://acme.example/auth;v=1"],` },
  ],
  on: {
    *auth(pack, auth) {
      if (!isOAuth(auth)) return;
      const delimiter = delimiterOf(pack, auth);
      const scopes = fieldValue(pack, auth, "scopes");
      if (scopes?.kind !== "array") return;
      for (const item of scopes.items) {
        const scope = pack.resolve(item);
        if (scope.kind !== "string") continue;
        const parts = scopesIn(pack, item, scope.value, delimiter);
        if (parts.length > 1)
          yield {
            place: item.place,
            message: `Make each of these ${parts.length} scopes an entry of its own. The platform joins them: with another delimiter the provider would see one scope that it does not know.`,
            fixes: () =>
              isLiteral(pack, item)
                ? [fix("Split into single scopes", replace(item.place, parts.map((part) => quoteLike(pack, item.place, part)).join(", ")))]
                : [],
          };
        else yield* checkEnds(pack, scopes, item, scope.value);
      }
    },
  },
});

/** Whether the source has the string at its place, which a part of a split text does not. */
const isLiteral = (pack: PackModel, { kind, place: { file, end } }: Expression): boolean =>
  kind === "string" && /["'`]/.test(pack.text(file)[end - 1] ?? "");

/** Checks the spaces around a single scope, which the platform would send too. */
function* checkEnds(pack: PackModel, scopes: ListValue, item: Expression, text: string): Iterable<Finding> {
  const scope = text.trim();
  if (scope === "")
    yield {
      place: item.place,
      message: "Remove this entry, or write a scope into it. It is empty, and the platform sends it as if it were one.",
      // Other code may use an item that is spread into the array.
      fixes: () => (isWithin(item.place, scopes.place) ? [fix("Remove the empty entry", removeItem(pack, scopes, item.place))] : []),
    };
  else if (scope !== text)
    yield {
      place: item.place,
      message: `Write ${JSON.stringify(scope)}, without a space around it. The platform sends the scope as it is written.`,
      fixes: () =>
        isLiteral(pack, item) ? [fix(`Change to ${JSON.stringify(scope)}`, replace(item.place, quoteLike(pack, item.place, scope)))] : [],
    };
}
