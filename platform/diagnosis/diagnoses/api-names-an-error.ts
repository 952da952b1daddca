import { apiError } from "../api-words.ts";
import { diagnosis } from "../diagnosis.ts";

export default diagnosis({
  id: "api-names-an-error",
  docs: `The API refused the credential with an error of its own. Look the error up in the API's documentation.`,
  source: "RFC 6750, section 3",
  examples: [
    {
      auth: { type: "OAuth2" },
      exchange: '401\nwww-authenticate: Bearer error="tenant_suspended"',
      says: "Look this up in its documentation",
    },
    { auth: { type: "OAuth2" }, exchange: "401", silent: true },
  ],
  when(failure) {
    const error = apiError(failure);
    if (error === undefined || error.isFromBody) return undefined;
    return { reason: `the API refused the credential: ${error.words}`, advice: "Look this up in its documentation." };
  },
});
