// A pack that only says what it is: nothing of it is run.
import type { Pack } from "../../platform/process/pack.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";

/** Its users sign in by this authentication; `more` is what else it declares. */
export const declaredPack = (entry: string, user: AuthenticationDefinition, more: Partial<PackDefinition> = {}): Pack =>
  ({
    entry,
    definition: { networkDomains: ["api.example"], userAuthentication: user, formulas: [], syncTables: [], ...more },
  }) as unknown as Pack;
