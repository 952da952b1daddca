import { diagnosis } from "../diagnosis.ts";
import { descriptionOf, missingParameter } from "../facts.ts";
import { asksToken } from "../oauth-codes.ts";

export default diagnosis({
  id: "client-id-of-other-name",
  docs: `The provider reads the client ID under another name than client_id. The platform always sends client_id and client_secret to tokenUrl, and additionalParams go to authorizationUrl alone. So the platform's OAuth2 cannot sign in there. Ask the provider for a token endpoint that follows the standard, or use a key that a person enters.`,
  source: "RFC 6749, section 2.3.1; TikTok (client_key) and WeChat (appid) deviate",
  examples: [
    {
      phase: "code",
      exchange: '400 {"error":"invalid_request","error_description":"client_key should not be empty"}',
      says: "tokenUrl expects the client ID under the name client_key",
      field: "type",
    },
    { phase: "code", exchange: '400 {"error":"invalid_request","error_description":"audience is required"}', silent: true },
  ],
  when(failure) {
    const name = asksToken(failure) ? missingParameter(descriptionOf(failure)) : undefined;
    if (name === undefined || !/^(client_?key|app_?id|app_?key|app_?secret|api_?key|consumer_?key)$/i.test(name)) return undefined;
    return {
      reason: `tokenUrl expects the client ID under the name ${name}, which no type sends`,
      advice:
        "The platform always sends client_id, and additionalParams do not go to tokenUrl, so this authentication type cannot sign in there. Look in the provider's documentation for a key that a person can enter.",
      field: "type",
    };
  },
});
