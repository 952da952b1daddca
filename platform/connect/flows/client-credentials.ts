// OAuth 2.0 client credentials (RFC 6749, section 4.4): no browser is involved, and the application itself is the account.
import { defined } from "../../../base/defined.ts";
import { requestToken } from "../../oauth/token-request.ts";
import { absoluteUrl, type Flow, tokenEndpoint } from "./flow.ts";

export const signInWithClientCredentials: Flow = async (context) => {
  const tokenUrl = absoluteUrl(context, "tokenUrl");
  const client = context.sandbox?.clientCredentials ?? (await context.client.credentialsFor(tokenUrl, context.back));
  if (client === undefined) return undefined;
  context.host.progress("Asking for a token…");
  const tokenResponse = await requestToken(tokenEndpoint(context, tokenUrl, client), { kind: "client-credentials" });
  return {
    credential: tokenResponse.credential,
    clientMethod: tokenResponse.method,
    scopesRequested: context.auth.scopes ?? [],
    ...defined({ scopesGranted: tokenResponse.scopesGranted }),
  };
};
