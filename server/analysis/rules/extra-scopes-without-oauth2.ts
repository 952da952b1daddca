import { flowKindOf, isOAuthType } from "../../../spec/auth-types.ts";
import { formulaOf, nameOf, propertyOf, removal } from "../configuration/config.ts";
import { oauth2, pack, rule } from "../rule.ts";

export default rule({
  id: "extra-scopes-without-oauth2",
  severity: "warning",
  source: "the SDK's OAuth guide",
  docs: `A formula or table asks for OAuth scopes, but the pack does not use OAuth 2.0.

Remove \`extraOAuthScopes\`, or change the type to OAuth2. Only an OAuth 2.0 sign-in asks the provider for scopes. With another type of authentication they have no effect.`,
  examples: [
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
        formula Write, «extraOAuthScopes»: ["write"] {}`,
      change: ['extraOAuthScopes: ["write"],', ""],
    },
    {
      good: oauth2`

        formula Write, extraOAuthScopes: ["write"] {}`,
    },
  ],
  on: {
    *runnable(pack, runnable) {
      if (pack.partial || !pack.authsComplete || pack.auths.some(({ type }) => type === undefined || mayHaveScopes(type))) return;
      const holder = formulaOf(pack, runnable);
      const property = holder && propertyOf(holder, "extraOAuthScopes");
      const scopes = property && pack.resolve(property.value);
      if (holder === undefined || property === undefined || scopes?.kind !== "array" || scopes.items.length === 0) return;
      yield {
        place: nameOf(property),
        message: "Remove extraOAuthScopes, or use OAuth2. Without it nobody is asked for them.",
        fixes: () => removal(pack, holder, property),
      };
    },
  },
});

/** Returns whether the type may use scopes. It is undocumented for the first-party types. */
const mayHaveScopes = (type: string): boolean => isOAuthType(type) || flowKindOf(type) === "unavailable";
