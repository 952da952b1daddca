// How the source differs from the pack's configuration on the platform. Compared only with a token that is stored already.
import type { PreflightLine } from "../../../protocol/preflight.ts";
import { isOAuthType } from "../../../spec/auth-types.ts";
import { authenticationsOf, type PreflightFacts } from "../preflight-input.ts";

export async function publishedConfiguration({ input, pack, definition }: PreflightFacts): Promise<readonly PreflightLine[]> {
  // The platform stores a configuration of OAuth only.
  if (!authenticationsOf(definition).some(({ auth }) => isOAuthType(auth.type))) return [];
  if (input.compareWithPublished !== undefined) return input.compareWithPublished(pack, input.signal);
  return [
    {
      topic: "published-configuration",
      verdict: "not-checked",
      text: "The published configuration was not compared, because no API token is stored. Compare it once, and enter the token.",
      action: { kind: "compareWithPublished" },
    },
  ];
}
