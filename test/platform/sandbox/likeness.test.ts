// Sign-ins at the sandbox in the likeness of providers that have a page, over real HTTP.
import assert from "node:assert/strict";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { sandboxOfSuite } from "../../support/open-packs.ts";
import {
  approve,
  authorizationUrl,
  callbackServer,
  definition,
  oauth2,
  registered,
  removeStubsFiles,
  requestToken,
} from "../../support/sandbox.ts";

type Configuration = Partial<AuthenticationDefinition> & Required<Pick<AuthenticationDefinition, "authorizationUrl" | "tokenUrl">>;

const SLACK = { authorizationUrl: "https://slack.com/oauth/v2/authorize", tokenUrl: "https://slack.com/api/oauth.v2.access" };
const GOOGLE = { authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth", tokenUrl: "https://oauth2.googleapis.com/token" };
const AIRTABLE = { authorizationUrl: "https://airtable.com/oauth2/v1/authorize", tokenUrl: "https://airtable.com/oauth2/v1/token" };
const STRAVA = { authorizationUrl: "https://www.strava.com/oauth/authorize", tokenUrl: "https://www.strava.com/oauth/token" };

describe("The sandbox in the likeness of a provider", () => {
  const sandbox = sandboxOfSuite();
  let callback: Awaited<ReturnType<typeof callbackServer>>;
  before(async () => {
    callback = await callbackServer();
  });
  after(() => {
    callback.close();
    removeStubsFiles();
  });

  /** Signs in with the configuration and these parameters; returns the error of the authorization page, or the token response. */
  async function signIn(configuration: Configuration, parameters: Readonly<Record<string, string | undefined>>) {
    const at = await registered(sandbox, definition(oauth2(configuration)));
    const redirectUri = `http://127.0.0.1:${callback.port}/oauth`;
    const { url, attempt } = authorizationUrl(at, configuration.authorizationUrl, redirectUri, {
      code_challenge: undefined,
      code_challenge_method: undefined,
      ...parameters,
    });
    const response = await approve(url);
    const code = response.get("code");
    if (code === null) return { error: response.get("error"), tokenResponse: {} };
    const isPkce = parameters.code_challenge !== undefined;
    const tokens = await requestToken(at, configuration.tokenUrl, {
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: isPkce ? attempt.verifier : undefined,
    });
    return { error: undefined, tokenResponse: tokens.body as Readonly<Record<string, unknown>> };
  }

  it("Slack's token for a user is nested, although the configuration has no nestedResponseKey", async () => {
    const scopes = ["users.profile:read"];
    const user = await signIn(
      { ...SLACK, scopes, scopeDelimiter: ",", scopeParamName: "user_scope" },
      { scope: undefined, user_scope: "users.profile:read" },
    );
    assert.deepEqual(Object.keys(user.tokenResponse), ["authed_user"]);
    const bot = await signIn({ ...SLACK, scopes, scopeDelimiter: "," }, { scope: "users.profile:read" });
    assert.ok("access_token" in bot.tokenResponse);
  });

  it("scopes joined by another delimiter than the provider's are refused as one scope", async () => {
    const configuration = { ...STRAVA, scopes: ["read", "activity:read"] };
    assert.equal((await signIn(configuration, { scope: "read activity:read" })).error, "invalid_scope");
    assert.equal((await signIn({ ...configuration, scopeDelimiter: "," }, { scope: "read,activity:read" })).error, undefined);
  });

  it("a provider that accepts two delimiters is signed in at with either", async () => {
    const configuration = { ...SLACK, scopes: ["users:read", "chat:write"] };
    for (const scopeDelimiter of [" ", ","] as const) {
      const scope = configuration.scopes.join(scopeDelimiter);
      const { error, tokenResponse } = await signIn({ ...configuration, scopeDelimiter }, { scope });
      assert.equal(error, undefined);
      assert.ok("access_token" in tokenResponse, scopeDelimiter);
    }
  });

  it("Google issues a refresh token only to a request with access_type=offline", async () => {
    const configuration = { ...GOOGLE, scopes: ["email"] };
    assert.ok(!("refresh_token" in (await signIn(configuration, { scope: "email" })).tokenResponse));
    assert.ok("refresh_token" in (await signIn(configuration, { scope: "email", access_type: "offline" })).tokenResponse);
  });

  it("a provider that requires PKCE refuses a request without it", async () => {
    const { error } = await signIn({ ...AIRTABLE, scopes: ["data.records:read"] }, { scope: "data.records:read" });
    assert.equal(error, "invalid_request");
  });

  it("a provider without a page follows the configuration", async () => {
    const shop = { authorizationUrl: "https://login.shop.example/a", tokenUrl: "https://login.shop.example/t", scopes: ["a", "b"] };
    assert.ok("refresh_token" in (await signIn(shop, { scope: "a b" })).tokenResponse);
  });
});
