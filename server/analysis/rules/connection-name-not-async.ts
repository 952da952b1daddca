import { fix, nameOf, propertyOf } from "../config.ts";
import { endpointSteps } from "../endpoint-source.ts";
import { returnsOf } from "../function-facts.ts";
import type { Finding, ObjectValue, PackModel } from "../model.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "connection-name-not-async",
  severity: "warning",
  source: "auth-spec 2.1",
  fields: ["getConnectionName", "postSetup"],
  docs: `A function that the platform awaits returns no promise.

\`getConnectionName\` and \`getOptions\` are asked for as async functions. One that is not runs all the same today, but TypeScript rejects it. Make it async.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.HeaderBearerToken,\n  requiresEndpointUrl: true,\n  «getConnectionName»: function (context) {\n    return \`Example (\${context.endpoint})\`;\n  },\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.HeaderBearerToken,\n  requiresEndpointUrl: true,\n  getConnectionName: async function (context) {\n    return \`Example (\${context.endpoint})\`;\n  },\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nimport { name } from "elsewhere";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: (context) => name(context) });\n`,
    },
  ],
  *check(pack) {
    for (const auth of pack.auths) {
      yield* plain(pack, auth.config, "getConnectionName");
      for (const step of endpointSteps(pack, auth)) {
        yield* plain(pack, step, "getOptions");
        yield* plain(pack, step, "getOptionsFormula");
      }
    }
  },
});

function* plain(pack: PackModel, object: ObjectValue, name: string): Iterable<Finding> {
  const property = propertyOf(object, name);
  const value = property === undefined ? undefined : pack.resolve(property.value);
  if (property === undefined || value?.kind !== "function" || value.async) return;
  const returns = returnsOf(value, pack.text(value.file));
  if (returns === undefined || returns.async || returns.generator || !returns.plain) return;
  yield {
    place: nameOf(property),
    message: `${name} returns no promise, and the Packs SDK's types ask for an async function. Make it async.`,
    fixes: () => [fix("Make it async", { file: value.file, start: returns.asyncAt, end: returns.asyncAt, text: "async " })],
  };
}
