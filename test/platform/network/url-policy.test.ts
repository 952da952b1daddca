// Which URLs may be fetched, and which get credentials. Every refusal is tried through the broker too, on a wire that every host
// name leads to: not one packet leaves.
import assert from "node:assert/strict";
import fc from "fast-check";
import { openFetch } from "../../../cli/terminal/fetch.ts";
import { checkRedirect, checkUrl, type UrlPolicy } from "../../../platform/network/url-policy.ts";
import { auth, failure, onWire, success, TOKEN } from "../../support/broker.ts";
import { PROPERTY_TIME, RUNS } from "../../support/runs.ts";
import { openWire, type Wire } from "../../support/wire.ts";

const plain: UrlPolicy = { domains: ["good.com"] };
const endpoint: UrlPolicy = { domains: ["good.com", "other.com"], endpoint: "https://acme.good.com/base" };
const typed: UrlPolicy = { domains: [], endpoint: "https://mine.example", endpointAlone: true };
const chosen: UrlPolicy = { domains: [], endpoint: "https://mine.example" };
const foreign: UrlPolicy = { domains: ["good.com"], endpoint: "https://mine.example" };
const local: UrlPolicy = { domains: ["localhost", "127.0.0.1"], allowLoopback: true };

const REFUSED_URLS: readonly (readonly [string, UrlPolicy])[] = [
  ...[
    "https://evil.com",
    "https://evil.com/?good.com",
    "https://evil.com/#good.com",
    "https://evil.com/good.com",
    "https://good.com@evil.com",
    "https://good.com:pw@evil.com/",
    "https://user@good.com/",
    "https://@good.com/",
    "https://evilgood.com",
    "https://good.com.evil.com",
    "https://good.com\\.evil.com",
    "https:\\\\good.com",
    "https://evil.com\\@good.com",
    "https://go\tod.com",
    "https://good.com\n",
    "https://good.com\r\nHost: x",
    " https://good.com",
    "https://good.com ",
    "https://g%6fod.com",
    "https://good%2ecom",
    "https://gооd.com",
    "https://good。com.evil.com",
    "http://good.com",
    "https://good.com:8443",
    "https://127.0.0.1",
    "https://2130706433",
    "https://0x7f000001",
    "https://0177.0.0.1",
    "https://[::1]",
    "https://[::ffff:127.0.0.1]",
    "https://169.254.169.254/latest/meta-data",
    "https://localhost",
    "file:///etc/passwd",
    "data:text/plain,x",
    "javascript:alert(1)",
    "ftp://good.com",
    "ws://good.com",
    "blob:https://good.com/x",
    "",
    "//good.com",
    "/relative",
    "relative",
    "good.com",
    "https://",
    "https:///good.com",
    "https:good.com",
    "https:good.com/https://good.com",
    "https://good.com.",
    "https://.good.com",
    "https://good..com",
    "https://codahosted.io.evil.com/x",
    "https://evilcodahosted.io/x",
    "HTTPS://EVIL.com",
    "https://good.com\u0000",
    "https://[good.com]",
    "https://good.com:443@evil.com",
    "https://good.com%00.evil.com",
    "https://good.com%2f@evil.com",
    "https://good.com?@evil.com\\",
    "https://evil.com#.good.com",
    "https://evil.com?.good.com",
    "https://evil.com;good.com",
    "https://good.com,evil.com",
    "https://good.com.",
    "https://good.com\u2028",
    "https://1.1.1.1",
    "https://3232235777",
    "https://0xc0.0xa8.0x01.0x01",
    "https://[fd00::1]",
    "https://[::ffff:a9fe:a9fe]",
    "https://coda-us-west-2-prod-blobs-upload.s3.us-west-2.amazonaws.com.evil.com/x",
    "https://evil-coda-us-west-2-prod-blobs-upload.s3.us-west-2.amazonaws.com/x",
    "https:/good.com",
    "https:\u002f\u002f\u002fgood.com",
    "\u0000https://good.com",
    "about:blank",
    "mailto:x@good.com",
  ].map((url) => [url, plain] as const),
  ...[
    "//evil.com",
    "/\\evil.com",
    "\\\\evil.com",
    "../x",
    "/../../x",
    "%2e%2e/%2e%2e/x",
    "/a/../../x",
    "https://acme.good.com.evil.com",
    "https://evil.com/",
    "http://acme.good.com/base",
    "https://acme.good.com:444/base",
    "https://tenant.elsewhere.com/base",
    "https://globex.good.com/x",
    "https://good.com/x",
    "https://10.0.0.1/x",
    "..",
    "%2E%2E",
    ".%2e/x",
    "a/%2e%2e/%2e%2e/x",
    "users:search",
    "",
  ].map((url) => [url, endpoint] as const),
  ...["https://other.example", "https://mine.example.evil.com", "//evil", "http://mine.example/x", "https://sub.mine.example/x"].map(
    (url) => [url, typed] as const,
  ),
  ...["https://evil.com", "http://10.0.0.1", "http://localhost.evil.com", "ftp://localhost"].map((url) => [url, local] as const),
  ["http://localhost:3000", { domains: ["localhost"] }],
  ["https://localhost:3000", { domains: ["localhost"] }],
  ["http://127.0.0.1:3000", { domains: ["good.com"], endpoint: "http://127.0.0.1:3000", allowLoopback: true }],
  ["http://good.com", { domains: ["good.com"], allowLoopback: true }],
  ["https://good.com:444", { domains: ["good.com"], allowLoopback: true }],
  ["https://10.0.0.1", { domains: ["10.0.0.1"], allowLoopback: true }],
  ["https://[fd00::1]", { domains: ["[fd00::1]"] }],
  ["/x", chosen],
  ["https://mine.example/x", chosen],
  ["/x", foreign],
  ["/x", { ...foreign, endpointAlone: true }],
  ["/x", { domains: ["good.com"], endpoint: "http://acme.good.com" }],
  ["/x", { domains: ["good.com"], endpoint: "not a URL" }],
  ["https://x", { domains: ["", "*.com", "com/"] }],
  ["https://x.", { domains: [""] }],
];

