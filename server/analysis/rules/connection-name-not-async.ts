import { endpointSteps, fix, nameOf, propertyOf } from "../configuration/config.ts";
import type { Finding } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { ObjectValue } from "../model/values.ts";
import { bearer, pack, rule, source } from "../rule.ts";
import { replace } from "../text/edit.ts";

export default rule({
  id: "connection-name-not-async",
  severity: "warning",
  source: "auth-spec 2.1",
  docs: `A function that the platform awaits returns no promise.

Make it async. \`getConnectionName\`, \`getConnectionUserId\` and \`getOptions\` must be async functions. Others still run today, but TypeScript rejects them.`,
  examples: [
    {
      bad: bearer`
        requiresEndpointUrl: true,
        «getConnectionName»: function (context) {
          return \`Example (\${context.endpoint})\`;
        },`,
      change: ["function", "async function"],
    },
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, «getConnectionUserId»: () => "7" });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionUserId: async () => "7" });`,
    },
    {
      good: source`
        import * as coda from "@codahq/packs-sdk";
        import { name } from "elsewhere";
        export const pack = coda.newPack();
        pack.addNetworkDomain("example.com");
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: (context) => name(context) });`,
    },
  ],
  on: {
    *configuration(pack, auth) {
      for (const name of ["getConnectionName", "getConnectionUserId"]) yield* plain(pack, auth.config, name);
      for (const step of endpointSteps(pack, auth)) {
        yield* plain(pack, step, "getOptions");
        yield* plain(pack, step, "getOptionsFormula");
      }
    },
  },
});

function* plain(pack: PackModel, object: ObjectValue, name: string): Iterable<Finding> {
  const property = propertyOf(object, name);
  const value = property === undefined ? undefined : pack.resolve(property.value);
  if (property === undefined || value?.kind !== "function" || value.async) return;
  const returns = pack.functionAt(value.place);
  if (returns === undefined || returns.async || returns.generator || !returns.plain) return;
  yield {
    place: nameOf(property),
    message: `Make ${name} async. The Packs SDK's types ask for a function that returns a promise.`,
    fixes: () => [fix("Make it async", replace(returns.asyncAt, "async "))],
  };
}
