// What a pack puts where its users' credentials go, in a request that gets none: the platform refuses that too, so that no pack can read
// with a user's account and write with one of its own.
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { FetchRequest } from "../../protocol/pack-process.ts";
import { credentialPlaces } from "../../spec/credential-placement.ts";

/** One message for each place. Only for packs with user authentication; the toolkit's fetcher guide, "Mixed credentials not allowed". */
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
