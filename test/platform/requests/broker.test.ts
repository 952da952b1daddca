// The broker on a wire that every host leads to: what it refuses, which names it looks up, what it does about a 401, and where the sandbox stands.
import assert from "node:assert/strict";
import { PackAuthError } from "../../../platform/errors.ts";
import type { Credential } from "../../../platform/secrets/credential.ts";
import { auth, failure, INVOCATION, onWire, placeholder, success, TOKEN } from "../../support/broker.ts";
import { wireOfSuite } from "../../support/wire.ts";

describe("The broker", () => {
  const wire = wireOfSuite();
  const nothingSent = () => assert.deepEqual([wire.connections, wire.requests], [[], []]);

  describe("A 401", () => {
    const oauth: Credential = { kind: "oauth2", accessToken: "stale-access-token" };
    const fresh: Credential = { kind: "oauth2", accessToken: "fresh-access-token", refreshToken: "fresh-refresh-token" };
    const setup = (renew: () => Promise<Credential | undefined>) => {
      const refresh = async () => {
        const fresh = await renew();
        return fresh && { credential: fresh, isNew: true };
      };
      return onWire(wire, { authentication: auth("OAuth2", { networkDomain: "good.com" }), credential: oauth, refresh });
    };
    beforeEach(() => {
      wire.respond = ({ headers }, response) => {
        response.statusCode = headers.authorization === "Bearer fresh-access-token" ? 200 : 401;
        response.end(`you sent ${headers.authorization}`);
      };
    });
    it("a 401 refreshes once and retries; later requests use the fresh token", async () => {
      let refreshed = 0;
      const { send, traces } = setup(async () => {
        refreshed++;
        return fresh;
      });
      assert.deepEqual(success(await send({ url: "https://good.com/" })).body, { text: "you sent Bearer ••••" });
      success(await send({ url: "https://good.com/" }));
      assert.equal(refreshed, 1);
      assert.deepEqual(
        traces.map((trace) => trace.status),
        [401, 200, 200],
      );
      assert.ok(!JSON.stringify(traces).includes("fresh-access"));
    });
    it("a second 401 is left to the pack after one refresh", async () => {
      let refreshed = 0;
      const { send } = setup(async () => {
        refreshed++;
        return { ...oauth, accessToken: "other-access-token" };
      });
      const result = await send({ url: "https://good.com/" });
      assert.ok("message" in result && result.name === "StatusCodeError" && result.response?.status === 401);
      assert.deepEqual([refreshed, wire.requests.length], [1, 2]);
    });
    it("a 401 without a refresh token is left to the pack", async () => {
      const result = await setup(async () => undefined).send({ url: "https://good.com/" });
      assert.ok("message" in result && result.response?.status === 401);
      assert.equal(wire.requests.length, 1);
    });
    it("a 401 to a request without a credential does not refresh", async () => {
      const { send } = setup(() => assert.fail("it refreshed"));
      for (const request of [{ url: "https://other.com/" }, { url: "https://good.com/", disableAuthentication: true }]) {
        const result = await send(request);
        assert.ok("message" in result && result.response?.status === 401);
      }
    });
    it("a 401 whose refresh fails is reported with that failure and its remedy", async () => {
      const { send } = setup(async () => {
        throw new PackAuthError("refresh-failed", "The provider refused: invalid_grant.", { hint: "Sign in again." });
      });
      assert.equal(failure(await send({ url: "https://good.com/" })), "The provider refused: invalid_grant. Sign in again.");
    });
  });

  describe("Host names", () => {
    for (const address of ["10.0.0.7", "169.254.169.254", "::1", "::ffff:192.168.0.1"]) {
      it(`a name that resolves to ${address} is refused even beside public addresses`, async () => {
        const { send, traces } = onWire(wire, { lookup: async () => ["93.184.216.34", address] });
        assert.match(
          failure(await send({ url: "https://good.com/" })),
          /good\.com resolves to .*, an address of a private network\. The platform reaches public addresses only\./,
        );
        nothingSent();
        assert.deepEqual([traces[0]?.credentials, traces[0]?.status], [[], undefined]);
      });
    }
    it("a name in a redirect is resolved and checked too", async () => {
      wire.respond = (_request, response) => response.writeHead(302, { location: "https://api.good.com/" }).end();
      const { send } = onWire(wire, { lookup: async (host) => (host === "api.good.com" ? ["192.168.1.1"] : ["93.184.216.34"]) });
      assert.match(failure(await send({ url: "https://good.com/" })), /api\.good\.com resolves to 192\.168\.1\.1/);
      assert.deepEqual(wire.connections, ["https://good.com:"]);
    });
    it("a name that does not resolve is reported", async () => {
      const { send } = onWire(wire, { lookup: () => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" })) });
      assert.match(failure(await send({ url: "https://good.com/" })), /the name good\.com does not resolve/);
      nothingSent();
    });
    it("a name behind a proxy is not resolved, with a note in the trace", async () => {
      const { send, traces } = onWire(wire, { behindProxy: true, lookup: () => assert.fail("it was looked up") });
      success(await send({ url: "https://good.com/" }));
      assert.equal(traces[0]?.throughProxy, true);
    });
  });

  it("forbidden methods, headers and bodies are refused before the request", async () => {
    for (const request of [
      { url: "https://good.com/", method: "TRACE" },
      { url: "https://good.com/", headers: { Host: "evil.com" } },
      { url: "https://good.com/", headers: { "Content-Length": "3" } },
      { url: "https://good.com/", headers: { "Transfer-Encoding": "chunked" } },
      { url: "https://good.com/", headers: { "Proxy-Authorization": "x" } },
      { url: "https://good.com/", headers: { "X\r\nY": "1" } },
      { url: "https://good.com/", headers: { X: "1\r\nAuthorization: y" } },
      { url: "https://good.com/\r\nX: y" },
      { url: "https://good.com/", body: { text: "x" } },
    ])
      assert.match(failure(await onWire(wire).send(request)), /^Not sent: /);
    nothingSent();
  });

  it("an invalid request or a thrown value becomes a failure, never a rejection", async () => {
    const { broker } = onWire(wire);
    for (const raw of [undefined, null, 5, "x", [], {}, { method: "GET" }, { method: "GET", url: {} }])
      assert.match(failure(await broker.fetch(raw as never, new AbortController().signal)), /^Not sent: /);
    nothingSent();
    for (const thrown of [undefined, null, "text", 5, {}, new Error("odd"), { cause: "text" }]) {
      const { send } = onWire(wire, { fetch: () => Promise.reject(thrown) });
      assert.match(failure(await send({ url: "https://good.com/" })), /^the request to good\.com failed/);
    }
  });

  describe("A broker with a sandbox", () => {
    const sandboxed = (origin: string) =>
      onWire(wire, {
        sandboxOrigin: origin,
        endpoint: "https://acme.good.com",
        authentication: auth("HeaderBearerToken"),
        lookup: () => assert.fail("it was looked up"),
      });
    const origin = "http://127.0.0.1:4999";
    it("every request goes to the sandbox's origin under its logical address", async () => {
      const { send, traces } = sandboxed(origin);
      success(await send({ url: "/v1/x?y=1" }));
      success(await send({ url: "https://other.com/z" }));
      assert.deepEqual(new Set(wire.connections), new Set([origin]));
      assert.deepEqual(
        wire.requests.map((request) => [request.path, request.headers.authorization]),
        [
          ["/acme.good.com/v1/x?y=1", `Bearer ${TOKEN}`],
          ["/other.com/z", undefined],
        ],
      );
      assert.deepEqual(
        traces.map((trace) => [trace.url, trace.sandbox]),
        [
          ["https://acme.good.com/v1/x?y=1", true],
          ["https://other.com/z", true],
        ],
      );
    });
    it("the URL policy applies to the logical address", async () => {
      const { send } = sandboxed(origin);
      for (const url of ["https://evil.com/", `${origin}/acme.good.com/x`, "//evil.com", "https://globex.good.com/"])
        assert.match(failure(await send({ url })), /^Not sent: /);
      nothingSent();
    });
    it("redirects apply to the logical address in every form", async () => {
      wire.respond = ({ path }, response) => {
        const location = {
          "/acme.good.com/absolute": `${origin}/acme.good.com/end`,
          "/acme.good.com/relative": "/end",
          "/acme.good.com/logical": "https://acme.good.com/end",
          "/acme.good.com/out": `${origin}/evil.com/end`,
          "/acme.good.com/away": "http://127.0.0.1:5000/x",
        }[path];
        response.writeHead(location === undefined ? 200 : 302, location === undefined ? {} : { location }).end();
      };
      const { send } = sandboxed(origin);
      for (const url of ["/absolute", "/relative", "/logical"]) success(await send({ url }));
      assert.deepEqual(
        wire.requests.flatMap((request) => (request.path.endsWith("/end") ? [[request.path, request.headers.authorization]] : [])),
        Array(3).fill(["/acme.good.com/end", `Bearer ${TOKEN}`]),
      );
      assert.match(failure(await send({ url: "/out" })), /evil\.com is not in the pack's network domains/);
      assert.match(failure(await send({ url: "/away" })), /^Not sent/);
      assert.deepEqual(new Set(wire.connections), new Set([`${origin}`]));
    });
  });

  it("requests of an execution are numbered, with refusals marked", async () => {
    const { send, traces } = onWire(wire);
    await send({ url: "https://good.com/" });
    await send({ url: "https://evil.com/" });
    await send({ url: "https://good.com/", headers: { x: placeholder("a", INVOCATION) } });
    assert.deepEqual(
      traces.map((trace) => [trace.id, trace.failureReason === undefined]),
      [
        [1, true],
        [2, false],
        [3, false],
      ],
    );
  });
});
