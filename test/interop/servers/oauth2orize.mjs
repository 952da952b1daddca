// oauth2orize: middleware for the protocol's messages; who the client is, is left to the application. This one answers a wrong secret with
// unauthorized_client, as widespread providers do, and joins scopes with a comma. There is no metadata and no revocation.
import { randomUUID } from "node:crypto";
import express from "express";
import oauth2orize from "oauth2orize";
import { createApi, createPages } from "./pages.mjs";
import { serve } from "./serve.mjs";

const SCOPES = ["read", "write"];

await serve(({ origin, lifetime }) => {
  const clients = new Map();
  const codes = new Map();
  const tokens = new Map();
  const refreshTokens = new Map();
  // Nothing of a request is kept while the person decides: the form sends all of it again.
  const store = {
    load: (_request, done) => done(),
    store: (_request, _transaction, done) => done(null, "0"),
    remove: (_request, _id, done) => done(),
  };
  const server = oauth2orize.createServer({ store });
  const issue = (user, scope, done) => {
    const [accessToken, refreshToken] = [randomUUID(), randomUUID()];
    tokens.set(accessToken, { user, expiresAt: Date.now() + lifetime * 1_000 });
    refreshTokens.set(refreshToken, { user, scope });
    done(null, accessToken, refreshToken, { expires_in: lifetime, scope: scope.join(",") });
  };
  server.grant(
    oauth2orize.grant.code({ scopeSeparator: "," }, (client, redirectUri, user, _answer, asked, done) => {
      const code = randomUUID();
      codes.set(code, { client, redirectUri, user, scope: asked.scope ?? [] });
      done(null, code);
    }),
  );
  server.exchange(
    oauth2orize.exchange.code((client, code, redirectUri, done) => {
      const found = codes.get(code);
      codes.delete(code);
      if (found?.client !== client || found.redirectUri !== redirectUri) return done(null, false);
      issue(found.user, found.scope, done);
    }),
  );
  server.exchange(
    oauth2orize.exchange.refreshToken((_client, refreshToken, done) => {
      const found = refreshTokens.get(refreshToken);
      refreshTokens.delete(refreshToken);
      if (found === undefined) return done(null, false);
      issue(found.user, found.scope, done);
    }),
  );

  const pages = createPages();
  const app = express().disable("x-powered-by");
  app.use(pages.router);
  app.all(
    "/dialog/authorize",
    (request, _response, next) => {
      request.user = pages.agreed(request);
      next();
    },
    server.authorization(
      (clientId, redirectUri, scope, done) => {
        const client = clients.get(clientId);
        // As its documentation does it: an unknown client and an address that is not registered are one.
        if (client === undefined || client.redirectUri !== redirectUri) return done(null, false);
        const unknown = scope?.find((name) => !SCOPES.includes(name));
        if (unknown !== undefined)
          return done(new oauth2orize.AuthorizationError(`unknown scope "${unknown}"`, "invalid_scope"), client, redirectUri);
        done(null, client, redirectUri);
      },
      (_client, user, done) => done(null, user !== undefined),
    ),
    (request, response) => pages.ask(request, response),
    server.errorHandler({ mode: "indirect" }),
    server.errorHandler(),
  );
  app.post(
    "/oauth/token",
    (request, _response, next) => {
      const [, basic] = /^Basic (.+)$/.exec(request.headers.authorization ?? "") ?? [];
      const [, id, secret] =
        basic === undefined
          ? ["", request.body?.client_id, request.body?.client_secret]
          : (/^([^:]*):(.*)$/.exec(Buffer.from(basic, "base64").toString()) ?? []);
      const client = clients.get(id);
      if (client !== undefined && client.clientSecret === secret) request.user = client;
      next(
        request.user === undefined
          ? new oauth2orize.TokenError("Invalid client or client credentials", "unauthorized_client", null, 401)
          : undefined,
      );
    },
    server.token(),
    server.errorHandler(),
  );
  app.use(
    createApi((request, response) => {
      const [, token] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? [];
      const found = tokens.get(token);
      if (found !== undefined && found.expiresAt > Date.now()) return found.user;
      response.status(401).set("www-authenticate", "Bearer").send("Unauthorized");
      return undefined;
    }),
  );
  return {
    handler: app,
    register: (client) => clients.set(client.clientId, client),
    authorizationUrl: `${origin}/dialog/authorize`,
    tokenUrl: `${origin}/oauth/token`,
    api: `${origin}/api/me`,
  };
});
