// better-auth with its OAuth provider: every client has one way to send its secret, and PKCE is demanded. The pages are the application's;
// what they send goes to the library's own endpoints. It protects an MCP server too, for which applications register themselves.
import { createHash, randomUUID } from "node:crypto";
import { oauthProvider, oauthProviderAuthServerMetadata } from "@better-auth/oauth-provider";
import { betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import { toNodeHandler } from "better-auth/node";
import express from "express";
import { answerAs } from "./mcp-endpoint.mjs";
import { createApi, page } from "./pages.mjs";
import { serve } from "./serve.mjs";

await serve(async ({ origin, lifetime }) => {
  let next;
  const database = {};
  for (const table of [
    "user",
    "session",
    "account",
    "verification",
    "jwks",
    "rateLimit",
    "oauthClient",
    "oauthRefreshToken",
    "oauthAccessToken",
    "oauthConsent",
    "oauthResource",
    "oauthClientResource",
    "oauthClientAssertion",
  ])
    database[table] = [];
  const auth = betterAuth({
    baseURL: origin,
    secret: "a secret of the tests alone, of thirty-two characters",
    database: memoryAdapter(database),
    emailAndPassword: { enabled: true },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { level: "error" },
    plugins: [
      oauthProvider({
        loginPage: "/login",
        consentPage: "/consent",
        scopes: ["read", "write", "offline_access"],
        accessTokenExpiresIn: lifetime,
        resources: [`${origin}/mcp`],
        enforcePerClientResources: false,
        // Its tokens are looked up, and can be taken back, also where they are for one resource.
        disableJwtPlugin: true,
        allowDynamicClientRegistration: true,
        allowUnauthenticatedClientRegistration: true,
        // Of one that registers itself the library's own would do; it has no name to call that by.
        generateClientId: () => next?.clientId ?? randomUUID(),
        generateClientSecret: () => next?.clientSecret ?? randomUUID(),
        silenceWarnings: { oauthAuthServerConfig: true },
      }),
    ],
  });
  const email = "alice@example.com";
  const { headers: signedUp } = await auth.api.signUpEmail({
    body: { email, password: "wonder-land", name: "alice" },
    returnHeaders: true,
  });
  const cookiesOf = (headers) =>
    headers
      .getSetCookie()
      .map((cookie) => cookie.split(";")[0])
      .join("; ");
  const owner = new Headers({ cookie: cookiesOf(signedUp) });

  const app = express().disable("x-powered-by");
  app.get("/login", (request, response) =>
    response.send(page("Sign in", request.originalUrl, `<input name="email"><input name="password" type="password">`, "Sign in")),
  );
  app.get("/consent", (request, response) => response.send(page("Allow the access?", request.originalUrl, "", "Allow")));
  /** A page's script would ask the library's endpoint and follow its answer: the same for a browser without scripts. */
  const ask = async (path, body, request, response) => {
    const headers = { "content-type": "application/json", accept: "application/json", origin, cookie: request.headers.cookie ?? "" };
    const oauthQuery = request.originalUrl.split("?")[1] ?? "";
    const asked = { method: "POST", headers, body: JSON.stringify({ ...body, oauth_query: oauthQuery }) };
    const answer = await auth.handler(new Request(`${origin}/api/auth${path}`, asked));
    const text = await answer.text();
    for (const cookie of answer.headers.getSetCookie()) response.append("set-cookie", cookie);
    const location = answer.headers.get("location") ?? JSON.parse(text).url;
    if (location === undefined) response.status(answer.status).send(text);
    else response.redirect(303, location);
  };
  const form = express.urlencoded({ extended: false });
  app.post("/login", form, (request, response) => {
    const { email, password } = request.body;
    return ask("/sign-in/email", { email, password }, request, response);
  });
  app.post("/consent", (request, response) => ask("/oauth2/consent", { accept: true }, request, response));
  const metadata = oauthProviderAuthServerMetadata(auth);
  app.get("/.well-known/oauth-authorization-server/api/auth", async (request, response) => {
    const answer = await metadata(new Request(`${origin}${request.originalUrl}`));
    response.status(answer.status).json(await answer.json());
  });
  const tokenOf = (request) => /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
  const challenge = (response) =>
    response.status(401).set("www-authenticate", `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`).end();
  const nameOf = (userId) => database.user.find(({ id }) => id === userId)?.name;
  /** As the library keeps them: only who has client credentials may ask it. */
  const ownerOf = (token) => {
    const hash = createHash("sha256").update(token).digest("base64url");
    const found = database.oauthAccessToken.find((each) => each.token === hash);
    return found === undefined || found.expiresAt < new Date() ? undefined : nameOf(found.userId);
  };
  app.get("/.well-known/oauth-protected-resource/mcp", (_request, response) =>
    response.json({ resource: `${origin}/mcp`, authorization_servers: [`${origin}/api/auth`] }),
  );
  app.all("/mcp", (request, response) => {
    const name = ownerOf(tokenOf(request));
    return name === undefined ? challenge(response) : answerAs(name, request, response);
  });
  app.use(
    createApi(async (request, response) => {
      const token = tokenOf(request);
      if (next === undefined) {
        const name = ownerOf(token);
        if (name === undefined) challenge(response);
        return name === undefined ? undefined : { id: name };
      }
      const { clientId, clientSecret, takes } = next;
      const body = new URLSearchParams({ token, token_type_hint: "access_token" });
      const headers = {};
      if (takes === "form") {
        body.set("client_id", clientId);
        body.set("client_secret", clientSecret);
      } else headers.authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
      const answer = await auth.handler(new Request(`${origin}/api/auth/oauth2/introspect`, { method: "POST", headers, body }));
      const found = await answer.json();
      if (found.active) return { id: nameOf(found.sub) };
      challenge(response);
      return undefined;
    }),
  );
  app.use(toNodeHandler(auth));
  return {
    handler: app,
    async register(client) {
      next = client;
      database.oauthClient = database.oauthClient.filter(({ clientId }) => clientId !== client.clientId);
      await auth.api.adminCreateOAuthClient({
        headers: owner,
        body: {
          redirect_uris: [client.redirectUri],
          client_name: "interop",
          application_type: "native",
          scope: "read write offline_access",
          grant_types: ["authorization_code", "refresh_token"],
          token_endpoint_auth_method:
            client.clientSecret === undefined ? "none" : client.takes === "form" ? "client_secret_post" : "client_secret_basic",
        },
      });
    },
    authorizationUrl: `${origin}/api/auth/oauth2/authorize`,
    tokenUrl: `${origin}/api/auth/oauth2/token`,
    api: `${origin}/api/me`,
    mcp: `${origin}/mcp`,
  };
});
