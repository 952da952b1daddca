import { diagnosis } from "../diagnosis.ts";
import { statusOf } from "../facts.ts";
import { hasDocumentedUrl } from "../oauth-facts.ts";

export default diagnosis({
  id: "authorization-url-wrong",
  docs: `authorizationUrl leads to nothing, or to a page that shows an error. Compare it with the provider's documentation: host, path, version and a slash at the end all count.`,
  source: "RFC 9110, section 15.5",
  examples: [
    { phase: "authorization", exchange: "error=http_404", says: "authorizationUrl leads to nothing", field: "authorizationUrl" },
    {
      phase: "authorization",
      exchange: "error=http_400",
      says: "authorizationUrl leads to a page that shows an error",
      field: "authorizationUrl",
    },
    {
      phase: "authorization",
      auth: { authorizationUrl: "https://github.com/login/oauth/authorize" },
      exchange: "error=http_404",
      says: "authorizationUrl is that of the provider's documentation",
    },
    { phase: "authorization", exchange: "error=access_denied", silent: true },
  ],
  when(failure) {
    const status = statusOf(failure);
    if (failure.phase !== "authorization" || status === undefined) return undefined;
    if (hasDocumentedUrl(failure.auth))
      return {
        reason: `the provider's page answers with status ${status}`,
        advice: "Read what the page says. authorizationUrl is that of the provider's documentation. Compare the client ID and scopes.",
      };
    return {
      reason:
        status === 404 || status === 410 ? "authorizationUrl leads to nothing" : "authorizationUrl leads to a page that shows an error",
      advice: "Compare authorizationUrl with the provider's documentation: host, path, version and a slash at the end all count.",
      field: "authorizationUrl",
    };
  },
});
