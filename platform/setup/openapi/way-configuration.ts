// A way to authenticate → the configuration of the pack, or the reason why the platform has none.
import type { Origin, ProposedField } from "../../../protocol/setup.ts";
import type { Impossibility } from "../impossible.ts";
import { askAwsService } from "../proposal-parts.ts";
import type { ReaderContext } from "../reader.ts";
import type { Configuration, Surroundings } from "./configuration.ts";
import { oauthConfiguration } from "./oauth-configuration.ts";
import { type Carrier, headerCarrier, isAuthorization, type Way } from "./ways.ts";

/** Returns why no configuration expresses the way, or undefined. */
export function obstacleOf({ carriers }: Way): { readonly reason: Impossibility; readonly origin: Origin } | undefined {
  const impossible = carriers.find((carrier) => carrier.kind === "impossible");
  if (impossible !== undefined) return impossible;
  const origin = carriers.map((carrier) => carrier.origin).join(" and ");
  if (carriers.some(({ kind }) => kind === "aws")) return undefined;
  if (carriers.length > 1 && carriers.some(isOAuth)) return { reason: "oauth-and-key", origin };
  const queries = carriers.filter(({ kind }) => kind === "query");
  return queries.length > 0 && queries.length < carriers.length ? { reason: "header-and-query", origin } : undefined;
}

const isOAuth = ({ kind }: Carrier): boolean => kind === "oauth2" || kind === "openIdConnect";

/** The configuration of a way that has no obstacle. A way of OpenID Connect needs a look-up, and is none of these. */
export function configurationOf({ carriers }: Way, surroundings: Surroundings, context: ReaderContext): Configuration {
  const aws = carriers.find((carrier) => carrier.kind === "aws");
  if (aws !== undefined)
    return awsConfiguration(
      aws,
      carriers.filter((carrier) => carrier !== aws),
      context,
    );
  const [first, second] = carriers.map((carrier) => withPrefix(carrier, context));
  if (first === undefined) return configuration("None", "your answer about the authentication", []);
  if (second !== undefined) return severalKeys(carriers.map((carrier) => withPrefix(carrier, context)));
  const { origin } = first;
  switch (first.kind) {
    case "bearer":
      return configuration("HeaderBearerToken", origin, []);
    case "basic":
      return configuration("WebBasic", origin, []);
    case "query":
      return configuration("QueryParamToken", origin, [{ name: "paramName", value: first.name, origin }]);
    case "header":
      return configuration("CustomHeaderToken", origin, [
        { name: "headerName", value: first.name, origin },
        ...(first.prefix ? [{ name: "tokenPrefix", value: first.prefix, origin }] : []),
      ]);
    case "oauth2":
      return oauthConfiguration(first, surroundings, context);
    default:
      throw new Error(`A way with ${first.kind} has no configuration.`);
  }
}

const configuration = (
  type: Configuration["type"],
  typeOrigin: Origin,
  fields: readonly ProposedField[],
  remarks: readonly string[] = [],
): Configuration => ({ scope: "user", type, typeOrigin, fields, remarks });

function awsConfiguration(
  { origin, service }: Extract<Carrier, { kind: "aws" }>,
  rest: readonly Carrier[],
  context: ReaderContext,
): Configuration {
  const answer = service ?? askAwsService(context);
  const remarks = rest.map((other) => `${other.origin} is left out: the platform puts nothing but the signature into a request.`);
  return configuration(
    "AWSAccessKey",
    origin,
    [{ name: "service", value: answer, origin: service === undefined ? "your answer" : origin }],
    remarks,
  );
}

function severalKeys(carriers: readonly Carrier[]): Configuration {
  const origin = carriers.map((carrier) => carrier.origin).join(" and ");
  if (carriers.every(({ kind }) => kind === "query")) {
    const params = carriers.flatMap((carrier) =>
      carrier.kind === "query" ? [{ name: carrier.name, description: `Your value of the query parameter ${carrier.name}` }] : [],
    );
    return configuration("MultiQueryParamToken", origin, [{ name: "params", value: params, origin }]);
  }
  const headers = carriers.map((carrier) => {
    if (carrier.kind === "bearer") return { name: "Authorization", description: "Your access token", tokenPrefix: "Bearer" };
    if (carrier.kind === "basic") return { name: "Authorization", description: "Base64 of user name:password", tokenPrefix: "Basic" };
    const { name, prefix } = carrier as Extract<Carrier, { kind: "header" }>;
    return { name, description: `Your value of the header ${name}`, ...(prefix ? { tokenPrefix: prefix } : {}) };
  });
  const hasBasic = carriers.some(({ kind }) => kind === "basic");
  return configuration(
    "MultiHeaderToken",
    origin,
    [{ name: "headers", value: headers, origin }],
    hasBasic ? ["With several headers the platform does not encode user name and password: users enter the Base64 of user:password."] : [],
  );
}

/** Asks for the prefix of a key in the header Authorization, where the description has none. */
function withPrefix(carrier: Carrier, context: ReaderContext): Carrier {
  if (carrier.kind !== "header" || carrier.prefix !== undefined || !isAuthorization(carrier.name)) return carrier;
  const prefix = context.ask({
    id: "prefix",
    text: `What does a request have before the key in the header Authorization? Leave it empty if nothing is there.`,
    example: "Bearer",
    problem: (answer) => (/^[\w-]*$/.test(answer) ? undefined : "Enter one word without the key, such as Bearer or Token, or nothing."),
  });
  return headerCarrier(carrier.origin, carrier.name, prefix);
}
