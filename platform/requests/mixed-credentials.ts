// Finds values that a pack sets itself where its users' credentials go, in a request without an account. The platform refuses this, so that
// no pack can read with a user's account and write with its own.
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { FetchRequest } from "../../protocol/pack-process.ts";
import { credentialPlaces } from "../../spec/credential-placement.ts";

/**
 * Yields one message for each place, only for packs with user authentication. See the Packs SDK's fetcher guide, "Mixed credentials not
 * allowed".
 */
export function* mixedCredentials(request: FetchRequest, auth: AuthenticationDefinition | undefined): Iterable<string> {
  if (auth === undefined) return;
  const own = Object.keys(request.headers ?? {});
  const query = new URLSearchParams(/\?([^#]*)/.exec(request.url)?.[1]);
  for (const { in: where, name } of credentialPlaces(auth.type, auth)) {
    if (name === undefined) continue;
    if (where === "query" && query.has(name)) yield refusal(`the query parameter ${name}`);
    if (where === "header" && own.some((each) => each.toLowerCase() === name.toLowerCase())) yield refusal(`the header ${name}`);
  }
}

const refusal = (place: string): string =>
  `The pack sets ${place} itself, where the credentials of its users go. The platform refuses that in a pack with user authentication, also in a request without credentials.`;