const ALLOWED: readonly (readonly [string, UrlPolicy, string, boolean])[] = [
  ["https://good.com", plain, "https://good.com/", true],
  ["https://good.com:443/x", plain, "https://good.com/x", true],
  ["https://api.good.com/x?y=1#z", plain, "https://api.good.com/x?y=1#z", true],
  ["HTTPS://GOOD.COM/X", plain, "https://good.com/X", true],
  ["https://ｇｏｏｄ.com/", plain, "https://good.com/", true],
  ["https://good.com/@evil.com", plain, "https://good.com/@evil.com", true],
  ["https://good.com#@evil.com:8443", plain, "https://good.com/#@evil.com:8443", true],
  ["https://codahosted.io/file", plain, "https://codahosted.io/file", false],
  ["https://cdn.codahosted.io/file", plain, "https://cdn.codahosted.io/file", false],
  ["https://good.com/x", { domains: ["good.com", "cdn.com"], credentialDomains: ["cdn.com", "good.com"] }, "https://good.com/x", true],
  ["https://cdn.com/x", { domains: ["good.com", "cdn.com"], credentialDomains: ["good.com"] }, "https://cdn.com/x", false],
  ["/tasks", endpoint, "https://acme.good.com/base/tasks", true],
  ["tasks", endpoint, "https://acme.good.com/base/tasks", true],
  ["?page=2", endpoint, "https://acme.good.com/base?page=2", true],
  ["/go?to=https://evil.com", endpoint, "https://acme.good.com/base/go?to=https://evil.com", true],
  ["@evil", endpoint, "https://acme.good.com/base/@evil", true],
  [".evil.com", endpoint, "https://acme.good.com/base/.evil.com", true],
  ["a/../b", endpoint, "https://acme.good.com/base/b", true],
  ["https://acme.good.com/elsewhere", endpoint, "https://acme.good.com/elsewhere", true],
  ["https://other.com/x", endpoint, "https://other.com/x", false],
  ["https://api.good.com/x", { ...endpoint, domains: ["good.com", "api.good.com"] }, "https://api.good.com/x", false],
  [
    "https://coda-us-west-2-prod-blobs-upload.s3.us-west-2.amazonaws.com/x",
    plain,
    "https://coda-us-west-2-prod-blobs-upload.s3.us-west-2.amazonaws.com/x",
    false,
  ],
  ["https://codahosted.io/x", { domains: ["codahosted.io"] }, "https://codahosted.io/x", false],
  ["https://localhost/x", { domains: ["localhost"] }, "https://localhost/x", true],
  ["/x", typed, "https://mine.example/x", true],
  ["https://mine.example/x", typed, "https://mine.example/x", true],
  ["http://localhost:3000/x", local, "http://localhost:3000/x", true],
  ["http://127.0.0.1:8080/x", local, "http://127.0.0.1:8080/x", true],
];

