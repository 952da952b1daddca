// Decides which of a pack's declared domains receive an account's credentials (auth-spec 5.7.4, sdk-facts 2).
import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";

/** Returns the domains that the authentication selects; undefined if it selects none, so that all declared domains receive credentials. */
export function chosenDomains(auth: AuthenticationDefinition | undefined, declared: readonly string[]): readonly string[] | undefined {
  if (auth?.networkDomain !== undefined) return [auth.networkDomain].flat();
  // If there are several domains, the authentication is for endpointDomain.
  return declared.length > 1 && auth?.endpointDomain !== undefined ? [auth.endpointDomain] : undefined;
}

/** Returns the definition with each authentication's own domains, so that an account stays limited to the domains it was created for. */
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
