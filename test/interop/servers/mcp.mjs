// The auth router of @modelcontextprotocol/sdk 1: PKCE always, secrets in the form only, dynamic registration, metadata, revocation.
import { randomUUID } from "node:crypto";
import { InvalidGrantError, InvalidTokenError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import { requireBearerAuth } from "@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js";
import { mcpAuthRouter } from "@modelcontextprotocol/sdk/server/auth/router.js";
import express from "express";
import { answerAs } from "./mcp-endpoint.mjs";
import { createPages } from "./pages.mjs";
import { serve } from "./serve.mjs";

const SCOPES = ["read", "write"];

await serve(({ origin, lifetime }) => {
  const clients = new Map();
  const codes = new Map();
  const tokens = new Map();
  const refreshTokens = new Map();
  const pages = createPages();
  const issue = (client, user, scopes) => {
    const [accessToken, refreshToken] = [randomUUID(), randomUUID()];
    const expiresAt = Math.floor(Date.now() / 1_000) + lifetime;
    tokens.set(accessToken, { token: accessToken, clientId: client.client_id, scopes, expiresAt, extra: { user } });
    refreshTokens.set(refreshToken, { user, scopes, accessToken });
    return { access_token: accessToken, token_type: "bearer", expires_in: lifetime, scope: scopes.join(" "), refresh_token: refreshToken };
  };
  const provider = {
    clientsStore: {
      getClient: (id) => clients.get(id),
      registerClient: (client) => {
        clients.set(client.client_id, client);
        return client;
      },
    },
    async authorize(_client, { state, scopes, redirectUri, codeChallenge }, response) {
      const user = pages.agreed(response.req);
      if (user === undefined) return pages.ask(response.req, response);
      const code = randomUUID();
      // It gives what it knows, and says so (RFC 6749, section 3.3).
      codes.set(code, { user, scopes: scopes.filter((scope) => SCOPES.includes(scope)), codeChallenge });
      const back = new URL(redirectUri);
      back.searchParams.set("code", code);
      if (state !== undefined) back.searchParams.set("state", state);
      response.redirect(back.href);
    },
    async challengeForAuthorizationCode(_client, code) {
      if (!codes.has(code)) throw new InvalidGrantError("Unknown code");
      return codes.get(code).codeChallenge;
    },
    async exchangeAuthorizationCode(client, code) {
      const { user, scopes } = codes.get(code);
      codes.delete(code);
      return issue(client, user, scopes);
    },
    async exchangeRefreshToken(client, refreshToken) {
      const found = refreshTokens.get(refreshToken);
      if (found === undefined) throw new InvalidGrantError("Unknown refresh token");
      refreshTokens.delete(refreshToken);
      return issue(client, found.user, found.scopes);
    },
    async verifyAccessToken(token) {
      const found = tokens.get(token);
      if (found === undefined) throw new InvalidTokenError("Unknown token");
      return found;
    },
    async revokeToken(_client, { token }) {
      tokens.delete(refreshTokens.get(token)?.accessToken);
      refreshTokens.delete(token);
      tokens.delete(token);
    },
  };
  const app = express().disable("x-powered-by");
  app.use(pages.router);
  // The router reads the parameters of a form where there is one: the consent's answer is none of them.
  app.use("/authorize", (request, _response, next) => {
    if (request.body?.decision !== undefined) request.method = "GET";
    next();
  });
  const unlimited = { rateLimit: false };
  app.use(
    mcpAuthRouter({
      provider,
      issuerUrl: new URL(origin),
      resourceServerUrl: new URL(`${origin}/mcp`),
      scopesSupported: SCOPES,
      authorizationOptions: unlimited,
      tokenOptions: unlimited,
      revocationOptions: unlimited,
      clientRegistrationOptions: unlimited,
    }),
  );
  app.get("/api/me", requireBearerAuth({ verifier: provider }), (request, response) => response.json({ name: request.auth.extra.user.id }));
  app.all("/mcp", requireBearerAuth({ verifier: provider }), (request, response) =>
    answerAs(request.auth.extra.user.id, request, response),
  );
  return {
    handler: app,
    register: ({ clientId, clientSecret, redirectUri }) =>
      clients.set(clientId, {
        client_id: clientId,
        ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
        redirect_uris: [redirectUri],
      }),
    authorizationUrl: `${origin}/authorize`,
    tokenUrl: `${origin}/token`,
    api: `${origin}/api/me`,
    mcp: `${origin}/mcp`,
  };
});
