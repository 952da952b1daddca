// A real provider (oidc-provider) that approves every sign-in. It supports discovery, dynamic registration, PKCE, revocation, rotation and
// the issuer in its responses (RFC 9207).
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type Configuration } from "oidc-provider";

export interface OidcProvider {
  readonly issuer: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** Method and path of every request, in order. */
  readonly requests: string[];
  readonly provider: Provider;
  /** Returns whether the access token is valid. */
  accepts(accessToken: string): Promise<boolean>;
  close(): void;
}

/** `host`: an editor in the browser forwards 127.0.0.1 and localhost, but no other address, as it does with a provider on another machine. */
export async function openOidcProvider(more: Configuration = {}, host = "127.0.0.1"): Promise<OidcProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [],
    scopes: ["openid", "offline_access", "orders:read", "orders:write"],
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: { enabled: false },
    },
    cookies: { keys: ["only for tests"] },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    ttl: { AccessToken: 60, RefreshToken: 600, Grant: 600, Session: 600, Interaction: 600, AuthorizationCode: 60 },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    async loadExistingGrant(context) {
      const { session, client, params } = context.oidc;
      if (!session?.accountId || !client) return undefined;
      const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
      grant.addOIDCScope(String(params?.scope ?? ""));
      await grant.save();
      return grant;
    },
    ...more,
  });
  const requests: string[] = [];
  const callback = provider.callback();
  server.on("request", async (request, response) => {
    requests.push(`${request.method} ${request.url?.split("?")[0]}`);
    if (request.url?.startsWith("/interaction/"))
      return provider.interactionFinished(
        request,
        response,
        { login: { accountId: "alice" }, consent: {} },
        { mergeWithLastSubmission: false },
      );
    return callback(request, response);
  });
  return {
    issuer,
    authorizationUrl: `${issuer}/auth`,
    tokenUrl: `${issuer}/token`,
    requests,
    provider,
    accepts: async (token) => (await provider.AccessToken.find(token))?.isValid === true,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
