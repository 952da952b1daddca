// A pack that consists of a definition only, without code.
import type { Pack } from "../../platform/process/pack.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";

/** Returns a pack with this user authentication; `more` are its other declarations. */
export const declaredPack = (entry: string, user: AuthenticationDefinition, more: Partial<PackDefinition> = {}): Pack =>
  ({
    entry,
    definition: { networkDomains: ["api.example"], userAuthentication: user, formulas: [], syncTables: [], ...more },
  }) as unknown as Pack;
