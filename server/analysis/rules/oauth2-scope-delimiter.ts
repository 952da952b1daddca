import { isOAuth } from "../configuration/authorization-request.ts";
import { fieldValue, fix, propertyOf, type ResolvedAuth } from "../configuration/config.ts";
import { providerAt } from "../configuration/provider.ts";
import type { PackModel } from "../model/pack.ts";
import { oauth2, rule } from "../rule.ts";
import { literalEdits } from "../text/edit.ts";

export default rule({
  id: "oauth2-scope-delimiter",
  severity: "error",
  verdict: "will-be-rejected",
  source: "auth-spec 2.3",
  docs: `The platform cannot join scopes with this \`scopeDelimiter\`.

Use a space (the default, and the standard's), a comma or a semicolon. The platform rejects anything else. A \`+\` in a provider's documentation is an encoded space.`,
  supersedes: ["field-type"],
  examples: [
    {
      bad: oauth2`
        scopes: ["read", "write"],
        scopeDelimiter: «", "»,`,
      change: ['scopeDelimiter: ", ",', 'scopeDelimiter: ",",'],
    },
    {
      bad: oauth2`
        scopes: ["read", "write"],
        scopeDelimiter: «'+'»,`,
      change: ["'+'", "' '"],
      good: ["'+'", '";"'],
    },
  ],
  on: {
    *auth(pack, auth) {
      if (!isOAuth(auth)) return;
      const sourceValue = propertyOf(auth.config, "scopeDelimiter")?.value;
      const value = fieldValue(pack, auth, "scopeDelimiter");
      if (sourceValue === undefined || value?.kind !== "string" || DELIMITERS.includes(value.value)) return;
      yield {
        place: sourceValue.place,
        message: `Use a space, a comma or a semicolon, as the provider's documentation shows. The platform rejects ${JSON.stringify(value.value)}.`,
        fixes: () =>
          inOrder(pack, auth, value.value).flatMap((delimiter) =>
            literalEdits(pack, sourceValue, delimiter).map((edit) => fix(`Change to ${String(NAMES[delimiter])}`, edit)),
          ),
      };
    },
  },
});

const NAMES: Readonly<Record<string, string>> = { " ": "a space", ",": "a comma", ";": "a semicolon" };
const DELIMITERS = Object.keys(NAMES);

/** Returns the delimiters; the intended one, or that of the known provider, comes first. */
function inOrder(pack: PackModel, auth: ResolvedAuth, wrong: string): readonly string[] {
  const likelyDelimiter = /^\s*([,;])\s*$/.exec(wrong)?.[1] ?? providerAt(pack, auth)?.oauth2.scopeDelimiter ?? " ";
  return [likelyDelimiter, ...DELIMITERS.filter((delimiter) => delimiter !== likelyDelimiter)];
}
