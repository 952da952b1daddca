// @jmondi/oauth2-server: demands PKCE unless told otherwise, joins scopes with what it is told (here a comma), and revokes. It has no
// metadata: the application writes that (RFC 8414). Errors of the authorization page are JSON in the browser, as its documentation has it.
import { randomBytes, randomUUID } from "node:crypto";
import { AuthorizationServer, DateInterval, JwtService } from "@jmondi/oauth2-server";
import { handleExpressError, handleExpressResponse, requestFromExpress } from "@jmondi/oauth2-server/express";
import express from "express";
import { createApi, createPages } from "./pages.mjs";
import { serve } from "./serve.mjs";

const SCOPES = ["read", "write"].map((name) => ({ name }));

await serve(({ origin, lifetime }) => {
  const clients = new Map();
  const codes = new Map();
  const tokens = new Map();
  const users = new Map();
  const later = (days) => new Date(Date.now() + days * 86_400_000);
  const clientRepository = {
    getByIdentifier: async (id) => clients.get(id),
    isClientValid: async (grant, client, secret) =>
      client.secret === secret && (grant === "client_credentials" || client.allowedGrants.includes(grant)),
  };
  const tokenRepository = {
    issueToken: async (client, scopes, user) => ({ accessToken: randomUUID(), accessTokenExpiresAt: later(1), client, scopes, user }),
    issueRefreshToken: async (token) => Object.assign(token, { refreshToken: randomUUID(), refreshTokenExpiresAt: later(30) }),
    persist: async (token) => void tokens.set(token.accessToken, token),
    revoke: async (token) => Object.assign(token, { accessTokenExpiresAt: new Date(0), refreshTokenExpiresAt: new Date(0) }),
    isRefreshTokenRevoked: async ({ refreshTokenExpiresAt }) => refreshTokenExpiresAt.getTime() < Date.now(),
    getByRefreshToken: async (refreshToken) => [...tokens.values()].find((token) => token.refreshToken === refreshToken),
    getByAccessToken: async (accessToken) => tokens.get(accessToken),
  };
  const scopeRepository = {
    getAllByIdentifiers: async (names) => SCOPES.filter(({ name }) => names.includes(name)),
    finalize: async (scopes) => scopes,
  };
  const authCodeRepository = {
    getByIdentifier: async (code) => codes.get(code),
    issueAuthCode: (client, user, scopes) => ({ code: randomUUID(), expiresAt: later(1), client, user, scopes }),
    persist: async (code) => void codes.set(code.code, code),
    isRevoked: async (code) => !codes.has(code),
    revoke: async (code) => void codes.delete(code),
  };
  const userRepository = { getUserByCredentials: async (id) => users.get(id) };
  const jwt = new JwtService(randomBytes(32).toString("hex"));
  const server = new AuthorizationServer(clientRepository, tokenRepository, scopeRepository, jwt, { scopeDelimiter: "," });
  server.enableGrantTypes(
    [{ grant: "authorization_code", authCodeRepository, userRepository }, new DateInterval(`${lifetime}s`)],
    ["refresh_token", new DateInterval(`${lifetime}s`)],
  );

  const pages = createPages();
  const app = express().disable("x-powered-by");
  app.use(pages.router);
  app.all("/authorize", async (request, response) => {
    try {
      const asked = await server.validateAuthorizationRequest(requestFromExpress(request));
      const user = pages.agreed(request);
      if (user === undefined) return pages.ask(request, response);
      users.set(user.id, user);
      asked.user = user;
      asked.isAuthorizationApproved = true;
      handleExpressResponse(response, await server.completeAuthorizationRequest(asked));
    } catch (error) {
      handleExpressError(error, response);
    }
  });
  const endpoint = (path, work) =>
    app.post(path, async (request, response) => {
      try {
        handleExpressResponse(response, await work(requestFromExpress(request)));
      } catch (error) {
        handleExpressError(error, response);
      }
    });
  endpoint("/token", (request) => server.respondToAccessTokenRequest(request));
  endpoint("/token/revoke", (request) => server.revoke(request));
  app.get("/.well-known/oauth-authorization-server", (_request, response) =>
    response.json({
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      revocation_endpoint: `${origin}/token/revoke`,
      response_types_supported: ["code"],
      scopes_supported: SCOPES.map(({ name }) => name),
      code_challenge_methods_supported: ["S256"],
    }),
  );
  app.use(
    createApi(async (request, response) => {
      const [, token] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? [];
      const { jti } = await jwt.verify(token ?? "").catch(() => ({}));
      const found = tokens.get(jti);
      if (found !== undefined && found.accessTokenExpiresAt.getTime() > Date.now()) return found.user;
      response.status(401).json({ message: "Unauthorized" });
      return undefined;
    }),
  );
  return {
    handler: app,
    register: ({ clientId, clientSecret, redirectUri }) =>
      clients.set(clientId, {
        id: clientId,
        name: "interop",
        secret: clientSecret,
        redirectUris: [redirectUri],
        allowedGrants: ["authorization_code", "refresh_token"],
        scopes: SCOPES,
      }),
    authorizationUrl: `${origin}/authorize`,
    tokenUrl: `${origin}/token`,
    api: `${origin}/api/me`,
  };
});
