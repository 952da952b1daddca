import { AUTH_TYPES } from "../../../spec/auth-types.ts";
import { enumText, fix, isAbsent } from "../config.ts";
import { insertProperty } from "../edit.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "auth-type-missing",
  severity: "error",
  source: "auth-spec 2.1",
  docs: `An authentication configuration has no \`type\`.

The type selects how users sign in and where the credential goes, so the platform rejects a pack without it. Add \`type\`.`,
  supersedes: ["field-missing"],
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.«setUserAuthentication»({});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.HeaderBearerToken,\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nimport { base } from "somewhere";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ ...base });\n`,
    },
  ],
  *check(pack) {
    for (const auth of pack.auths) {
      if (!isAbsent(pack, auth, "type") || auth.typeProperty !== undefined) continue;
      const offered = Object.values(AUTH_TYPES).filter(
        (type) => !type.hidden && type.name !== "None" && (auth.scope === "user" || type.system),
      );
      yield {
        place: auth.place,
        message:
          "The authentication has no type, so the platform cannot know how to sign in and rejects the pack. Add type: AuthenticationType.….",
        fixes: () =>
          offered.map((type) =>
            fix(
              `Add type: ${type.name}`,
              insertProperty(pack, auth.config, `type: ${enumText(pack, auth.config.file, "AuthenticationType", type.name)}`, {
                first: true,
              }),
            ),
          ),
      };
    }
  },
});
