// How the browser comes back from the provider: in forms that neither a sign-in nor the platform reads, with more than they read, and what
// its last page says.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { openAccounts, packKey } from "../../../platform/accounts/accounts.ts";
import { connect } from "../../../platform/connect/connect.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { auth } from "../../support/broker.ts";
import { declaredPack } from "../../support/declared-pack.ts";
import { makeHost, type TestHost } from "../../support/platform-host.ts";
import { openTokenServer, type TokenServer } from "../../support/token-server.ts";

describe("The redirect from the browser", function () {
  this.timeout(30_000);
  let server: TokenServer;
  let host: TestHost;
  /** The pages that the browser ended at. */
  let pages: Promise<string>[];
  before(async () => {
    server = await openTokenServer();
  });
  after(() => server.close());
  beforeEach(() => {
    server.reset();
    pages = [];
  });
  afterEach(() => rmSync(host.storageFolder, { recursive: true, force: true }));

  /** A sign-in whose browser comes back with this request; whoever is told of a problem ends it there. */
  const signIn = async (
    request: (redirectUri: string, state: string) => readonly [address: string, init?: RequestInit],
    more: Partial<AuthenticationDefinition> = {},
  ) => {
    host = makeHost({
      replies: { "edirect address to register": "open", "Waiting for": undefined, "": "error" },
      openBrowser: async (url) => {
        const { searchParams } = new URL(url);
        pages.push(
          fetch(...request(searchParams.get("redirect_uri") ?? "", searchParams.get("state") ?? "")).then((response) => response.text()),
        );
        return true;
      },
    });
    const accounts = openAccounts(host);
    const { authorizationUrl, tokenUrl } = server;
    const pack = declaredPack("/packs/forms/pack.ts", auth("OAuth2", { authorizationUrl, tokenUrl, ...more }));
    await accounts.saveClientCredentials(packKey(pack.entry), "user", { clientId: "client", clientSecret: "the-client-secret" });
    return connect(pack, {
      scope: "user",
      packName: "shop",
      host,
      accounts,
      redirect: { host: "localhost", port: 0, path: "/oauth" },
    });
  };
  const formPost = { additionalParams: { response_mode: "form_post" } };
  const fragment = { additionalParams: { response_mode: "fragment" } };
  const at = (query: string) => (uri: string, state: string) => [`${uri}${query.replace("STATE", state)}`] as const;

  for (const [what, request, more, field, message, hint] of [
    [
      "by POST",
      (uri: string, state: string) => [uri, { method: "POST", body: new URLSearchParams({ code: "c", state }) }] as const,
      formPost,
      "additionalParams",
      /with POST \(response_mode=form_post\)/,
      /^Remove response_mode from additionalParams/,
    ],
    ["with the code behind a #", at("#code=c&state=STATE"), fragment, "additionalParams", /behind a #/, /^Remove response_mode/],
    ["without anything", at(""), {}, "authorizationUrl", /behind a #/, /response_mode=query/],
    [
      "at an address with a slash added",
      at("/?code=c&state=STATE"),
      {},
      "authorizationUrl",
      /A slash at the end counts/,
      /exactly like this\.$/,
    ],
    ["with a code and no state", at("?code=c"), {}, "authorizationUrl", /did not send the state back/, /^Compare authorizationUrl/],
    [
      "with an error and no state",
      at("?error=invalid_scope&error_description=No"),
      { scopes: ["read"] },
      "scopes",
      /scopes.* Its answer: invalid_scope — “No”\. The answer has no state\.$/,
      /^Asked for: read/,
    ],
    ["with a state alone", at("?state=STATE"), {}, "authorizationUrl", /neither a code nor an error/, /^Compare authorizationUrl/],
  ] as const)
    it(`a browser that comes back ${what} is reported at once, with what to change`, async () => {
      await assert.rejects(signIn(request, more), (error: PackAuthError) => {
        assert.match(error.message, message);
        assert.match(error.hint ?? "", hint);
        assert.deepEqual([error.code, error.configPath], ["authorization-invalid", `userAuthentication.${field}`]);
        return true;
      });
      assert.equal(server.received.length, 0, "no code was used");
    });

  it("an unusable answer does not end the sign-in, which accepts the right one", async () => {
    server.responses = [{ body: '{"access_token":"the-access-token"}' }];
    const connected = signIn((uri, state) => {
      pages.push(
        fetch(uri, { method: "POST" })
          .then(() => fetch(`${uri}?code=c&state=${state}`))
          .then((response) => response.text()),
      );
      return [`${uri}/favicon.ico`];
    });
    host.prompter.pick = async (question) => (/register/.test(question.placeholder) ? question.items[0]?.value : undefined);
    assert.ok(await connected);
    assert.ok(host.logged.some((text) => text.includes("with POST")));
  });

  it("a refused code names the other host that the provider sent the browser back with", async () => {
    server.responses = [{ status: 400, body: '{"error":"invalid_code"}' }];
    await assert.rejects(
      signIn(at("?code=c&state=STATE&location=eu&accounts-server=https%3A%2F%2Faccounts.zoho.eu")),
      (error: PackAuthError) => {
        assert.match(
          error.message,
          /because the provider sent the browser back with accounts-server https:\/\/accounts\.zoho\.eu, and tokenUrl is at 127\.0\.0\.1:\d+\./,
        );
        return true;
      },
    );
    assert.match(await (pages[0] ?? ""), /Not signed in<\/h1><p>127\.0\.0\.1:\d+ refused to issue a token/, "the browser says it too");
  });

  it("a sign-in reports the names of non-standard parameters that came with the code", async () => {
    server.responses = [{ body: '{"access_token":"the-access-token"}' }];
    const connected = await signIn(at("?code=c&state=STATE&realmId=4620816365&scope=a&authuser=0&session_state=x"));
    assert.deepEqual(
      connected?.signInNotes.map(({ message }) => message),
      ["The provider sent realmId with the code. The platform passes this to no pack."],
    );
    assert.match(await (pages[0] ?? ""), /You are signed in/);
  });
});
