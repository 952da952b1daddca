// How the source differs from the pack's configuration on the platform. Compared only with a token that is stored already.
import type { PreflightLine } from "../../../protocol/preflight.ts";
import { PackAuthError } from "../../errors.ts";
import { driftOf, driftText, oauthScopeOf } from "../../production/drift.ts";
import { type PublishedPack, publishedPack } from "../../public-api/published-pack.ts";
import type { PreflightFacts } from "../preflight-input.ts";

/** Returns one line, or none if the pack has no OAuth2 or no ID. Throws PackAuthError if the platform refuses. */
export async function publishedConfiguration({ input, definition }: PreflightFacts): Promise<readonly PreflightLine[]> {
  const scope = oauthScopeOf(definition);
  const published = scope === undefined ? undefined : publishedPackOf(input.entry);
  if (scope === undefined || published === undefined) return [];
  const api = await input.publishedApi(published);
  if (api === undefined)
    return [
      {
        topic: "published-configuration",
        verdict: "not-judged",
        text: "The published configuration was not compared, because no API token is stored. Compare it once, and enter the token.",
        action: { kind: "compareWithPublished" },
      },
    ];
  const drift = driftOf(await api.oauthConfig(published.packId, input.signal), definition, await input.accounts.clientOf(scope));
  return [
    {
      topic: "published-configuration",
      verdict: drift.differs ? "differs-there" : "fits",
      text: driftText(drift),
      action: { kind: "compareWithPublished" },
    },
  ];
}

/** Returns undefined if the pack has no ID yet, which the line of the redirect address says. */
function publishedPackOf(entry: string): PublishedPack | undefined {
  try {
    return publishedPack(entry);
  } catch (error) {
    if (error instanceof PackAuthError && error.code === "pack-id-missing") return undefined;
    throw error;
  }
}
