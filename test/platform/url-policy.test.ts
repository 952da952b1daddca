// Which URLs may be fetched, and which get credentials: the table of security.md 2, judged before any packet.
import assert from "node:assert/strict";
import fc from "fast-check";
import { checkRedirect, checkUrl, isPrivateAddress, type UrlPolicy } from "../../platform/url-policy.ts";

const plain: UrlPolicy = { domains: ["good.com"] };
const endpoint: UrlPolicy = { domains: ["good.com", "other.com"], endpoint: "https://acme.good.com/base" };
const typed: UrlPolicy = { domains: [], endpoint: "https://mine.example" };
const local: UrlPolicy = { domains: ["localhost", "127.0.0.1"], allowLoopback: true };

const REFUSED: readonly (readonly [string, UrlPolicy])[] = [
  ...[
    "https://evil.com",
    "https://evil.com/?good.com",
    "https://evil.com/#good.com",
    "https://evil.com/good.com",
    "https://good.com@evil.com",
    "https://good.com:pw@evil.com/",
    "https://user@good.com/",
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
    "https://good.com.",
    "https://.good.com",
    "https://good..com",
    "https://codahosted.io.evil.com/x",
    "https://evilcodahosted.io/x",
    "HTTPS://EVIL.com",
    "https://good.com\u0000",
    "https://[good.com]",
    "https://good.com:443@evil.com",
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
  ].map((url) => [url, endpoint] as const),
  ...["https://other.example", "https://mine.example.evil.com", "//evil", "http://mine.example/x", "https://sub.mine.example/x"].map(
    (url) => [url, typed] as const,
  ),
  ...["https://evil.com", "http://10.0.0.1", "http://localhost.evil.com", "ftp://localhost"].map((url) => [url, local] as const),
  ["http://localhost:3000", { domains: ["localhost"] }],
  ["https://x", { domains: ["", "*.com", "com/"] }],
];

const ALLOWED: readonly (readonly [string, UrlPolicy, string, boolean])[] = [
  ["https://good.com", plain, "https://good.com/", true],
  ["https://good.com:443/x", plain, "https://good.com/x", true],
  ["https://api.good.com/x?y=1#z", plain, "https://api.good.com/x?y=1#z", true],
  ["HTTPS://GOOD.COM/X", plain, "https://good.com/X", true],
  ["https://ｇｏｏｄ.com/", plain, "https://good.com/", true],
  ["https://good.com/@evil.com", plain, "https://good.com/@evil.com", true],
  ["https://codahosted.io/file", plain, "https://codahosted.io/file", false],
  ["https://cdn.codahosted.io/file", plain, "https://cdn.codahosted.io/file", false],
  ["https://good.com/x", { domains: ["good.com", "cdn.com"], credentialDomains: ["good.com"] }, "https://good.com/x", true],
  ["https://cdn.com/x", { domains: ["good.com", "cdn.com"], credentialDomains: ["good.com"] }, "https://cdn.com/x", false],
  ["/tasks", endpoint, "https://acme.good.com/base/tasks", true],
  ["tasks", endpoint, "https://acme.good.com/base/tasks", true],
  ["?page=2", endpoint, "https://acme.good.com/base?page=2", true],
  ["@evil", endpoint, "https://acme.good.com/base/@evil", true],
  [".evil.com", endpoint, "https://acme.good.com/base/.evil.com", true],
  ["a/../b", endpoint, "https://acme.good.com/base/b", true],
  ["https://acme.good.com/elsewhere", endpoint, "https://acme.good.com/elsewhere", true],
  ["https://other.com/x", endpoint, "https://other.com/x", false],
  ["https://globex.good.com/x", endpoint, "https://globex.good.com/x", false],
  ["/x", typed, "https://mine.example/x", true],
  ["https://mine.example/x", typed, "https://mine.example/x", true],
  ["http://localhost:3000/x", local, "http://localhost:3000/x", true],
  ["http://127.0.0.1:8080/x", local, "http://127.0.0.1:8080/x", true],
];

describe("URL policy", () => {
  for (const [url, policy] of REFUSED) {
    it(`refuses ${JSON.stringify(url)}${policy === plain ? "" : ` with ${policy.endpoint ?? policy.domains.join()}`}`, () => {
      assert.equal(checkUrl(url, "GET", policy).allowed, false);
    });
  }
  for (const [url, policy, result, credentials] of ALLOWED) {
    it(`allows ${url} ${credentials ? "with" : "without"} credentials`, () => {
      const verdict = checkUrl(url, "GET", policy);
      assert.ok(verdict.allowed, JSON.stringify(verdict));
      assert.equal(verdict.url.href, result);
      assert.equal(verdict.credentials, credentials);
    });
  }
  it("lets the platform's file hosts be read only", () => {
    assert.equal(checkUrl("https://codahosted.io/x", "POST", plain).allowed, false);
  });
  for (const location of [
    "https://evil.com",
    "//evil.com",
    "http://good.com",
    "file:///etc/passwd",
    "https://good.com@evil.com",
    "\\\\evil.com",
    "https://good.com:99",
  ]) {
    it(`refuses a redirect to ${location}`, () => {
      assert.equal(checkRedirect(location, new URL("https://good.com/a"), "GET", plain).allowed, false);
    });
  }
  it("follows a relative redirect on the same host", () => {
    const verdict = checkRedirect("/b", new URL("https://good.com/a"), "GET", plain);
    assert.ok(verdict.allowed && verdict.url.href === "https://good.com/b");
  });
  it("knows private addresses", () => {
    for (const address of [
      "127.0.0.1",
      "10.1.2.3",
      "172.16.0.1",
      "192.168.1.1",
      "169.254.169.254",
      "100.64.0.1",
      "0.0.0.0",
      "224.0.0.1",
      "::1",
      "fe80::1",
      "fd00::1",
      "::ffff:10.0.0.1",
    ])
      assert.ok(isPrivateAddress(address), address);
    for (const address of ["8.8.8.8", "172.32.0.1", "2606:4700::1111"]) assert.ok(!isPrivateAddress(address), address);
  });
  it("never lets a host through that is not under a declared domain, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((text) => `https://good.com${text}`),
          fc.string().map((text) => `https://${text}good.com`),
        ),
        (text) => {
          const verdict = checkUrl(text, "GET", plain);
          if (!verdict.allowed) return;
          assert.match(verdict.url.hostname, /^(?:[^@/\\]+\.)?(?:good\.com|codahosted\.io)$/);
          assert.equal(verdict.url.protocol, "https:");
          assert.equal(verdict.url.username, "");
        },
      ),
      { numRuns: 10_000 },
    );
  });
});
