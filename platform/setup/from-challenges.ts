// Turns the challenges of a 401 response (RFC 9110, section 11.6.1) into a proposal.
import { defined } from "../../base/defined.ts";
import type { Origin, Proposal, ProposedField } from "../../protocol/setup.ts";
import type { AuthTypeName } from "../../spec/auth-type-name.ts";
import { type Challenge, challengesIn } from "../diagnosis/challenges.ts";
import { headerIn } from "../diagnosis/facts.ts";
import { isReachable } from "../network/reachable-address.ts";
import { discoverResource, metadataUrlIn, pathIssuers, type ServerMetadata, texts } from "../oauth/discovery.ts";
import { type MetadataUse, outcomeOfMetadata } from "./from-metadata.ts";
import type { Impossibility } from "./impossible.ts";
import { lookUpReach } from "./look-up.ts";
import type { SetupOutcome } from "./outcome.ts";
import { askAwsService, field } from "./proposal-parts.ts";
import type { ReaderContext } from "./reader.ts";
import { discoverMetadata } from "./readers/issuer.ts";
import { ANOTHER_WAY, unreadable } from "./unreadable.ts";

/** What a proposal has whatever the challenge is. */
export interface Api extends Pick<Proposal, "domains" | "formula" | "mcpServer" | "remarks"> {
  readonly url: URL;
}

/** A way to authenticate that a challenge names. */
type Way = PossibleWay | { readonly label: string; readonly impossible: Impossibility };

interface PossibleWay {
  readonly label: string;
  readonly outcome: () => SetupOutcome | Promise<SetupOutcome>;
}

/** Returns the outcome for a response with status 401 or 403. Throws evidence-unreadable if it names no way that is known. */
export async function outcomeOfChallenges({ status, headers }: Response, api: Api, context: ReaderContext): Promise<SetupOutcome> {
  const challenges = challengesIn(headers.get("www-authenticate") ?? "");
  const { host } = api.url;
  const ways = challenges.flatMap((challenge) => waysOf(challenge, headers, api, context));
  const labels = [...new Set(challenges.map(({ scheme }) => scheme.slice(0, LONGEST_SCHEME)))].join(", ");
  // An API may repeat a scheme for another realm.
  const possible = [...new Map(ways.flatMap((way) => ("outcome" in way ? [[way.label, way] as const] : []))).values()];
  const [impossible] = ways.flatMap((way) => ("impossible" in way ? [way] : []));
  const [only, ...more] = possible;
  if (only === undefined) {
    if (impossible !== undefined)
      return { kind: "impossible", reason: impossible.impossible, origin: `the challenge ${impossible.label} of ${host}` };
    throw unreadable(
      challenges.length === 0
        ? `${host} refuses the request (${status}), and does not say how to authenticate (RFC 9110, section 11.6.1).`
        : `${host} asks for ${labels}, for which Pack Auth knows no authentication type.`,
      "Use a cURL command from the API's documentation.",
    );
  }
  const text = `${host} accepts several ways to authenticate. Which one does the pack use?`;
  const options = possible.map(({ label }) => ({ value: label, label }));
  const label = more.length === 0 ? only.label : context.choose({ id: "scheme", text, options });
  return (possible.find((way) => way.label === label) ?? only).outcome();
}

const LONGEST_SCHEME = 40;

/** Schemes that the platform cannot answer. */
const IMPOSSIBLE_SCHEMES: readonly (readonly [pattern: RegExp, reason: Impossibility])[] = [
  [/^digest$/i, "digest"],
  [/^(?:negotiate|ntlm|kerberos)$/i, "negotiate"],
  [/^dpop$/i, "dpop"],
  [/^oauth$/i, "oauth1"],
  [/^(?:hawk$|signature$|escher)|hmac/i, "signed-request"],
  [/^(?:cookie|formbased|form|session)$/i, "session-login"],
];

/** Schemes of a token that has no standard of its own. */
const TOKEN_SCHEME = /^(?:[a-z-]*(?:token|key)|bot)$/i;

