import { isOAuthType } from "../../../spec/auth-types.ts";
import { parameterInWords } from "../api-words.ts";
import { diagnosis, http } from "../diagnosis.ts";
import { refusedStatus } from "../facts.ts";

export default diagnosis({
  id: "api-wants-a-query-parameter",
  docs: `The API names the query parameter in which it reads the credential, and nothing was sent in it. Send the credential in that parameter.`,
  source: "RFC 6750, section 2.3, and APIs that name the parameter in words",
  examples: [
    {
      auth: { type: "OAuth2" },
      exchange: '401 {"error":"Missing query parameter access_token"}',
      says: "the API asks for the query parameter access_token",
      field: "tokenQueryParam",
    },
    {
      auth: { type: "QueryParamToken", paramName: "api_key" },
      exchange: http`
      GET https://api.acme.example/me?api_key=••••

      401

      {"error":"parameter api_key is required"}`,
      silent: true,
    },
  ],
  when(failure) {
    const parameter = ![400, 401, 403].includes(refusedStatus(failure) ?? 0) ? undefined : parameterInWords(failure);
    if (parameter === undefined) return undefined;
    const isOAuth = isOAuthType(failure.auth.type);
    const field = isOAuth ? "tokenQueryParam" : failure.auth.type === "QueryParamToken" ? "paramName" : "type";
    return {
      reason: `${field} does not fit: the API asks for the query parameter ${parameter}, and nothing was sent in it`,
      advice:
        field === "type"
          ? `Use AuthenticationType.QueryParamToken with paramName: ${JSON.stringify(parameter)}.`
          : `Set ${field}: ${JSON.stringify(parameter)}.`,
      field,
      evidence: { code: "token-in-query", name: parameter },
    };
  },
});
