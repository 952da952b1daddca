// Dynamic client registration (RFC 7591) by itself: what is sent, what is taken of the answer, and for how long.
import assert from "node:assert/strict";
import { defined } from "../../../base/defined.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import type { Server } from "../../../platform/oauth/discovery.ts";
import type { Reach } from "../../../platform/oauth/provider-fetch.ts";
import { isCurrent, registerClient } from "../../../platform/oauth/registration.ts";
import { auth } from "../../support/broker.ts";
import { openTokenServer, type TokenServer } from "../../support/token-server.ts";

const BACK_TO = "http://localhost:3000/oauth";

describe("A client registration", () => {
  let raw: TokenServer;
  before(async () => {
    raw = await openTokenServer();
  });
  after(() => raw.close());
  beforeEach(() => raw.reset());

  const register = (definition = auth("OAuth2"), server: Partial<Server> = {}, more: Partial<Reach> = {}) =>
    registerClient(
      {
        server: { issuer: raw.base, registrationUrl: `${raw.base}/register`, namesIssuer: false, ...server },
        redirectUri: BACK_TO,
        packName: "shop",
        auth: definition,
        configRoot: "auth",
      },
      { fetch, ...more },
    );

  it("RFC 7591, 2: the request describes the application and asks for no secret if none is needed", async () => {
    for (const [scopes, clientMethods, scope, method] of [
      [undefined, undefined, undefined, "client_secret_basic"],
      [[], ["client_secret_basic", "client_secret_post"], undefined, "client_secret_post"],
      [["orders:read", "shops"], ["client_secret_basic", "none"], "orders:read shops", "none"],
      [["shops"], ["private_key_jwt"], "shops", "none"],
    ] as const) {
      raw.reset();
      raw.responses = [{ status: 201, body: '{"client_id":"given"}' }];
      await register(auth("OAuth2", defined({ scopes })), defined({ clientMethods }));
      assert.deepEqual(JSON.parse(raw.received[0]?.body ?? ""), {
        client_name: "Pack Auth: shop",
        application_type: "native",
        redirect_uris: [BACK_TO],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: method,
        ...defined({ scope }),
      });
    }
  });

  it("RFC 7591, 3.2.1: a registration is valid for its provider and address until it expires", async () => {
    raw.responses = [{ status: 200, body: '{"client_id":"given","client_secret":"the-secret","client_secret_expires_at":"1000"}' }];
    const server = { issuer: raw.base, namesIssuer: false };
    const client = await register();
    assert.deepEqual(client, {
      clientId: "given",
      clientSecret: "the-secret",
      registration: { issuer: raw.base, redirectUri: BACK_TO, expiresAt: 1_000_000 },
    });
    assert.equal(isCurrent(client, server, BACK_TO, 999_999), true);
    assert.equal(isCurrent(client, server, BACK_TO, 1_000_000), false, "ended");
    assert.equal(isCurrent(client, server, `${BACK_TO}/other`, 0), false, "another address");
    assert.equal(isCurrent(client, { ...server, issuer: "https://other.example" }, BACK_TO, 0), false, "another provider");
    assert.equal(isCurrent({ clientId: "typed" }, server, BACK_TO, 0), false, "typed");
    raw.responses = [{ status: 201, body: '{"client_id":"given","client_secret_expires_at":0}' }];
    const lasting = await register();
    assert.deepEqual(lasting, { clientId: "given", registration: { issuer: raw.base, redirectUri: BACK_TO } });
    assert.equal(isCurrent(lasting, server, BACK_TO, Number.MAX_VALUE), true);
  });

  it("RFC 7591, 3.2.1: the client method of the answer is stored", async () => {
    for (const [responseMethod, authMethod] of [
      ["client_secret_post", "client_secret_post"],
      ["client_secret_basic", "client_secret_basic"],
      [undefined, undefined],
      [null, undefined],
      ["private_key_jwt", undefined],
      ["none", undefined],
      [["client_secret_post"], undefined],
    ] as const) {
      raw.responses = [
        {
          status: 201,
          body: JSON.stringify({ client_id: "given", client_secret: "the-secret", token_endpoint_auth_method: responseMethod }),
        },
      ];
      assert.equal((await register()).registration?.authMethod, authMethod, String(responseMethod));
    }
  });

  it("an overlong client ID or secret is refused with a hint", async () => {
    for (const [body, isAccepted] of [
      [{ client_id: "i".repeat(4_096) }, true],
      [{ client_id: "i".repeat(4_097) }, false],
      [{ client_id: "given", client_secret: "s".repeat(100_000) }, false],
    ] as const) {
      raw.responses = [{ status: 201, body: JSON.stringify(body) }];
      if (isAccepted) assert.equal((await register()).clientId, body.client_id);
      else
        await assert.rejects(register(), ({ code, message, hint, configPath }: PackAuthError) => {
          assert.equal(code, "token-exchange-failed");
          assert.match(message, /its client ID or secret is too long\.$/);
          assert.match(hint ?? "", /^(Register the application by hand|Ask its administrator|Try again later)/);
          assert.equal(configPath, "auth.useDynamicClientRegistration");
          return true;
        });
    }
  });

  it("an answer that is no registration is reported", async () => {
    for (const body of ["<html>", "null", "[]", "{}", '{"client_id":""}', '{"client_id":1}']) {
      raw.responses = [{ status: 201, body }];
      await assert.rejects(register(), /did not register the application: its answer contains no client ID\.$/, body);
    }
  });

  it("a refusal is reported in the provider's words, with manual registration as last resort", async () => {
    const challenge = { headers: { "www-authenticate": 'Bearer realm="x"' } };
    for (const [response, messagePattern] of [
      [{ status: 400, body: '{"error":"odd_metadata","error_description":"No such thing."}' }, /odd_metadata — “No such thing\.”/],
      [{ status: 500, body: "" }, /because the server has an internal error\. Its answer: status 500\.$/],
      [{ status: 401, body: '{"error":"odd_token"}', ...challenge }, /: odd_token\.$/],
      [{ status: 401, body: "", ...challenge }, /does not let this application register itself.* Its answer: status 401\.$/],
    ] as const) {
      raw.responses = [response];
      await assert.rejects(register(), ({ code, message, hint, configPath }: PackAuthError) => {
        assert.match(message, messagePattern);
        assert.deepEqual([code, configPath], ["token-exchange-failed", "auth.useDynamicClientRegistration"]);
        assert.match(hint ?? "", /^(Register the application by hand|Ask its administrator|Try again later)/);
        return true;
      });
    }
  });

  it("a cancelled registration ends as cancelled, not as failed", async () => {
    const stop = new AbortController();
    const registered = register(
      auth("OAuth2"),
      {},
      {
        signal: stop.signal,
        fetch: async () => {
          stop.abort(new Error("stopped by the person"));
          throw stop.signal.reason;
        },
      },
    );
    await assert.rejects(registered, /^Error: stopped by the person$/);
  });
});
