// @node-oauth/oauth2-server: the protocol without routes, pages, metadata or revocation. Its routes stand behind a slash at the end, and
// the address without it is redirected there, as frameworks with such routes do.
import OAuth2Server from "@node-oauth/oauth2-server";
import express from "express";
import { createApi, createPages } from "./pages.mjs";
import { serve } from "./serve.mjs";

const SCOPES = ["read", "write"];

await serve(({ origin, lifetime }) => {
  const clients = new Map();
  const codes = new Map();
  const tokens = new Map();
  const refreshTokens = new Map();
  const model = {
    getClient: (id, secret) => {
      const client = clients.get(id);
      return secret === null || client?.secret === secret ? client : undefined;
    },
    validateScope: (_user, _client, scope) => (scope === undefined || scope.every((name) => SCOPES.includes(name)) ? (scope ?? []) : false),
    verifyScope: () => true,
    saveAuthorizationCode: (code, client, user) => {
      const saved = { ...code, client, user };
      codes.set(code.authorizationCode, saved);
      return saved;
    },
    getAuthorizationCode: (code) => codes.get(code),
    revokeAuthorizationCode: ({ authorizationCode }) => codes.delete(authorizationCode),
    saveToken: (token, client, user) => {
      const saved = { ...token, client, user };
      tokens.set(token.accessToken, saved);
      refreshTokens.set(token.refreshToken, saved);
      return saved;
    },
    getAccessToken: (token) => tokens.get(token),
    getRefreshToken: (token) => refreshTokens.get(token),
    revokeToken: ({ refreshToken }) => refreshTokens.delete(refreshToken),
  };
  const server = new OAuth2Server({ model, accessTokenLifetime: lifetime });
  const pages = createPages();
  const app = express().disable("x-powered-by").enable("strict routing");
  app.use(pages.router);

  const refuse = (response, answered, error) =>
    response
      .status(error.code ?? 500)
      .set(answered.headers)
      .json({ error: error.name, error_description: error.message });
  app.all("/oauth/authorize/", async (request, response) => {
    const answered = new OAuth2Server.Response(response);
    const authenticateHandler = {
      handle: () => {
        const user = pages.agreed(request);
        if (user === undefined) pages.ask(request, response);
        return user;
      },
    };
    try {
      await server.authorize(new OAuth2Server.Request(request), answered, { authenticateHandler });
    } catch (error) {
      if (response.headersSent) return;
      // Once there is a redirect, the error stands in it.
      if (answered.status !== 302) return refuse(response, answered, error);
    }
    response.status(answered.status).set(answered.headers).end();
  });
  app.post("/oauth/token/", async (request, response) => {
    const answered = new OAuth2Server.Response(response);
    try {
      await server.token(new OAuth2Server.Request(request), answered);
      response.status(answered.status).set(answered.headers).json(answered.body);
    } catch (error) {
      refuse(response, answered, error);
    }
  });
  app.all(["/oauth/authorize", "/oauth/token"], (request, response) =>
    response.redirect(301, request.originalUrl.replace(/(\?|$)/, "/$1")),
  );
  app.use(
    createApi(async (request, response) => {
      const answered = new OAuth2Server.Response(response);
      try {
        return (await server.authenticate(new OAuth2Server.Request(request), answered)).user;
      } catch (error) {
        refuse(response, answered, error);
        return undefined;
      }
    }),
  );
  return {
    handler: app,
    register: ({ clientId, clientSecret, redirectUri }) =>
      clients.set(clientId, {
        id: clientId,
        secret: clientSecret,
        redirectUris: [redirectUri],
        grants: ["authorization_code", "refresh_token"],
      }),
    authorizationUrl: `${origin}/oauth/authorize/`,
    tokenUrl: `${origin}/oauth/token/`,
    api: `${origin}/api/me`,
  };
});
