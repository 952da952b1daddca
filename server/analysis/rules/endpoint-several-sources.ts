import { fieldValue, isAbsent, isTrue, nameOf, propertyOf } from "../configuration/config.ts";
import { bearer, rule } from "../rule.ts";

export default rule({
  id: "endpoint-several-sources",
  severity: "warning",
  source: "auth-spec 5.7.3",
  docs: `An account would get its endpoint from more than one source.

Keep one source. A SetEndpoint step competes with \`requiresEndpointUrl\` or \`endpointKey\` here, and which endpoint wins is not defined. \`requiresEndpointUrl\` and \`endpointKey\` may be used together.`,
  examples: [
    {
      bad: bearer`
        requiresEndpointUrl: true,
        «postSetup»: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Choose", getOptions: async function (context) { return []; } }],`,
      good: ["requiresEndpointUrl: true,\n  ", ""],
    },
  ],
  on: {
    *auth(pack, auth) {
      const steps = fieldValue(pack, auth, "postSetup");
      const property = propertyOf(auth.config, "postSetup");
      if (property === undefined || steps?.kind !== "array" || steps.items.length === 0) return;
      const otherSources = [
        ...(isTrue(pack, auth, "requiresEndpointUrl") ? ["requiresEndpointUrl"] : []),
        ...(propertyOf(auth.config, "endpointKey") !== undefined && !isAbsent(pack, auth, "endpointKey") ? ["endpointKey"] : []),
      ];
      if (otherSources.length === 0) return;
      yield {
        place: nameOf(property),
        message: `Keep one source of the endpoint. It would come from postSetup and from ${otherSources.join(" and ")}, and which one wins is not defined.`,
      };
    },
  },
});