function waysOf(challenge: Challenge, headers: Headers, api: Api, context: ReaderContext): readonly Way[] {
  const { scheme } = challenge;
  const label = scheme.slice(0, LONGEST_SCHEME);
  const origin = `the challenge ${label} of ${api.url.host}`;
  const propose =
    (type: AuthTypeName, fields: () => readonly ProposedField[] = () => []) =>
    (): SetupOutcome => {
      const { url: _, ...parts } = api;
      return { kind: "proposal", proposal: { scope: "user", type, typeOrigin: origin, fields: fields(), ...parts } };
    };
  if (/^basic$/i.test(scheme)) return [{ label, outcome: propose("WebBasic") }];
  if (/^bearer$/i.test(scheme)) {
    const issuer = () => readNamedIssuer(challenge, headers, origin, api, context);
    return [
      ...(namesIssuer(challenge, headers, api) ? [{ label: "OAuth 2.0, at the provider that the API names", outcome: issuer }] : []),
      { label: "Bearer, with a token that users enter", outcome: propose("HeaderBearerToken") },
    ];
  }
  if (/^aws4-hmac-sha256$/i.test(scheme))
    return [{ label, outcome: propose("AWSAccessKey", () => field("service", askAwsService(context), "your answer")) }];
  const reason = IMPOSSIBLE_SCHEMES.find(([pattern]) => pattern.test(scheme))?.[1];
  if (reason !== undefined) return [{ label, impossible: reason }];
  const header = headerIn(challenge);
  if (header !== undefined) return [{ label, outcome: propose("CustomHeaderToken", () => field("headerName", header, origin)) }];
  const fields = () => [...field("headerName", "Authorization", origin), ...field("tokenPrefix", label, origin)];
  return TOKEN_SCHEME.test(scheme) ? [{ label, outcome: propose("CustomHeaderToken", fields) }] : [];
}

/** Microsoft's APIs name their authorization page, others the metadata of the API (RFC 9728, section 5.1). */
const namesIssuer = ({ parameters }: Challenge, headers: Headers, { url }: Api): boolean =>
  metadataUrlIn(headers, url.href) !== undefined || isReachable(parameters.authorization_uri, url.href);

async function readNamedIssuer(
  { parameters }: Challenge,
  headers: Headers,
  origin: Origin,
  api: Api,
  context: ReaderContext,
): Promise<SetupOutcome> {
  const outcome = metadataUrlIn(headers, api.url.href) === undefined ? undefined : await outcomeOfResource(headers, api, context);
  if (outcome !== undefined) return outcome;
  const page = parameters.authorization_uri;
  const issuers = isReachable(page, api.url.href) ? [...new Set([page, ...pathIssuers(page)])] : [];
  let problem = unreadable(`${api.url.host} names no provider in ${origin} whose metadata can be read.`, ANOTHER_WAY);
  for (const issuer of issuers) {
    const discovery = await discoverMetadata(issuer, context);
    if ("metadata" in discovery) return outcomeOfIssuer(discovery.metadata, api, context);
    problem = discovery.problem;
  }
  throw problem;
}

const outcomeOfIssuer = (metadata: ServerMetadata, api: MetadataUse["api"] & Api, context: ReaderContext): SetupOutcome =>
  outcomeOfMetadata(metadata, { origin: `the metadata of ${metadata.issuer}`, remarks: api.remarks, api }, context);

/**
 * Returns the outcome for the issuer that the API's metadata names (RFC 9728), or undefined if the API publishes no metadata.
 * Several issuers are a question.
 */
export async function outcomeOfResource(headers: Headers, api: Api, context: ReaderContext): Promise<SetupOutcome | undefined> {
  const address = api.url.href;
  const metadataUrl = metadataUrlIn(headers, address);
  const { reach } = lookUpReach(context);
  const resource = await discoverResource({ address, ...defined({ metadataUrl }) }, new Set(), reach);
  context.signal.throwIfAborted();
  if (resource?.other !== undefined)
    throw unreadable(
      `The metadata of ${api.url.host} names another resource, ${resource.other}, so it was not used (RFC 9728, section 3.3).`,
      "If that is the right address, enter it.",
    );
  if (resource?.metadata === undefined) return undefined;
  const origin = `the metadata of the resource ${resource.resource}`;
  if (resource.metadata.dpop_bound_access_tokens_required === true)
    return { kind: "impossible", reason: "dpop", origin: `dpop_bound_access_tokens_required in ${origin}` };
  const [only = "", ...more] = resource.issuers;
  const issuer =
    more.length === 0
      ? only
      : context.choose({
          id: "issuer",
          text: `${api.url.host} accepts the tokens of several issuers. Which one does the pack use?`,
          options: resource.issuers.map((each) => ({ value: each, label: each })),
        });
  const scopes = texts(resource.metadata.scopes_supported);
  const parts = {
    ...api,
    resource: { value: resource.resource, origin },
    ...(scopes === undefined || scopes.length === 0 ? {} : { scopes: { value: scopes, origin } }),
  };
  const discovery = await discoverMetadata(issuer, context);
  if ("problem" in discovery) throw discovery.problem;
  return outcomeOfIssuer(discovery.metadata, parts, context);
}

/** Returns the outcome for an API whose own origin is the issuer, as with older MCP servers; undefined if it publishes no metadata. */
export async function outcomeOfOrigin(api: Api, context: ReaderContext): Promise<SetupOutcome | undefined> {
  const discovery = await discoverMetadata(`${api.url.origin}/`, context);
  return "metadata" in discovery ? outcomeOfIssuer(discovery.metadata, api, context) : undefined;
}
