// What a pack puts where its users' credentials go, in a request that gets none: the platform refuses that too, so that no pack can read
// with a user's account and write with one of its own.
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { FetchRequest } from "../../protocol/pack-process.ts";

/** One message for each place. Only for packs with user authentication; the toolkit's fetcher guide, "Mixed credentials not allowed". */
export function* mixedCredentials(request: FetchRequest, auth: AuthenticationDefinition | undefined): Iterable<string> {
  if (auth === undefined) return;
  const { headers, parameters } = placesOf(auth);
  const own = Object.keys(request.headers ?? {});
  for (const name of headers) {
    if (own.some((each) => each.toLowerCase() === name.toLowerCase())) yield refusal(`the header ${name}`);
  }
  const query = /\?([^#]*)/.exec(request.url)?.[1] ?? "";
  const given = new URLSearchParams(query);
  for (const name of parameters) if (given.has(name)) yield refusal(`the query parameter ${name}`);
}

const refusal = (place: string): string =>
  `The pack sets ${place} itself, where the credentials of its users go. The platform refuses that in a pack with user authentication, also in a request without credentials.`;

function placesOf(auth: AuthenticationDefinition): { readonly headers: readonly string[]; readonly parameters: readonly string[] } {
  switch (auth.type) {
    case "CustomHeaderToken":
      return { headers: auth.headerName === undefined ? [] : [auth.headerName], parameters: [] };
    case "MultiHeaderToken":
      return { headers: (auth.headers ?? []).map(({ name }) => name), parameters: [] };
    case "QueryParamToken":
      return { headers: [], parameters: auth.paramName === undefined ? [] : [auth.paramName] };
    case "MultiQueryParamToken":
      return { headers: [], parameters: (auth.params ?? []).map(({ name }) => name) };
    case "OAuth2":
    case "OAuth2ClientCredentials":
      return auth.tokenQueryParam ? { headers: [], parameters: [auth.tokenQueryParam] } : { headers: ["Authorization"], parameters: [] };
    case "None":
    case "Various":
    case "Custom":
      return { headers: [], parameters: [] };
    default:
      return { headers: ["Authorization"], parameters: [] };
  }
}
