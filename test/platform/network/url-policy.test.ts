// Which URLs may be fetched, and which get credentials. Every refusal is tried through the broker too, on a wire that every host
// name leads to: not one packet leaves.
import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { openFetch } from "../../../cli/terminal/fetch.ts";
import { checkRedirect, checkUrl, type UrlPolicy } from "../../../platform/network/url-policy.ts";
import { auth, failure, onWire, success, TOKEN } from "../../support/broker.ts";
import { eachCase } from "../../support/json-cases.ts";
import { PROPERTY_TIME, RUNS } from "../../support/runs.ts";
import { openWire, type Wire } from "../../support/wire.ts";

const plain: UrlPolicy = { domains: ["good.com"] };
const endpoint: UrlPolicy = { domains: ["good.com", "other.com"], endpoint: "https://acme.good.com/base" };

/** A policy of a case; without one, {@link plain} applies. */
const policy = z.strictObject({
  domains: z.array(z.string()),
  credentialDomains: z.array(z.string()).exactOptional(),
  endpoint: z.string().exactOptional(),
  endpointAlone: z.literal(true).exactOptional(),
  allowLoopback: z.literal(true).exactOptional(),
});
const refused = z.strictObject({ policy: policy.exactOptional(), urls: z.array(z.string()) });
const allowed = z.strictObject({ url: z.string(), policy: policy.exactOptional(), result: z.string(), credentials: z.boolean() });

/** The broker of a pack and an account that have this policy. */
const brokerOf = (wire: Wire, { domains, credentialDomains, endpoint, endpointAlone = false, allowLoopback = false }: UrlPolicy) =>
  onWire(wire, {
    domains,
    authentication: auth("HeaderBearerToken", {
      ...(credentialDomains === undefined ? {} : { networkDomain: credentialDomains }),
      ...(endpointAlone ? { requiresEndpointUrl: true } : {}),
    }),
    allowLoopback,
    ...(endpoint === undefined ? {} : { endpoint }),
  });

