import { quoteName } from "../../../base/quote.ts";
import { diagnosis } from "../diagnosis.ts";
import { excerpt, formatQuotation } from "../words.ts";

export default diagnosis({
  id: "token-missing",
  docs: `The token endpoint answered with success and without an access token in the place where the platform reads it. Compare tokenUrl with the provider's documentation. If the token is in an object, set nestedResponseKey to its name.`,
  source: "RFC 6749, section 5.1; auth-spec 5.3",
  examples: [
    {
      phase: "code",
      auth: { type: "OAuth2" },
      tokenResponse: { members: ["status"] },
      exchange: '200 {"status":"ok"}',
      says: "It contains: status",
      field: "tokenUrl",
    },
    {
      phase: "code",
      auth: { type: "OAuth2", nestedResponseKey: "data" },
      tokenResponse: { members: ["status"] },
      exchange: '200 {"status":"ok"}',
      says: "Set nestedResponseKey to the object that contains access_token",
      field: "nestedResponseKey",
    },
    { phase: "code", exchange: '400 {"error":"invalid_grant"}', silent: true },
  ],
  when({ tokenResponse, exchange, auth: { nestedResponseKey } }) {
    if (tokenResponse === undefined || exchange === undefined) return undefined;
    if (tokenResponse.hasOddToken)
      return {
        reason: "tokenUrl returned an access_token that is not a string",
        advice: `${COMPARE} The platform reads the token from access_token as a string.`,
        field: "tokenUrl",
      };
    const { status = 0, responseBody = "", url } = exchange;
    const { members } = tokenResponse;
    const content =
      members.length > 0 ? ` It contains: ${members.map(quoteName).join(", ")}.` : formatQuotation(excerpt({ text: responseBody, status }));
    return nestedResponseKey === undefined
      ? {
          reason: `tokenUrl returned no access_token: ${new URL(url).host} answered with status ${status}.${content}`,
          advice: `${COMPARE} The platform reads the token from access_token, or from there in the object that nestedResponseKey names.`,
          field: "tokenUrl",
        }
      : {
          reason: `there is no access_token in the answer, nor in its object ${JSON.stringify(nestedResponseKey)}, which nestedResponseKey names.${content}`,
          advice: "Set nestedResponseKey to the object that contains access_token.",
          field: "nestedResponseKey",
        };
  },
});

const COMPARE = "Compare tokenUrl with the provider's documentation.";
