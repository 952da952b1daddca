// @openauthjs/openauth: public clients only, its own sign-in page with a code by e-mail, no scopes, no revocation.
import { getRequestListener } from "@hono/node-server";
import { createClient } from "@openauthjs/openauth/client";
import { issuer } from "@openauthjs/openauth/issuer";
import { CodeProvider } from "@openauthjs/openauth/provider/code";
import { MemoryStorage } from "@openauthjs/openauth/storage/memory";
import { CodeUI } from "@openauthjs/openauth/ui/code";
import express from "express";
import { createApi } from "./pages.mjs";
import { serve } from "./serve.mjs";

await serve(({ origin, lifetime, tell }) => {
  const clients = new Map();
  const subjects = { user: { "~standard": { version: 1, vendor: "interop", validate: (value) => ({ value }) } } };
  const server = issuer({
    subjects,
    storage: MemoryStorage(),
    ttl: { access: lifetime },
    allow: async ({ clientID, redirectURI }) => clients.get(clientID)?.redirectUri === redirectURI,
    providers: { code: CodeProvider(CodeUI({ sendCode: async (_claims, code) => void tell({ mail: { code } }) })) },
    success: (answer, { claims }) => answer.subject("user", { email: claims.email }),
  });
  const client = createClient({ clientID: "api", issuer: origin, fetch: async (url, init) => server.request(url, init) });
  const app = express().disable("x-powered-by");
  app.use(
    createApi(async (request, response) => {
      const [, token = ""] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? [];
      const { subject } = await client.verify(subjects, token);
      if (subject !== undefined) return { id: subject.properties.email };
      response.status(401).json({ error: "unauthorized" });
      return undefined;
    }),
  );
  app.use(getRequestListener(server.fetch));
  return {
    handler: app,
    register: (registered) => clients.set(registered.clientId, registered),
    authorizationUrl: `${origin}/authorize`,
    tokenUrl: `${origin}/token`,
    api: `${origin}/api/me`,
  };
});
