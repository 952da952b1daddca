// What only the page of a server that others wrote says of a sign-in: an unknown client ID or redirect address, a scope, missing PKCE. Asked
// as the sign-in asks it while the browser is waited for; a page to sign in at says nothing.
import assert from "node:assert/strict";
import * as oauth from "oauth4webapi";
import { refusalOnPage } from "../../platform/oauth/authorization-page.ts";
import { authorizationRequest } from "../../platform/oauth/authorization-request.ts";
import { auth } from "../support/broker.ts";
import { explainRefusal } from "../support/explain-refusal.ts";
import { SERVERS, type ServerFacts, type ServerName } from "./servers.ts";
import { interopOfSuite } from "./suite.ts";
import { newClient } from "./trial.ts";

const REGISTERED = "http://localhost:3999/oauth";

/** What a sign-in gets wrong. */
const MISTAKES = {
  "an unknown client ID": { clientId: "nobody" },
  "a redirect address that is not registered": { redirectUri: "http://localhost:3999/another" },
  "an unknown scope": { scopes: ["nonsense"] },
  "no PKCE": { useProofKeyForCodeExchange: false },
} as const;
type Mistake = keyof typeof MISTAKES;

const CLIENT_ID = /the client ID/;
const REDIRECT = /the redirect address http:\/\/localhost:3999\/another/;
const SCOPES = /scopes/;
const PKCE = /useProofKeyForCodeExchange/;

/** What the server's page tells before anybody is signed in there, in the words that the author reads. */
const PAGE_MESSAGES: Readonly<Record<ServerName, Partial<Record<Mistake, RegExp>>>> = {
  "node-oauth": { "an unknown client ID": CLIENT_ID, "a redirect address that is not registered": REDIRECT },
  jmondi: {
    "an unknown client ID": CLIENT_ID,
    "a redirect address that is not registered": REDIRECT,
    "an unknown scope": SCOPES,
    "no PKCE": PKCE,
  },
  // One answer for both.
  oauth2orize: { "an unknown client ID": CLIENT_ID, "a redirect address that is not registered": REDIRECT, "an unknown scope": SCOPES },
  // It gives the scopes that it knows.
  mcp: {
    "an unknown client ID": CLIENT_ID,
    "a redirect address that is not registered": REDIRECT,
    "no PKCE": PKCE,
  },
  "better-auth": {
    "an unknown client ID": CLIENT_ID,
    "a redirect address that is not registered": REDIRECT,
    "an unknown scope": SCOPES,
    "no PKCE": PKCE,
  },
  openauth: { "an unknown client ID": /the redirect address/, "a redirect address that is not registered": REDIRECT },
  // It takes everything.
  "oauth2-mock-server": {},
};

describe("Interop: the page of a real server", function () {
  this.timeout(60_000);
  const interop = interopOfSuite();
  if (interop === undefined) return;

  for (const name of Object.keys(SERVERS) as ServerName[]) {
    const { package: library, configuration, clientWays }: ServerFacts = SERVERS[name];
    it(`the page of ${library} is silent for a right sign-in and explains a wrong one`, async () => {
      const server = await interop.server(name);
      const { clientId, clientSecret } = newClient();
      const [way] = clientWays;
      await server.register({ clientId, redirectUri: REGISTERED, ...(way === undefined ? {} : { clientSecret, takes: way }) });
      const readPageMessage = async (
        mistake: { readonly clientId?: string; readonly redirectUri?: string; readonly [field: string]: unknown } = {},
      ) => {
        const { clientId: id = clientId, redirectUri = REGISTERED, ...more } = mistake;
        const definition = auth("OAuth2", {
          authorizationUrl: server.authorizationUrl,
          tokenUrl: server.tokenUrl,
          ...configuration,
          ...more,
        });
        const verifier = definition.useProofKeyForCodeExchange ? { verifier: oauth.generateRandomCodeVerifier() } : {};
        const address = await authorizationRequest(definition, server.authorizationUrl, {
          clientId: id,
          redirectUri,
          state: oauth.generateRandomState(),
          ...verifier,
        });
        const page = await refusalOnPage(address, { fetch: interop.fetch });
        return page && (explainRefusal({ ...page, phase: "authorization", auth: definition, redirectUri })?.reason ?? page.providerError);
      };
      assert.equal(await readPageMessage(), undefined);
      for (const [mistake, what] of Object.entries(MISTAKES) as [Mistake, Readonly<Record<string, unknown>>][]) {
        const message = await readPageMessage(what);
        const expected = PAGE_MESSAGES[name][mistake];
        if (expected === undefined) assert.equal(message, undefined, mistake);
        else assert.match(message ?? "nothing", expected, mistake);
      }
    });
  }
});
