import { hasCredential, isSigned } from "../../../spec/auth-types.ts";
import { fieldValue, isAbsent, resolvedAuths } from "../configuration/config.ts";
import { isSharedHost } from "../domains/hosts.ts";
import type { PackModel } from "../model/pack.ts";
import { pack, rule } from "../rule.ts";

export default rule({
  id: "network-domain-shared-host",
  severity: "information",
  source: "public suffix list, private section",
  docs: `Anybody can have a host under a network domain that gets credentials.

Declare your own host instead, such as \`my-app.vercel.app\`. A declared domain covers all its subdomains. Those of \`vercel.app\` or \`cloudfunctions.net\` belong to anybody who asks for one. A wrong URL could therefore send the credentials to a stranger.`,
  examples: [
    {
      bad: pack`
        pack.addNetworkDomain(«"vercel.app"»);
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });`,
    },
    {
      good: pack`
        pack.addNetworkDomain("my-app.vercel.app", "github.io");
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, networkDomain: "my-app.vercel.app" });`,
    },
    {
      good: pack`
        pack.addNetworkDomain("myshopify.com");
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, requiresEndpointUrl: true, endpointDomain: "myshopify.com" });`,
    },
  ],
  on: {
    *domain(pack, { value, expression }) {
      if (!isSharedHost(value) || !receiversOf(pack)(value)) return;
      yield {
        place: expression.place,
        message: `Declare your own host, such as my-app.${value}. Anybody can have a host under ${value}, and the pack could send its credentials to each of them.`,
      };
    },
  },
});

/** Returns a function that tells whether some authentication certainly sends credentials to any host of the domain. */
function receiversOf(pack: PackModel): (domain: string) => boolean {
  const chosen = resolvedAuths(pack).flatMap((auth): readonly (readonly string[] | "all")[] => {
    if (!hasCredential(auth.type) || isSigned(auth.type)) return [];
    // An account with an endpoint sends credentials to that host only, and a signature is not a secret.
    const hasEndpoint = ["requiresEndpointUrl", "endpointKey", "postSetup"].some((name) => !isAbsent(pack, auth, name));
    if (hasEndpoint || auth.config.open) return [];
    const value = fieldValue(pack, auth, "networkDomain");
    if (value === undefined || value.kind === "undefined") return ["all"];
    return [
      (value.kind === "array" ? value.items : [value])
        .map((item) => pack.resolve(item))
        .flatMap((item) => (item.kind === "string" ? item.value : [])),
    ];
  });
  return (domain) => chosen.some((domains) => domains === "all" || domains.includes(domain));
}