describe("The URL policy", () => {
  let wire: Wire;
  before(async () => {
    wire = await openWire();
  });
  after(() => wire.close());

  const refusals: (readonly [url: string, policy: UrlPolicy])[] = [];
  eachCase("network/cases/refused-urls.json", refused, ({ urls, policy = plain }) => {
    for (const url of urls) {
      refusals.push([url, policy]);
      it(`${JSON.stringify(url)}${policy === plain ? "" : ` with ${policy.endpoint ?? policy.domains.join()}`} is refused without a packet`, async () => {
        assert.equal(checkUrl(url, "GET", policy).allowed, false);
        await wire.reset();
        const { send, traces, platformDifferences } = brokerOf(wire, policy);
        for (const method of ["GET", "POST", "DELETE"]) {
          assert.match(failure(await send({ url, method })), /^Not sent: /);
          assert.deepEqual([wire.connections, wire.requests], [[], []]);
        }
        assert.ok(traces.length === 3 && traces.every((trace) => trace.failureReason !== undefined && trace.credentials.length === 0));
        assert.match(platformDifferences[0] ?? "", /platform refuses it too/);
      });
    }
  });
  it("the table has at least a hundred refusals", () => assert.ok(refusals.length >= 100, `${refusals.length}`));
  it("a server on this machine is allowed, with a note on the platform", async () => {
    const { send, platformDifferences } = onWire(wire, { domains: ["localhost", "127.0.0.1"], allowLoopback: true });
    await send({ url: "http://localhost:9081/" });
    assert.deepEqual(platformDifferences, [
      "localhost:9081 is this machine, which the platform cannot reach. Use the API's public address before you upload.",
    ]);
  });
  it("the command line's own fetch refuses them all without a packet", async () => {
    const own = await openFetch({});
    let requestCount = 0;
    const counted: Wire = {
      ...wire,
      fetch: (...call) => {
        requestCount++;
        return own.fetch(...call);
      },
    };
    for (const [url, policy] of refusals) assert.match(failure(await brokerOf(counted, policy).send({ url })), /^Not sent: /);
    assert.equal(requestCount, 0);
  });
  eachCase("network/cases/allowed-urls.json", allowed, ({ url, policy = plain, result, credentials }) => {
    it(`${url} is allowed ${credentials ? "with" : "without"} credentials`, async () => {
      const verdict = checkUrl(url, "GET", policy);
      assert.ok(verdict.allowed, JSON.stringify(verdict));
      assert.equal(verdict.url.href, result);
      assert.equal(verdict.credentials, credentials);
      await wire.reset();
      const { send, traces } = brokerOf(wire, policy);
      success(await send({ url }));
      const { host, pathname, search, protocol, port } = new URL(result);
      assert.deepEqual(
        wire.requests.map((request) => [request.host, request.path, request.headers.authorization]),
        [[host, `${pathname}${search}`, credentials ? `Bearer ${TOKEN}` : undefined]],
      );
      assert.deepEqual(wire.connections, [`${protocol}//${new URL(result).hostname}:${port}`]);
      assert.equal(traces[0]?.url, result);
    });
  });
  it("requests with credentials are bound to the account's endpoint, others to the declared domains", async () => {
    await wire.reset();
    const { send } = onWire(wire, { endpoint: "https://acme.good.com", authentication: auth("HeaderBearerToken") });
    assert.match(failure(await send({ url: "https://globex.good.com/x" })), /another host than the account's endpoint acme\.good\.com/);
    success(await send({ url: "https://globex.good.com/x", disableAuthentication: true }));
    assert.deepEqual(
      wire.requests.map((request) => [request.host, request.headers.authorization]),
      [["globex.good.com", undefined]],
    );
  });
  it("auth-spec 5.7.4: endpointDomain chooses the domain for credentials among several declared ones", async () => {
    await wire.reset();
    const { send } = onWire(wire, {
      authentication: auth("HeaderBearerToken", { requiresEndpointUrl: true, endpointDomain: "good.com" }),
      endpoint: "https://acme.good.com",
    });
    success(await send({ url: "/x" }));
    success(await send({ url: "https://other.com/x" }));
    assert.deepEqual(
      wire.requests.map((request) => request.headers.authorization),
      [`Bearer ${TOKEN}`, undefined],
    );
  });
  it("an endpoint does not replace a declared domain if endpointDomain is set", async () => {
    const authentication = auth("HeaderBearerToken", { requiresEndpointUrl: true, endpointDomain: "good.com" });
    const { send } = onWire(wire, { domains: [], authentication, endpoint: "https://acme.good.com" });
    assert.match(failure(await send({ url: "/x" })), /declares no network domain/);
  });
  it("the platform's file hosts are read-only", () => {
    assert.equal(checkUrl("https://codahosted.io/x", "POST", plain).allowed, false);
  });
  eachCase("network/cases/refused-redirects.json", z.string(), (location) => {
    it(`a redirect to ${location} is refused`, () => {
      assert.equal(checkRedirect(location, new URL("https://good.com/a"), "GET", plain).allowed, false);
    });
  });
  it("a redirect to another tenant is followed without credentials", () => {
    const verdict = checkRedirect("https://globex.good.com/x", new URL("https://acme.good.com/"), "GET", endpoint);
    assert.ok(verdict.allowed && !verdict.credentials);
  });
  it("a relative redirect on the same host is followed", () => {
    const verdict = checkRedirect("/b", new URL("https://good.com/a"), "GET", plain);
    assert.ok(verdict.allowed && verdict.url.href === "https://good.com/b");
  });
  it("no text reaches a host outside the declared domains", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((text) => `https://good.com${text}`),
          fc.string().map((text) => `https://${text}good.com`),
          fc
            .array(
              fc.constantFrom("https:", "http:", "/", "\\", "@", "good.com", "evil.com", ".", ":", "%2e", "#", "?", "\t", "。", "443"),
              { maxLength: 9 },
            )
            .map((parts) => parts.join("")),
        ),
        (text) => {
          const verdict = checkUrl(text, "GET", plain);
          if (!verdict.allowed) return;
          assert.match(verdict.url.hostname, /^(?:[^@/\\]+\.)?(?:good\.com|codahosted\.io)$/);
          assert.equal(verdict.url.protocol, "https:");
          assert.equal(verdict.url.username + verdict.url.port, "");
          // What is sent is what was judged.
          assert.equal(new URL(verdict.url.href).host, verdict.url.host);
        },
      ),
      { numRuns: RUNS },
    );
  }).timeout(PROPERTY_TIME);
  it("a missing https:// is named as the only problem", () => {
    const reasonOf = (url: string): string => {
      const verdict = checkUrl(url, "GET", { domains: ["good.com"] });
      return verdict.allowed ? "allowed" : verdict.reason;
    };
    for (const url of ["good.com/me", "https//good.com/me", "/me"])
      assert.equal(reasonOf(url), "the URL does not begin with https://, and the account has no endpoint to put before it");
    for (const url of ["https:/good.com/me", "https:good.com"]) assert.equal(reasonOf(url), "the URL has no // after https:");
    assert.equal(reasonOf("ws:good.com"), "ws: URLs are not fetched; only https:// is");
  });
  it("a relative URL stays under the endpoint's path", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc
            .array(fc.constantFrom("..", ".", "/", "\\", "%2e", "%2E%2e", "@evil.com", "evil.com", "//", "a", "?", "#", ";", ":"), {
              maxLength: 8,
            })
            .map((parts) => parts.join("")),
        ),
        (text) => {
          const verdict = checkUrl(text, "GET", { domains: ["good.com"], endpoint: "https://acme.good.com/base" });
          if (!verdict.allowed || /^https:/i.test(text)) return;
          assert.equal(verdict.url.origin, "https://acme.good.com");
          assert.match(verdict.url.pathname, /^\/base(\/|$)/);
        },
      ),
      { numRuns: RUNS },
    );
  }).timeout(PROPERTY_TIME);
});
