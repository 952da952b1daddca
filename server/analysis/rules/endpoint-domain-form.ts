import { hasCredential } from "../../../spec/auth-types.ts";
import { fieldValue, fix, isAbsent, propertyOf } from "../configuration/config.ts";
import { mayHaveEndpoint } from "../configuration/endpoint-source.ts";
import { domainDoubt, domainFault, intendedDomain } from "../domains/hosts.ts";
import type { AuthConfig, PackModel } from "../model/pack.ts";
import { pack, rule } from "../rule.ts";
import { literalEdits } from "../text/edit.ts";

export default rule({
  id: "endpoint-domain-form",
  severity: "error",
  verdict: "will-be-rejected",
  rejectedSince: "1.8.6",
  source: "auth-spec 2.1",
  docs: `An \`endpointDomain\` is more than a bare domain.

Write the bare domain, such as \`example.com\`. Its subdomains match too. It is compared with the host of the account's endpoint, and a host has no scheme, path, port or wildcard. No endpoint could match, so nobody could connect an account. If accounts have no endpoint, this is a warning.`,
  supersedes: ["endpoint-domain-undeclared", "field-type"],
  examples: [
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, requiresEndpointUrl: true, endpointDomain: «"https://*.acme.example/"» });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, requiresEndpointUrl: true, endpointDomain: "acme.example" });`,
    },
    {
      good: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, requiresEndpointUrl: true, endpointDomain: "acme.example" });`,
    },
  ],
  on: {
    *auth(pack, auth) {
      const property = !hasCredential(auth.type) ? undefined : propertyOf(auth.config, "endpointDomain");
      const value = property === undefined ? undefined : pack.resolve(property.value);
      // An empty domain has the same effect as none.
      if (property === undefined || value?.kind !== "string" || value.value === "") return;
      const doubt = domainDoubt(value.value);
      const fault = doubt ?? domainFault(value.value);
      const bare = intendedDomain(value.value);
      if (fault === undefined) return;
      const isUploadable = isAccepted(pack, auth, value.value);
      const isIdle = isUploadable && !mayHaveEndpoint(pack, auth);
      yield {
        place: property.value.place,
        ...(isIdle || (isUploadable && doubt !== undefined) ? { severity: "warning" as const } : {}),
        message: `Write a bare domain${bare === undefined ? "" : `: ${bare}`}. endpointDomain ${JSON.stringify(value.value)} ${fault}. It is compared with the account's endpoint, and none could match${isIdle ? "" : ", so no account could be connected"}.`,
        fixes: bare === undefined ? [] : literalEdits(pack, property.value, bare).map((edit) => fix(`Change to ${bare}`, edit)),
      };
    },
  },
});

/** Returns whether the upload accepts the text: it must be or end with a declared domain, and get the credentials. */
const isAccepted = (pack: PackModel, auth: AuthConfig, text: string): boolean =>
  (isAbsent(pack, auth, "networkDomain") || isChosen(pack, auth, text)) &&
  pack.domains.declared.some(({ value }) => text === value || text.endsWith(`.${value}`));

function isChosen(pack: PackModel, auth: AuthConfig, text: string): boolean {
  const chosen = fieldValue(pack, auth, "networkDomain");
  return (chosen?.kind === "array" ? chosen.items.map(pack.resolve) : [chosen]).some((one) => one?.kind === "string" && one.value === text);
}
