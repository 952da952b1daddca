import { diagnosis, http } from "../diagnosis.ts";
import { refusedStatus } from "../facts.ts";

export default diagnosis({
  id: "prefix-joined-to-value",
  docs: `tokenPrefix ends in a character that joins it to the value, such as = or a quotation mark. A space always separates the prefix from the credential, so the API reads another value. End the prefix before that character, and let the person enter the rest with the credential; or use Custom authentication.`,
  source: "RFC 9110, section 11.6.2; PagerDuty and Zendesk Sunshine document such a header",
  examples: [
    {
      auth: { type: "CustomHeaderToken", headerName: "Authorization", tokenPrefix: "Token token=" },
      exchange: http`
      GET https://api.acme.example/me
      authorization: Token token= ••••

      401`,
      says: "a space always separates them",
      field: "tokenPrefix",
    },
    {
      auth: { type: "CustomHeaderToken", tokenPrefix: "Token" },
      exchange: http`
      GET https://api.acme.example/me
      authorization: Token ••••

      401`,
      silent: true,
    },
  ],
  when(failure) {
    const { tokenPrefix = "" } = failure.auth;
    if (!/[=:"']$/.test(tokenPrefix) || ![400, 401, 403].includes(refusedStatus(failure) ?? 0)) return undefined;
    const blank = tokenPrefix.lastIndexOf(" ");
    const [before, rest] = [tokenPrefix.slice(0, Math.max(blank, 0)).trim(), tokenPrefix.slice(blank + 1)];
    const change =
      before === ""
        ? "Use Custom authentication, whose placeholder may be anywhere in a header."
        : `Set tokenPrefix: ${JSON.stringify(before)}, and let the person enter ${rest} before the credential. Or use Custom authentication.`;
    return {
      reason: `tokenPrefix ends in ${rest.slice(-1)}, and the credential was sent as ${JSON.stringify(`${tokenPrefix} …`)}: a space always separates them`,
      advice: change,
      field: "tokenPrefix",
    };
  },
});
