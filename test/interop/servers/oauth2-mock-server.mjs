// oauth2-mock-server: takes every client, secret, scope and redirect address, and tells of itself as OpenID Connect does. Its tokens live an
// hour; its own events, made for that, shorten them.
import express from "express";
import { createLocalJWKSet, jwtVerify } from "jose";
import { OAuth2Issuer, OAuth2Service } from "oauth2-mock-server";
import { createApi } from "./pages.mjs";
import { serve } from "./serve.mjs";

await serve(async ({ origin, lifetime }) => {
  const issuer = new OAuth2Issuer();
  issuer.url = origin;
  await issuer.keys.generate("RS256");
  const service = new OAuth2Service(issuer);
  service.on("beforeTokenSigning", ({ payload }) => {
    payload.sub = "alice";
    payload.exp = payload.iat + lifetime;
  });
  service.on("beforeResponse", ({ body }) => {
    body.expires_in = lifetime;
  });
  const keys = createLocalJWKSet({ keys: issuer.keys.toJSON() });
  const app = express().disable("x-powered-by");
  app.use(
    createApi(async (request, response) => {
      const [, token = ""] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? [];
      try {
        return { id: (await jwtVerify(token, keys, { issuer: origin })).payload.sub };
      } catch (error) {
        response.status(401).set("www-authenticate", `Bearer error="invalid_token", error_description="${error.code}"`).end();
        return undefined;
      }
    }),
  );
  app.use(service.requestHandler);
  return {
    handler: app,
    register: () => {},
    authorizationUrl: `${origin}/authorize`,
    tokenUrl: `${origin}/token`,
    api: `${origin}/api/me`,
  };
});
