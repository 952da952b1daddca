// The redirect address of the published pack, which the provider has to know.
import { dirname, join } from "node:path";
import type { PreflightLine } from "../../../protocol/preflight.ts";
import { asksProvider } from "../../../spec/auth-types.ts";
import { publishedRedirect } from "../../../spec/published-redirect.ts";
import { readRegularFile } from "../../files/regular-file.ts";
import { atSetter, type PreflightFacts } from "../preflight-input.ts";

/** Returns one line, or none if nobody signs in at a provider. */
export function redirectAddress(facts: PreflightFacts): readonly PreflightLine[] {
  const { definition, pack } = facts;
  if (!asksProvider(definition.userAuthentication?.type)) return [];
  const redirect = publishedRedirect((name) => readRegularFile(join(dirname(pack.entry), name)));
  const line = { topic: "redirect-address", verdict: "differs-there", ...atSetter(facts, "user") } as const;
  if (redirect.address === undefined) return [{ ...line, text: redirect.whereToFind }];
  const text = definition.userAuthentication?.useDynamicClientRegistration
    ? `The published pack signs in with the redirect address ${redirect.address}. The platform registers it at the provider by itself.`
    : `Register ${redirect.address} at the provider as well. The published pack signs in with this redirect address.`;
  return [{ ...line, text, action: { kind: "copy", text: redirect.address } }];
}
