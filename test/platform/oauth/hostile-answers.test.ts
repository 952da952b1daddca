// A token endpoint that means harm: what it was sent comes back under other names, cut or hidden, and its values are made to break
// whoever keeps or shows them. Nothing of a secret is told or stored, and every message stays one that a person reads.
import assert from "node:assert/strict";
import { endpointFrom } from "../../../platform/connect/flows/exchanged-endpoint.ts";
import type { FlowContext } from "../../../platform/connect/flows/flow.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import { requestToken, type TokenExchange, type TokenResponse } from "../../../platform/oauth/token-request.ts";
import { auth } from "../../support/broker.ts";
import { openTokenServer, type TokenServer, type TokenServerResponse } from "../../support/token-server.ts";

const SECRET = "client-secret-of-this-test";
const REFRESH = "refresh-token-of-this-test";
const NOW = 1_000;

describe("A hostile token endpoint", () => {
  let server: TokenServer;
  before(async () => {
    server = await openTokenServer();
  });
  after(() => server.close());
  beforeEach(() => server.reset());

  const exchanges: TokenExchange[] = [];
  function ask(response: TokenServerResponse): Promise<TokenResponse> {
    server.responses = [response];
    exchanges.length = 0;
    return requestToken(
      {
        auth: auth("OAuth2", { tokenUrl: server.tokenUrl }),
        configRoot: "userAuthentication",
        tokenUrl: server.tokenUrl,
        address: server.tokenUrl,
        client: { clientId: "client", clientSecret: SECRET },
        fetch: (url, init) => fetch(url, init),
        now: () => NOW,
        record: (exchange) => void exchanges.push(exchange),
      },
      { kind: "refresh", refreshToken: REFRESH },
    );
  }
  const refusalOf = (response: TokenServerResponse): Promise<PackAuthError> =>
    ask(response).then(
      () => assert.fail("it was not refused"),
      (error: unknown) => error as PackAuthError,
    );
  const json = (body: unknown, status = 200): TokenServerResponse => ({ status, body: JSON.stringify(body) });
  const assertHidden = (text: string): void => {
    for (const secret of [SECRET, REFRESH])
      for (let at = 0; at + 8 <= secret.length; at++) assert.ok(!text.includes(secret.slice(at, at + 8)), text);
  };

  it("a truncated quotation of a refusal shows no part of a secret", async () => {
    for (const secret of [SECRET, REFRESH])
      for (let before = 60; before <= 300; before += 4) {
        const filled = `${"p ".repeat(before / 2)}${secret}`;
        for (const response of [
          json({ error: "odd", error_description: filled }, 400),
          json({ error: filled }, 400),
          json({ error: "odd", error_uri: `https://evil.example/${"p".repeat(before)}${secret}` }, 400),
          { status: 400, type: "text/html", body: `<html>${filled}</html>` },
          { type: "text/html", body: `<html>${filled}</html>` },
          { type: "text/plain", body: filled },
        ]) {
          const { message, hint } = await refusalOf(response);
          assertHidden(`${message} ${hint}`);
        }
      }
  });

  it("bidirectional control characters in an answer are escaped", async () => {
    for (const response of [
      json({ error: "odd\u202e", error_description: "see \u202emoc.dab", error_uri: "https://good.example/\u202e" }, 400),
      { status: 400, body: "no \u2066moc.dab" },
    ]) {
      const { message, hint } = await refusalOf(response);
      assert.match(message, /\\u20(2e|66)moc\.dab/);
      assert.doesNotMatch(`${message} ${hint}`, /\p{Bidi_Control}/u);
    }
  });

  it("a long answer makes no long message", async () => {
    const long = "e".repeat(900_000);
    for (const response of [
      json({ error: long }, 400),
      json({ error: "odd", error_description: long }, 400),
      json({ error: "odd", error_uri: `https://evil.example/${long}` }, 400),
      json({ [long]: { access_token: "the-token" } }),
      { status: 400, body: "", headers: { "www-authenticate": `Bearer error="${"e".repeat(9_000)}"` } },
      { status: 307, body: "", headers: { location: `https://evil.example/${"e".repeat(9_000)}` } },
    ]) {
      const { message, hint = "" } = await refusalOf(response);
      assert.ok(`${message} ${hint}`.length < 2_000, `${message} ${hint}`.slice(0, 2_000));
    }
  });

  it("a redirect proposes only an address that a configuration may have", async () => {
    for (const location of ["javascript:alert(1)", "http://evil.example/token", "file:///etc/passwd", "https://10.0.0.1/token"]) {
      const { hint } = await refusalOf({ status: 307, body: "", headers: { location } });
      assert.equal(hint, "Put the final address into tokenUrl.");
    }
    const { hint } = await refusalOf({ status: 307, body: "", headers: { location: "https://p.example/token?x=1" } });
    assert.match(hint ?? "", /^Set tokenUrl to https:\/\/p\.example\/token, if/);
  });

  it("deep nesting beside a good token does not hide the token", async () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    for (const name of ["scope", "other", "expires_in", "refresh_token", "id_token"]) {
      const { credential } = await ask({ body: `{"access_token":"the-token","${name}":${deep}}` });
      assert.equal(credential.accessToken, "the-token");
      assert.equal(credential.refreshToken, REFRESH);
    }
  });

  it("a refusal beside an overlong token shows no part of it", async () => {
    for (const name of ["access_token", "refresh_token"]) {
      const { message, hint } = await refusalOf(json({ [name]: "the-token-".repeat(2_000) }, 400));
      assert.doesNotMatch(`${message} ${hint}`, /the-token/);
    }
  });

  it("an object or nothing as access token is reported as such", async () => {
    for (const token of [{ a: 1 }, [], true]) {
      const { message, hint, configPath } = await refusalOf(json({ access_token: token, token_type: "bearer" }));
      assert.match(message, /^tokenUrl returned an access_token that is not a string\.$/);
      assert.match(hint ?? "", /^Compare tokenUrl/);
      assert.equal(configPath, "userAuthentication.tokenUrl");
    }
    for (const token of [null, ""]) {
      const { message } = await refusalOf(json({ access_token: token, token_type: "bearer" }));
      assert.match(message, /^tokenUrl returned no access_token: /);
    }
  });

  it("a refresh token written as a number is accepted", async () => {
    const { credential } = await ask(json({ access_token: "the-token", refresh_token: 12_345_678 }));
    assert.equal(credential.refreshToken, "12345678");
  });

  it("an invalid expires_in leaves the token without an expiry", async () => {
    for (const expiresIn of ["1e300", "1e13", "true", "[60]", "-5", '"1e400"', '"NaN"']) {
      const { credential } = await ask({ body: `{"access_token":"the-token","expires_in":${expiresIn}}` });
      assert.equal(credential.expiresAt, undefined, expiresIn);
    }
    const { credential } = await ask(json({ access_token: "the-token", expires_in: 315_360_000 }));
    assert.equal(credential.expiresAt, NOW + 315_360_000_000);
  });

  it("scopes that contain a secret are dropped, and at most 500 are stored", async () => {
    const token = "access-token-of-this-test";
    const scope = `read ${SECRET} ${REFRESH} ${token} ${Buffer.from(SECRET).toString("base64")} write read ${"s".repeat(500_000)}`;
    const { scopesGranted } = await ask(json({ access_token: token, scope }));
    assert.deepEqual(scopesGranted, ["read", "write"]);
    const many = await ask(json({ access_token: token, scope: Array.from({ length: 100_000 }, (_, index) => `s${index}`).join(" ") }));
    assert.equal(many.scopesGranted?.length, 500);
  });

  it("member names and hosts that contain a secret are neither shown nor stored", async () => {
    const token = "access-token-of-this-test";
    const tokenResponse = await ask(
      json({
        access_token: token,
        [SECRET]: { access_token: "x" },
        [REFRESH]: "https://other.example/",
        [token]: 1,
        instance_url: `https://${SECRET}.evil.example/`,
        site_url: "https://site.example/",
      }),
    );
    assert.deepEqual(tokenResponse.members, ["access_token", "instance_url", "site_url"]);
    assertHidden(JSON.stringify(exchanges));
    assert.deepEqual(exchanges[0]?.addresses, [{ name: "site_url", host: "site.example" }]);
    const context = { auth: auth("OAuth2", { endpointKey: "api" }), scope: "user" } as unknown as FlowContext;
    assert.throws(() => endpointFrom(context, tokenResponse), { hint: "It has: access_token, instance_url, site_url." });
    await refusalOf({ status: 307, body: "", headers: { location: `https://evil.example/${SECRET}` } });
    assertHidden(JSON.stringify(exchanges));
  });
});
