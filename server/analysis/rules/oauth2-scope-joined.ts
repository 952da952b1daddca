import { t } from "@vscode/l10n";
import { isOAuth } from "../configuration/authorization-request.ts";
import { fieldValue, fix, isAbsent, type KnownAuth } from "../configuration/config.ts";
import type { PackModel } from "../model/pack.ts";
import { pack, rule } from "../rule.ts";
import { quoteLike, replace } from "../text/edit.ts";

export default rule({
  id: "oauth2-scope-joined",
  severity: "warning",
  source: "auth-spec 2.3",
  docs: `One entry of \`scopes\` contains several scopes.

Make each scope an entry of its own. \`scopes\` is an array of single scopes, and the platform joins them with the delimiter. With another delimiter the provider would see a joined entry as one unknown scope. Pack Auth cannot find missing or repeated scopes in it either.`,
  examples: [
    {
      bad: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://login.acme.example/authorize",
          tokenUrl: "https://login.acme.example/token",
          scopes: ["profile", «"read write"»],
        });
      `,
      fixed: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://login.acme.example/authorize",
          tokenUrl: "https://login.acme.example/token",
          scopes: ["profile", "read", "write"],
        });
      `,
    },
    {
      bad: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://login.acme.example/authorize",
          tokenUrl: "https://login.acme.example/token",
          scopeDelimiter: ",",
          scopes: [
            «'read,write'»,
          ],
        });
      `,
      fixed: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://login.acme.example/authorize",
          tokenUrl: "https://login.acme.example/token",
          scopeDelimiter: ",",
          scopes: [
            'read', 'write',
          ],
        });
      `,
    },
    {
      good: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://login.acme.example/authorize",
          tokenUrl: "https://login.acme.example/token",
          scopes: ["read,write", "https://acme.example/auth;v=1"],
        });
      `,
    },
  ],
  on: {
    *auth(pack, auth) {
      if (!isOAuth(auth)) return;
      const delimiter = delimiterOf(pack, auth);
      const scopes = fieldValue(pack, auth, "scopes");
      if (delimiter === undefined || scopes?.kind !== "array") return;
      for (const item of scopes.items) {
        const scope = pack.resolve(item);
        const parts = scope.kind === "string" ? scope.value.split(delimiter).flatMap((part) => part.trim() || []) : [];
        if (parts.length < 2) continue;
        yield {
          place: item.place,
          message: t`Make each of these ${parts.length} scopes an entry of its own. The platform joins them: with another delimiter the provider would see one scope that it does not know.`,
          fixes: () =>
            item.kind === "string"
              ? [fix(t`Split into single scopes`, replace(item.place, parts.map((part) => quoteLike(pack, item.place, part)).join(", ")))]
              : [],
        };
      }
    },
  },
});

/** The delimiter in force; undefined where that is not known. */
function delimiterOf(pack: PackModel, auth: KnownAuth): string | undefined {
  if (isAbsent(pack, auth, "scopeDelimiter")) return " ";
  const value = fieldValue(pack, auth, "scopeDelimiter");
  return value?.kind === "string" && [" ", ",", ";"].includes(value.value) ? value.value : undefined;
}
