import { isOAuth } from "../configuration/authorization-request.ts";
import { fieldValue, fix } from "../configuration/config.ts";
import { oauth2, rule, source } from "../rule.ts";
import { isWithin, removeItem } from "../text/edit.ts";

export default rule({
  id: "oauth2-scope-duplicate",
  severity: "warning",
  source: "auth-spec 2.3",
  docs: `\`scopes\` contains the same scope twice.

It is sent twice, and some providers refuse a request with a scope that is repeated. Remove one.`,
  examples: [
    { bad: oauth2`scopes: ["read", "write", «"read"»],`, fixed: oauth2`scopes: ["read", "write"],` },
    {
      bad: source`
        const READ = "read";
        import * as coda from "@codahq/packs-sdk";
        export const pack = coda.newPack();
        pack.addNetworkDomain("acme.example");
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://login.acme.example/authorize",
          tokenUrl: "https://login.acme.example/token",
          scopes: [
            READ,
            «"read"», // again
            "write",
          ],
        });`,
      change: ['"read", // again', ""],
    },
    { good: oauth2`scopes: ["read", "Read", "read:all"],` },
  ],
  on: {
    *auth(pack, auth) {
      if (!isOAuth(auth)) return;
      const scopes = fieldValue(pack, auth, "scopes");
      const previousScopes = new Set<string>();
      for (const item of scopes?.kind === "array" ? scopes.items : []) {
        const scope = pack.resolve(item);
        if (scope.kind !== "string" || scope.value.trim() === "") continue;
        if (previousScopes.has(scope.value) && scopes !== undefined)
          yield {
            place: item.place,
            message: `Remove one of the two scopes ${scope.value}. It would be sent twice.`,
            // Other code may use an item that is spread into the array.
            fixes: () =>
              scopes.kind === "array" && isWithin(item.place, scopes.place)
                ? [fix(`Remove the second ${scope.value}`, removeItem(pack, scopes, item.place))]
                : [],
          };
        previousScopes.add(scope.value);
      }
    },
  },
});
