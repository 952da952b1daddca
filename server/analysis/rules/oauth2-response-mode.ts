import { requestParams } from "../configuration/authorization-request.ts";
import { oauth2, rule, user } from "../rule.ts";

export default rule({
  id: "oauth2-response-mode",
  severity: "warning",
  source: "RFC 6749, section 4.1.2",
  docs: `The authorization request sets a \`response_mode\` other than \`query\`.

Remove it. The platform reads the code from the query of the redirect address. With \`form_post\` the code comes in a POST request, and with \`fragment\` it is behind a \`#\`, which the browser sends to nobody. The sign-in then does not end.`,
  supersedes: ["oauth2-url-query"],
  examples: [
    {
      bad: oauth2`additionalParams: { prompt: "consent", «response_mode»: "form_post" },`,
      fixed: oauth2`additionalParams: { prompt: "consent" },`,
    },
    {
      bad: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: "https://login.acme.example/authorize?«response_mode=fragment»",
        tokenUrl: "https://login.acme.example/token",`,
      fixed: oauth2``,
    },
    { good: oauth2`additionalParams: { response_mode: "query" },` },
  ],
  on: {
    *auth(pack, auth) {
      if (auth.type !== "OAuth2") return;
      for (const { name, value = "query", place, remove } of requestParams(pack, auth)) {
        if (name !== "response_mode" || value === "query") continue;
        yield {
          place,
          message: `Remove response_mode=${value}. The platform reads the code from the query of the redirect address alone.`,
          fixes: remove,
        };
      }
    },
  },
});
