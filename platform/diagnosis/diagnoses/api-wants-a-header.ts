import { isOAuthType } from "../../../spec/auth-types.ts";
import { headerInWords } from "../api-words.ts";
import { diagnosis, http } from "../diagnosis.ts";
import { changeOfHeader, refusedStatus, requestedHeader } from "../facts.ts";

export default diagnosis({
  id: "api-wants-a-header",
  docs: `The API names the header in which it reads the credential, and nothing was sent in it. Send the credential in that header.`,
  source: "RFC 9110, section 11.6.1; PowerDNS and OpenStack name a header in the challenge",
  examples: [
    {
      auth: { type: "HeaderBearerToken" },
      exchange: '401\nwww-authenticate: X-API-Key realm="dns"',
      says: "the API asks for the header X-API-Key",
      field: "type",
    },
    {
      auth: { type: "CustomHeaderToken", headerName: "X-API-Key" },
      exchange: http`
      GET https://api.acme.example/me
      x-api-key: ••••

      401
      www-authenticate: X-API-Key`,
      silent: true,
    },
  ],
  when(failure) {
    if (![400, 401, 403].includes(refusedStatus(failure) ?? 0) || failure.exchange === undefined) return undefined;
    const header = requestedHeader(failure.exchange) ?? headerInWords(failure);
    if (header === undefined) return undefined;
    const { field, change } = changeOfHeader(header, failure.auth);
    return {
      reason: `${field} does not fit: the API asks for the header ${header}, and nothing was sent in it`,
      advice: isOAuthType(failure.auth.type)
        ? `Add the header ${header} to the request of the pack, if it is not for the access token. OAuth2 cannot send the token in another header.`
        : change,
      field,
      evidence: { code: "header-name", name: header },
    };
  },
});
