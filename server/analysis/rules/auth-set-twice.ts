import type { AuthConfig, PackModel } from "../model.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "auth-set-twice",
  severity: "warning",
  source: "sdk-facts 2",
  docs: `The same authentication of one pack is set twice.

The later call wins and nothing says so; formulas that were added before it keep the default requirement of the first. Keep one call. Calls in branches that exclude each other, and calls inside functions, are not flagged.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\npack.«setUserAuthentication»({ type: coda.AuthenticationType.WebBasic });\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack({ networkDomains: ["acme.example"], defaultAuthentication: { type: coda.AuthenticationType.WebBasic } });\npack.«setUserAuthentication»({ type: coda.AuthenticationType.HeaderBearerToken });\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\nif (process.env.STAGING) pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\nelse pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });\npack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n`,
    },
  ],
  *check(pack) {
    for (const scope of ["user", "system"] as const) {
      const first = new Map<string, AuthConfig>();
      for (const auth of inOrder(pack, scope)) {
        // Where several packs are built, a receiver in a file is all that tells them apart.
        const which = pack.partial ? `${auth.place.file}:${auth.call?.receiver ?? ""}` : "";
        const before = first.get(which);
        if (before === undefined) first.set(which, auth);
        // Both options of a condition stand in one place.
        if (before === undefined || (before.place.file === auth.place.file && before.place.start === auth.place.start)) continue;
        const elsewhere = before.place.file === auth.place.file ? "" : ` (also in ${before.place.file.split(/[\\/]/).at(-1)})`;
        yield {
          place: auth.place,
          message: `The ${scope} authentication is set twice${elsewhere}: the later call wins without a word, and formulas that were added before it keep the default requirement of the first. Keep one.`,
        };
      }
    }
  },
});

/** What certainly sets it, in the order in which it runs: what newPack is given, the files that are imported, the entry. */
function inOrder(pack: PackModel, scope: AuthConfig["scope"]): readonly AuthConfig[] {
  const rank = (auth: AuthConfig): number => (auth.call === undefined ? 0 : auth.place.file === pack.entry ? 2 : 1);
  return pack.auths
    .filter((auth) => auth.scope === scope && auth.call?.conditional !== true && auth.call?.inFunction !== true)
    .filter((auth) => !pack.partial || auth.call !== undefined)
    .sort((a, b) => rank(a) - rank(b) || (a.place.file === b.place.file ? a.place.start - b.place.start : 0));
}
