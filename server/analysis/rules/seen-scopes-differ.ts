import type { ResolvedAuth } from "../configuration/config.ts";
import { fieldValue, propertyOf, propose, removal } from "../configuration/config.ts";
import { fieldPlace } from "../configuration/observation.ts";
import type { Fix } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import { oauth2, observationRule } from "../rule.ts";
import { insertProperty, isOwn, quoteIn, removeItem } from "../text/edit.ts";

export default observationRule({
  id: "seen-scopes-differ",
  severity: "information",
  docs: `The provider did not grant all scopes that the configuration asks for.

A sign-in showed this. Requests that need one of these scopes fail with 403. The account may lack the right, the application may not be allowed to ask for it, or the scope may have another name. If none of several scopes was granted, the delimiter is often wrong. The standard's is a space.`,
  examples: [
    { bad: oauth2`«scopes»: ["read", "write"],`, evidence: { code: "scopes-differ", names: ["write"] }, fixed: oauth2`scopes: ["read"],` },
    {
      bad: oauth2`
        scopes: ["read", "write"],
        «scopeDelimiter»: ";",`,
      evidence: { code: "scopes-differ", names: [] },
      fixed: oauth2`scopes: ["read", "write"],`,
    },
    {
      bad: oauth2`«scopes»: ["read", "write"],`,
      evidence: { code: "scopes-differ", names: [] },
      change: ["}", '  scopeDelimiter: ",",\n}'],
    },
    { good: oauth2`scopes: ["read"],` },
  ],
  reports: {
    *"scopes-differ"(pack, auth, scopes) {
      const delimiter = propertyOf(auth.config, "scopeDelimiter");
      if (scopes.length > 0)
        yield {
          place: fieldPlace(auth, "scopes"),
          message: `Remove these scopes, or allow them at the provider. It did not grant ${scopes.join(", ")}.`,
          fixes: () => scopes.flatMap((scope) => removeScope(pack, auth, scope)),
        };
      else if (delimiter !== undefined)
        yield {
          place: fieldPlace(auth, "scopeDelimiter"),
          message: "Remove scopeDelimiter. The provider granted none of the scopes that it joins.",
          fixes: () => removal(pack, auth.config, delimiter),
        };
      else
        yield {
          place: fieldPlace(auth, "scopes"),
          message: "Set scopeDelimiter to the character between scopes in the provider's documentation. It read these scopes as one.",
          fixes: () =>
            [",", ";"].map((text) =>
              propose(
                `Join the scopes by "${text}"`,
                insertProperty(pack, auth.config, `scopeDelimiter: ${quoteIn(pack, auth.config, text)}`),
              ),
            ),
        };
    },
  },
});

function removeScope(pack: PackModel, auth: ResolvedAuth, scope: string): readonly Fix[] {
  const property = propertyOf(auth.config, "scopes");
  const list = fieldValue(pack, auth, "scopes");
  if (property === undefined || !isOwn(auth.config, property) || list?.kind !== "array") return [];
  const item = list.items.find((each) => each.kind === "string" && each.value === scope);
  return item === undefined ? [] : [propose(`Remove the scope ${scope}`, removeItem(pack, list, item.place))];
}
