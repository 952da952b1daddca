// The answer to a sign-in names who it is from (RFC 9207): that of another issuer is refused, before its code goes anywhere.
import assert from "node:assert/strict";
import { openAccounts, packKey } from "../../../platform/accounts/accounts.ts";
import { connect } from "../../../platform/connect/connect.ts";
import { auth } from "../../support/broker.ts";
import { declaredPack } from "../../support/declared-pack.ts";
import { makeHost } from "../../support/platform-host.ts";
import { openTokenServer, type TokenServer } from "../../support/token-server.ts";

const ENTRY = "/packs/shop/pack.ts";

describe("The issuer in the authorization answer (RFC 9207)", () => {
  let raw: TokenServer;
  before(async () => {
    raw = await openTokenServer();
  });
  after(() => raw.close());
  beforeEach(() => raw.reset());

  const signIn = async (callback: Record<string, string | readonly string[]>, metadata?: Record<string, unknown>) => {
    raw.responses = [{ body: '{"access_token":"the-access-token"}' }];
    raw.callback = (query) => ({ code: "c", state: query.get("state") ?? "", ...callback });
    if (metadata !== undefined) raw.metadata = () => ({ issuer: raw.base, token_endpoint: `${raw.base}/token`, ...metadata });
    const host = makeHost({ replies: { "edirect address": "open" } });
    const accounts = openAccounts(host);
    await accounts.saveClientCredentials(packKey(ENTRY), "user", { clientId: "client" });
    const definition = auth("OAuth2", { authorizationUrl: `${raw.base}/authorize`, tokenUrl: `${raw.base}/token` });
    return connect(declaredPack(ENTRY, definition), {
      scope: "user",
      packName: "shop",
      host,
      accounts,
      redirect: { host: "localhost", port: 0, path: "/oauth" },
    });
  };
  const another = { iss: "https://evil.example" };

  it("RFC 9700, 2.1: the provider's own issuer is accepted; another one is refused without a token request", async () => {
    assert.ok(await signIn({ iss: raw.base }, {}));
    raw.received.length = 0;
    await assert.rejects(signIn(another, {}), { code: "authorization-invalid" });
    await assert.rejects(signIn({ iss: [raw.base, "https://evil.example"] }, {}), { code: "authorization-invalid" });
    assert.equal(raw.received.length, 0);
    await assert.rejects(signIn({ iss: `https://evil.example/${"i".repeat(9_000)}` }, {}), ({ message }: Error) => message.length < 500);
  });

  it("RFC 9207, 2.4: an issuer that differs by a slash is refused, with what to ask the provider", async () => {
    const hint = new RegExp(`Ask the provider to send ${raw.base} as iss.*only a slash at the end differs.*platform may accept`);
    await assert.rejects(signIn({ iss: `${raw.base}/` }, {}), { code: "authorization-invalid", hint });
    assert.equal(raw.received.length, 0);
  });

  it("RFC 9207, 2.4: an answer without the promised issuer is refused, also for an error", async () => {
    const always = { authorization_response_iss_parameter_supported: true };
    await assert.rejects(signIn({}, always), /does not name its issuer/);
    await assert.rejects(signIn({ error: "access_denied" }, always), { code: "authorization-invalid" });
    assert.ok(await signIn({ iss: raw.base }, always));
  });

  it("RFC 6749, 3.1 and 4.1.2: repeated parameters are refused, unknown ones ignored", async () => {
    for (const twice of [{ code: ["c", "other"] }, { code: [""] }]) {
      await assert.rejects(signIn(twice), ({ message }: Error) =>
        /^The provider sent the browser back with (an empty|a param)/.test(message),
      );
      assert.equal(raw.received.length, 0);
    }
    assert.ok(await signIn({ id_token: "x", token: "y", response: "z", access_token: "a" }));
    assert.match(raw.received[0]?.body ?? "", /(^|&)code=c(&|$)/);
  });

  it("a long refusal is quoted in a few words", async () => {
    const refusal = { error: "e".repeat(5_000), error_description: "d".repeat(5_000) };
    await assert.rejects(signIn(refusal), ({ message }: Error) => message.length < 600 && message.includes("eee” — “ddd"));
  });

  it("the issuer is not compared if the provider has no metadata", async () => {
    assert.ok(await signIn(another));
  });
});