describe("The URL policy", () => {
  let wire: Wire;
  before(async () => {
    wire = await openWire();
  });
  after(() => wire.close());

  it("the table has at least a hundred refusals", () => assert.ok(REFUSED_URLS.length >= 100, `${REFUSED_URLS.length}`));
  for (const [url, policy] of REFUSED_URLS) {
    it(`${JSON.stringify(url)}${policy === plain ? "" : ` with ${policy.endpoint ?? policy.domains.join()}`} is refused without a packet`, async () => {
      assert.equal(checkUrl(url, "GET", policy).allowed, false);
      await wire.reset();
      const { send, traces, platformDifferences } = onWire(wire, {
        domains: policy.domains,
        authentication: auth("HeaderBearerToken", policy.endpointAlone === true ? { requiresEndpointUrl: true } : {}),
        allowLoopback: policy.allowLoopback === true,
        ...(policy.endpoint === undefined ? {} : { endpoint: policy.endpoint }),
      });
      for (const method of ["GET", "POST", "DELETE"]) {
        assert.match(failure(await send({ url, method })), /^Not sent: /);
        assert.deepEqual([wire.connections, wire.requests], [[], []]);
      }
      assert.ok(traces.length === 3 && traces.every((trace) => trace.failureReason !== undefined && trace.credentials.length === 0));
      assert.match(platformDifferences[0] ?? "", /platform refuses it too/);
    });
  }
  it("a server on this machine is allowed, with a note on the platform", async () => {
    const { send, platformDifferences } = onWire(wire, { domains: local.domains, allowLoopback: true });
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
    for (const [url, policy] of REFUSED_URLS) {
      const { send } = onWire(counted, {
        domains: policy.domains,
        authentication: auth("HeaderBearerToken", policy.endpointAlone === true ? { requiresEndpointUrl: true } : {}),
        allowLoopback: policy.allowLoopback === true,
        ...(policy.endpoint === undefined ? {} : { endpoint: policy.endpoint }),
      });
      assert.match(failure(await send({ url })), /^Not sent: /);
    }
    assert.equal(requestCount, 0);
  });
  for (const [url, policy, result, credentials] of ALLOWED) {
    it(`${url} is allowed ${credentials ? "with" : "without"} credentials`, async () => {
      const verdict = checkUrl(url, "GET", policy);
      assert.ok(verdict.allowed, JSON.stringify(verdict));
      assert.equal(verdict.url.href, result);
      assert.equal(verdict.credentials, credentials);
      await wire.reset();
      const { credentialDomains } = policy;
      const { send, traces } = onWire(wire, {
        domains: policy.domains,
        authentication: auth("HeaderBearerToken", {
          ...(credentialDomains === undefined ? {} : { networkDomain: credentialDomains }),
          ...(policy.endpointAlone === true ? { requiresEndpointUrl: true } : {}),
        }),
        allowLoopback: policy.allowLoopback === true,
        ...(policy.endpoint === undefined ? {} : { endpoint: policy.endpoint }),
      });
      success(await send({ url }));
      const { host, pathname, search, protocol, port } = new URL(result);
      assert.deepEqual(
        wire.requests.map((request) => [request.host, request.path, request.headers.authorization]),
        [[host, `${pathname}${search}`, credentials ? `Bearer ${TOKEN}` : undefined]],
      );
      assert.deepEqual(wire.connections, [`${protocol}//${new URL(result).hostname}:${port}`]);
      assert.equal(traces[0]?.url, result);
    });
  }
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
  for (const location of [
    "https://evil.com",
    "//evil.com",
    "http://good.com",
    "file:///etc/passwd",
    "https://good.com@evil.com",
    "https://:password@good.com",
    "\\\\evil.com",
    "https://good.com:99",
  ]) {
    it(`a redirect to ${location} is refused`, () => {
      assert.equal(checkRedirect(location, new URL("https://good.com/a"), "GET", plain).allowed, false);
    });
  }
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
