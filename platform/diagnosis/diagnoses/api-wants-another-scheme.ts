import { quoteName } from "../../../base/quote.ts";
import { flowKindOf } from "../../../spec/auth-types.ts";
import { prefixInWords } from "../api-words.ts";
import type { Challenge } from "../challenges.ts";
import { diagnosis, http } from "../diagnosis.ts";
import { changeOfPrefix, changeOfType, headerIn, LONGEST_EXCERPT, NO_PREFIX, readChallenges, refusedStatus, sentWith } from "../facts.ts";
import { quoteError } from "../words.ts";

export default diagnosis({
  id: "api-wants-another-scheme",
  docs: `The API asks for another authentication scheme than the one that the credential was sent with. Set tokenPrefix to that scheme, or use the type that sends it.`,
  source: "RFC 9110, section 11.6.1",
  examples: [
    {
      auth: { type: "OAuth2" },
      exchange: '401\nwww-authenticate: Token realm="api"',
      says: "the API asks for the scheme Token, and the credential was sent with the prefix Bearer",
      field: "tokenPrefix",
    },
    {
      auth: { type: "OAuth2", tokenPrefix: "Token" },
      exchange: http`
      GET https://api.acme.example/me
      authorization: Token ••••

      401
      www-authenticate: Bearer error="invalid_token"
      content-type: application/json

      {"error":"invalid_token"}`,
      says: "the API asks for the scheme Bearer",
      field: "tokenPrefix",
    },
    { auth: { type: "OAuth2" }, exchange: '401\nwww-authenticate: Bearer realm="api"', silent: true },
  ],
  when(failure) {
    const { exchange, auth } = failure;
    if (exchange === undefined || ![400, 401, 403, 422].includes(refusedStatus(failure) ?? 0)) return undefined;
    const { usedScheme, own, challenges } = readChallenges(exchange);
    // The standard spelling of Bearer works wherever the scheme is accepted; for other schemes some APIs accept only one spelling.
    if (usedScheme === undefined || (usedScheme === "Bearer" && own.length > 0)) return undefined;
    const demanded = challenges.length === 0 ? prefixInWords(failure) : undefined;
    const inWords = demanded ? { scheme: demanded, parameters: {} } : undefined;
    const expected: Challenge | undefined = own[0] ?? challenges.find(({ scheme }) => !NO_PREFIX.test(scheme)) ?? challenges[0] ?? inWords;
    if (expected === undefined || expected.scheme === usedScheme || headerIn(expected) !== undefined) return undefined;
    const { scheme, parameters } = expected;
    const requested = quoteName(scheme.slice(0, LONGEST_EXCERPT));
    const { field, change } = NO_PREFIX.test(scheme) ? changeOfType(requested) : changeOfPrefix(requested, auth);
    const says =
      parameters.error === undefined
        ? ""
        : ` It says: ${quoteError(parameters.error.slice(0, LONGEST_EXCERPT), parameters.error_description)}.`;
    // An image registry names its service and a realm that issues tokens for a password. Other realms may be any URL.
    const { realm = "", service } = parameters;
    const isOfRegistry = service !== undefined && /^https?:\/\/\S+$/.test(realm) && !NO_PREFIX.test(scheme);
    const from = isOfRegistry ? ` Its tokens come from ${realm.slice(0, LONGEST_EXCERPT)}.` : "";
    return {
      reason: `${field} does not fit: the API asks for the scheme ${requested}, and the credential was sent ${sentWith(usedScheme)}`,
      advice: `${change}${from}${says}`,
      field,
      evidence: flowKindOf(auth.type) === "custom" ? undefined : { code: "token-prefix", name: challenges[0]?.scheme ?? requested },
    };
  },
});
