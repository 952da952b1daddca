import { diagnosis } from "../diagnosis.ts";
import { descriptionOf, missingParameter } from "../facts.ts";
import { asksToken } from "../oauth-codes.ts";

export default diagnosis({
  id: "token-parameter-missing",
  docs: `The token endpoint demands a parameter that the platform does not send. additionalParams go to authorizationUrl alone. Let the provider assume a default for the application. If the parameter names the API, try the field resource, which is sent to tokenUrl.`,
  source: "RFC 6749, section 5.2; RFC 8707, section 2.2; Auth0 and Ory demand an audience",
  examples: [
    {
      phase: "client-credentials",
      exchange:
        '403 {"error":"access_denied","error_description":"No audience parameter was provided, and no default audience has been configured"}',
      says: "tokenUrl demands the parameter audience",
    },
    { phase: "code", exchange: '400 {"error":"invalid_request"}', silent: true },
  ],
  when(failure) {
    const name = asksToken(failure) ? missingParameter(descriptionOf(failure)) : undefined;
    if (name === undefined) return undefined;
    return {
      reason: `tokenUrl demands the parameter ${name}, which the platform does not send`,
      advice: `${/^(audience|resource)$/i.test(name) ? `Set a default ${name} for the application at the provider, or try the field resource, which is sent there.` : `Let the provider assume a default ${name} for the application.`} additionalParams go to authorizationUrl alone.`,
      ...(failure.auth.additionalParams?.[name] === undefined ? {} : { field: "additionalParams" }),
    };
  },
});
