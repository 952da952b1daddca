import { diagnosis, http } from "../diagnosis.ts";
import { wantsJson } from "../oauth-facts.ts";

export default diagnosis({
  id: "token-url-wants-json",
  docs: `The token endpoint wants its parameters as JSON, and OAuth sends them as a form. The platform is not known to send JSON, so the published pack may not be able to sign in. Ask the provider for a token endpoint that reads a form, or use a key that a person enters.`,
  source: "RFC 6749, section 4.1.3; Notion and Atlassian document JSON, and Notion with HTTP Basic",
  examples: [
    {
      phase: "code",
      exchange: http`
      POST https://id.acme.example/token

      400

      {"error":"unsupported_grant_type","error_description":"grant_type must be sent as application/json body"}`,
      says: "tokenUrl wants the parameters as JSON",
      field: "tokenUrl",
    },
    {
      phase: "code",
      exchange: http`
      POST https://id.acme.example/token

      400

      {"error":"unsupported_grant_type"}`,
      silent: true,
    },
  ],
  fits: wantsJson,
  cause: {
    reason: "tokenUrl wants the parameters as JSON",
    advice:
      "The platform is not known to send JSON. Look in the provider's documentation for a token endpoint that reads a form, or for a key that a person can enter.",
    field: "tokenUrl",
  },
});
