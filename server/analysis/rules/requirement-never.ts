import { ENUMS } from "../../../spec/fields.ts";
import { objectIn, propertyOf, propose, resolvedAuths, valueIn } from "../configuration/config.ts";
import { enumText } from "../configuration/starter-values.ts";
import type { PackModel, RunnableFact } from "../model/pack.ts";
import type { Expression } from "../model/values.ts";
import { pack, rule } from "../rule.ts";
import { replace } from "../text/edit.ts";

export default rule({
  id: "requirement-never",
  severity: "warning",
  source: "auth-spec 5.1.3",
  docs: `Users can connect accounts, but nothing in the pack uses them.

Every formula and sync table has the connection requirement \`None\`: by the default, or by its own. Requests are sent without credentials. Set \`connectionRequirement: ConnectionRequirement.Required\` where the account is needed, or change the default.`,
  examples: [
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, defaultConnectionRequirement: «coda.ConnectionRequirement.None» });
        pack.addFormula({ name: "Hi", description: "Hi.", parameters: [], resultType: coda.ValueType.String, execute: async () => "" });`,
      change: ["coda.ConnectionRequirement.None", "coda.ConnectionRequirement.Required"],
    },
    {
      bad: pack`
        pack.«setUserAuthentication»({ type: coda.AuthenticationType.WebBasic });
        pack.addFormula({ name: "Hi", description: "Hi.", parameters: [], resultType: coda.ValueType.String, connectionRequirement: coda.ConnectionRequirement.None, execute: async () => "" });`,
    },
    {
      good: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, defaultConnectionRequirement: coda.ConnectionRequirement.None });
        pack.addFormula({ name: "Hi", description: "Hi.", parameters: [], resultType: coda.ValueType.String, execute: async () => "" });
        pack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, connectionRequirement: coda.ConnectionRequirement.Required, execute: async () => "" });`,
    },
  ],
  on: {
    *pack(pack) {
      const isNone = (value: Expression | undefined): boolean =>
        value?.kind === "member"
          ? value.enum === "ConnectionRequirement" && value.name === "None"
          : value?.kind === "string" && value.value === ENUMS.ConnectionRequirement.None;
      const users = resolvedAuths(pack).filter((auth) => auth.scope === "user" && auth.type !== "None");
      // A pack without formulas is still being written.
      if (users.length !== 1 || pack.runnables.length === 0 || !pack.complete.runnables || !pack.authsComplete) return;
      // Metadata formulas of parameters and tables may set a requirement themselves, or use the default.
      const mayOptIn = pack.facts.some(({ requirements }) => requirements.some((value) => !isNone(pack.resolve(value))));
      const hasMetadata = METADATA.some((name) => pack.facts.some(({ uses }) => uses("defines", name) || uses("reads", name)));
      for (const auth of users) {
        const property = propertyOf(auth.config, "defaultConnectionRequirement");
        if (property === undefined) {
          const isLeftOut = !auth.config.open && pack.runnables.every((runnable) => isNone(ownRequirement(pack, runnable)));
          if (isLeftOut && !mayOptIn && !hasMetadata)
            yield {
              place: auth.place,
              message:
                "Remove connectionRequirement where an account is needed. Every formula and sync table sets it to None, so nothing uses the account that users connect.",
            };
          continue;
        }
        if (!isNone(pack.resolve(property.value))) continue;
        const optsIn = pack.runnables.some(({ definition }) => {
          const own = propertyOf(definition, "connectionRequirement");
          return own === undefined ? definition.open : !isNone(pack.resolve(own.value));
        });
        if (optsIn || mayOptIn) continue;
        yield {
          place: property.value.place,
          message:
            "Set connectionRequirement where an account is needed, or change this default. No formula or sync table uses the account that users connect.",
          fixes: () =>
            property.value.kind === "reference"
              ? []
              : [
                  propose(
                    "Change the default to Required",
                    replace(property.value.place, enumText(pack, property.value.place.file, "ConnectionRequirement", "Required")),
                  ),
                ],
        };
      }
    },
  },
});

/** The names of metadata formulas, and of the function that makes them. */
const METADATA = ["autocomplete", "makeMetadataFormula", "listDynamicUrls", "getSchema", "options"];

/** Returns the requirement of the definition, or that of a table's formula if the table has none. */
function ownRequirement(pack: PackModel, { kind, definition }: RunnableFact): Expression | undefined {
  const own = valueIn(pack, definition, "connectionRequirement");
  const formula = own === undefined && kind === "syncTable" ? objectIn(pack, definition, "formula") : undefined;
  return formula === undefined ? own : valueIn(pack, formula, "connectionRequirement");
}
