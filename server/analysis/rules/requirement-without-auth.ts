import { ENUMS } from "../../../spec/fields.ts";
import { objectIn, propertyOf, removal } from "../configuration/config.ts";
import { pack, rule, source } from "../rule.ts";

export default rule({
  id: "requirement-without-auth",
  severity: "error",
  verdict: "will-be-rejected",
  source: "sdk-facts 2",
  docs: `A formula or sync table needs an account, but the pack has no user authentication.

Call \`pack.setUserAuthentication\`, or remove \`connectionRequirement\`. There is nothing to connect, so the platform rejects the pack. System authentication alone does not count, since all users share its account.`,
  examples: [
    {
      bad: pack`
        pack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
        pack.addFormula({
          ...Me,
          connectionRequirement: «coda.ConnectionRequirement.Required»,
          execute: async () => "",
        });`,
      change: ["connectionRequirement: coda.ConnectionRequirement.Required,", ""],
    },
    {
      good: source`
        import * as coda from "@codahq/packs-sdk";
        export const pack = coda.newPack();
        pack.addFormula({ name: "Hi", description: "Hi.", parameters: [], resultType: coda.ValueType.String, connectionRequirement: coda.ConnectionRequirement.None, execute: async () => "" });`,
    },
  ],
  on: {
    *runnable(pack, { kind, definition: whole }) {
      // The formula of a sync table has the requirement if the table has none.
      const definition =
        kind === "syncTable" && propertyOf(whole, "connectionRequirement") === undefined
          ? (objectIn(pack, whole, "formula") ?? whole)
          : whole;
      const property = propertyOf(definition, "connectionRequirement");
      const value = property === undefined ? undefined : pack.resolve(property.value);
      const hasAccountRequirement =
        value?.kind === "member"
          ? value.enum === "ConnectionRequirement" && (value.name === "Required" || value.name === "Optional")
          : value?.kind === "string" &&
            (value.value === ENUMS.ConnectionRequirement.Required || value.value === ENUMS.ConnectionRequirement.Optional);
      // An unreadable type may be any type.
      const mayConnect = !pack.complete.users || pack.auths.some((auth) => auth.scope === "user" && auth.type !== "None");
      if (!hasAccountRequirement || property === undefined || mayConnect) return;
      yield {
        place: property.value.place,
        message: `Call pack.setUserAuthentication, or remove connectionRequirement. This ${kind === "formula" ? "formula" : "sync table"} uses an account, and nobody can connect one: the platform rejects the pack.`,
        // The alternative, letting users connect an account, has no fix.
        fixes: () => removal(pack, definition, property),
      };
    },
  },
});
