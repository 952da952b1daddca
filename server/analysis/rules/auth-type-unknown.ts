import { AUTH_TYPES, isAuthTypeName } from "../../../spec/auth-types.ts";
import { closest } from "../closest.ts";
import { fix } from "../config.ts";
import { replace } from "../edit.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "auth-type-unknown",
  severity: "error",
  source: "auth-spec 2.1",
  docs: `The \`type\` of an authentication is no authentication type.

Neither the specification nor the installed toolkit has such a member of \`AuthenticationType\`; the platform rejects the pack. Take one that exists.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.«HeaderBearer» });\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: «"WebBsic"» });\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: "WebBasic" });\n`,
    },
    {
      good: `import { newPack, AuthenticationType } from "@codahq/packs-sdk";\nexport const pack = newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: AuthenticationType.WebBasic });\n`,
    },
  ],
  *check(pack) {
    for (const auth of pack.auths) {
      if (auth.type === undefined || auth.typeProperty === undefined) continue;
      // An installed toolkit decides by itself: it may lack what newer ones have.
      if (pack.toolkit === undefined ? isAuthTypeName(auth.type) : pack.toolkit.authenticationTypes.has(auth.type)) continue;
      const value = pack.resolve(auth.typeProperty.value);
      const names = Object.values(AUTH_TYPES)
        .filter((type) => !type.hidden && (auth.scope === "user" || type.system))
        .filter((type) => pack.toolkit?.authenticationTypes.has(type.name) !== false)
        .map((type) => type.name);
      const near = closest(auth.type, names);
      const place = value.kind === "member" ? { file: value.file, ...value.nameSpan } : value;
      const offered = near === undefined ? names.filter((name) => name !== "None") : [near];
      const isNewer = isAuthTypeName(auth.type) && pack.toolkit !== undefined;
      yield {
        place,
        message: `${isNewer ? `The installed toolkit (${pack.toolkit?.version}) has no type ${auth.type}` : `${auth.type} is no authentication type`}, so the platform rejects the pack. ${isNewer ? "Install a newer toolkit, or take another type. " : ""}${near === undefined ? `There are: ${names.join(", ")}.` : `Did you mean ${near}?`}`,
        fixes: () => offered.map((name) => fix(`Change to ${name}`, replace(place, value.kind === "member" ? name : JSON.stringify(name)))),
      };
    }
  },
});
