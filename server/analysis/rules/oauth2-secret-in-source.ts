import { isOAuth, requestParams, SECRET_PARAMS, urlParams } from "../configuration/authorization-request.ts";
import { nameOf, removal } from "../configuration/config.ts";
import { oauth2, pack, rule } from "../rule.ts";

export default rule({
  id: "oauth2-secret-in-source",
  severity: "error",
  source: "auth-spec 2.3",
  docs: `The configuration contains the client ID or the client secret of an OAuth application.

Remove them. Enter both in the pack's settings on the platform (after a version is built), or here when you connect a test account. The platform rejects the fields, and everything in \`additionalParams\` or in a URL goes through every user's browser. A secret that was in the source should be replaced at the provider.`,
  supersedes: ["field-unknown", "field-not-for-type", "oauth2-reserved-param"],
  examples: [
    { bad: oauth2`«clientSecret»: process.env.SECRET,`, fixed: oauth2`` },
    {
      bad: oauth2`additionalParams: { «client_secret»: "s3cr3t", prompt: "consent" },`,
      fixed: oauth2`additionalParams: { prompt: "consent" },`,
    },
    {
      bad: pack`
        pack.setSystemAuthentication({
          type: coda.AuthenticationType.OAuth2ClientCredentials,
          tokenUrl: "https://login.acme.example/token?«client_secret=s3cr3t»",
        });`,
      change: ["?client_secret=s3cr3t", ""],
    },
    { good: oauth2`additionalParams: { client_type: "web" },` },
  ],
  on: {
    *auth(pack, auth) {
      if (!isOAuth(auth)) return;
      for (const property of auth.config.properties) {
        if (!CREDENTIAL_FIELDS.has(property.name) || pack.toolkit?.fields.has(property.name)) continue;
        yield {
          place: nameOf(property),
          verdict: "will-be-rejected",
          message: `${WHERE} The platform rejects ${property.name} in the configuration.`,
          fixes: () => removal(pack, auth.config, property),
        };
      }
      for (const param of [...requestParams(pack, auth), ...urlParams(pack, auth, "tokenUrl")]) {
        if (!SECRET_PARAMS.has(param.name)) continue;
        yield {
          place: param.place,
          message:
            param.in === "tokenUrl"
              ? `${WHERE} Everyone who sees this source or the provider's logs can read ${param.name}.`
              : `${WHERE} Everyone who sees this source can read ${param.name}, and it goes through every user's browser.`,
          fixes: () => param.remove(),
        };
      }
    },
  },
});

const CREDENTIAL_FIELDS: ReadonlySet<string> = new Set(["clientId", "clientID", "clientSecret", "client_id", "client_secret"]);

const WHERE = "Remove it. Enter client ID and secret in the pack's settings on the platform, and here when you connect a test account.";
