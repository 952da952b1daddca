import { fieldsOf, typesWithField } from "../../../spec/auth-types.ts";
import { BASE_FIELDS, USER_ONLY_FIELDS } from "../../../spec/fields.ts";
import { knownAuths, nameOf, removal } from "../config.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "field-not-for-type",
  severity: "error",
  source: "auth-spec 2.2",
  about: "doubtfulField",
  docs: `A configuration has a field that belongs to another authentication type, or to the other setter.

The platform rejects it at upload, and it would have no effect. Remove it, or change the type.`,
  supersedes: ["field-type"],
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.HeaderBearerToken,\n  «headerName»: "X-Token",\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.HeaderBearerToken,\n});\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setSystemAuthentication({\n  type: coda.AuthenticationType.HeaderBearerToken,\n  «defaultConnectionRequirement»: coda.ConnectionRequirement.None,\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setSystemAuthentication({\n  type: coda.AuthenticationType.HeaderBearerToken,\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-Token" });\n`,
    },
  ],
  *check(pack) {
    for (const auth of knownAuths(pack)) {
      const legal = new Set(fieldsOf(auth.type, auth.scope).map((field) => field.name));
      for (const property of auth.config.properties) {
        // What the installed toolkit declares for the type is legal.
        if (legal.has(property.name) || pack.toolkit?.fieldsByType.get(auth.type)?.has(property.name)) continue;
        const owners = typesWithField(property.name);
        const isBase = BASE_FIELDS.some((field) => field.name === property.name);
        const isUserOnly = USER_ONLY_FIELDS.some((field) => field.name === property.name);
        if (owners.length === 0 && !isBase && !isUserOnly) continue;
        const whose =
          owners.length > 0
            ? `belongs to ${owners.slice(0, 4).join(", ")}`
            : isUserOnly
              ? "belongs to setUserAuthentication"
              : "belongs to types that sign in";
        yield {
          place: nameOf(property),
          message: `${property.name} ${whose}, not to ${isUserOnly && auth.scope === "system" ? "setSystemAuthentication" : auth.type}: the platform rejects it. Remove it, or change the type.`,
          fixes: () => removal(pack, auth.config, property),
        };
      }
    }
  },
});
