// Which of a pack's declared domains get an account's credentials (auth-spec 5.7.4, sdk-facts 2).
import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";

/** Those that the authentication chooses among the declared ones; undefined where it chooses none, and all of them get credentials. */
export function chosenDomains(auth: AuthenticationDefinition | undefined, declared: readonly string[]): readonly string[] | undefined {
  if (auth?.networkDomain !== undefined) return [auth.networkDomain].flat();
  // Of several domains, endpointDomain is the one that the authentication is for.
  return declared.length > 1 && auth?.endpointDomain !== undefined ? [auth.endpointDomain] : undefined;
}

/** The definition with each authentication's own domains written out, so that an account can be held to those that it was made for. */
export function withCredentialDomains(definition: PackDefinition): PackDefinition {
  const addDomains = (auth: AuthenticationDefinition): AuthenticationDefinition => ({
    ...auth,
    credentialDomains: chosenDomains(auth, definition.networkDomains) ?? definition.networkDomains,
  });
  const { userAuthentication: user, systemAuthentication: system } = definition;
  return {
    ...definition,
    ...defined({ userAuthentication: user && addDomains(user), systemAuthentication: system && addDomains(system) }),
  };
}
