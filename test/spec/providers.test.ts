// The pages of providers: complete, usable as URLs, found by host, and never a guess where a host is not known.
import assert from "node:assert/strict";
import { sourceAddress } from "../../spec/provider-readings.ts";
import {
  areOfOneHouse,
  isScopeGranted,
  oauth2Providers,
  providerById,
  providerOf,
  providerPages,
  providersOfHost,
  refreshTokenAsk,
  SUBDOMAIN_SLOT,
  unmetDemands,
} from "../../spec/providers.ts";

const ids = (host: string): readonly string[] => providersOfHost(host).map(({ id }) => id);

describe("provider pages", () => {
  it("each page has a title, and two https URLs if the provider has OAuth 2.0", () => {
    assert.ok(providerPages().length >= 130, `${providerPages().length} pages`);
    assert.equal(new Set(providerPages().map(({ id }) => id)).size, providerPages().length);
    for (const { id, title } of providerPages()) assert.match(title, /^\S.*\S$|^\S$/, id);
    for (const { oauth2 } of oauth2Providers())
      for (const url of [oauth2.authorizationUrl, oauth2.tokenUrl]) {
        const filled = url.replaceAll(SUBDOMAIN_SLOT, "acme");
        assert.equal(new URL(filled).protocol, "https:", url);
        assert.doesNotMatch(filled, /[[\]]/, url);
      }
  });

  it("a demand is known where a documentation says it in its own words, and not from usage", () => {
    const fields = (authorizationUrl: string, scopes = ["a", "b"]) => {
      const page = providerOf({ authorizationUrl });
      return page && unmetDemands(page, { scopes }).map(({ field }) => field);
    };
    assert.deepEqual(fields("https://x.com/i/oauth2/authorize"), ["useProofKeyForCodeExchange"]);
    assert.deepEqual(fields("https://linear.app/oauth/authorize"), ["scopeDelimiter"]);
    assert.deepEqual(fields("https://linear.app/oauth/authorize", ["a"]), []);
    assert.deepEqual(fields("https://slack.com/oauth/v2/authorize"), []);
    assert.deepEqual(fields("https://accounts.google.com/o/oauth2/v2/auth"), []);
    assert.equal(fields("https://example.com/authorize"), undefined);
  });

  it("a root-relative URL finds its provider by the endpoint's domain", () => {
    const address = { authorizationUrl: "/admin/oauth/authorize", endpointDomain: "myshopify.com" };
    assert.equal(providerOf(address)?.id, "shopify");
    assert.equal(providerOf({ authorizationUrl: address.authorizationUrl }), undefined);
  });

  it("a provider that only tables have is recognised by its hosts, and not offered", () => {
    assert.deepEqual(ids("api.23andme.com"), ["23andme"]);
    assert.equal(providerById("23andme"), undefined);
    assert.ok(!providerPages().some(({ id }) => id === "23andme"));
  });

  it("a provider is found by either URL's host, and by a host with a slot", () => {
    assert.deepEqual(ids("accounts.google.com"), ["google"]);
    assert.deepEqual(ids("oauth2.googleapis.com"), ["google"]);
    assert.deepEqual(ids("acme.zendesk.com"), ["zendesk"]);
    assert.deepEqual(ids("app.todoist.com"), ["todoist"]);
  });

  it("no provider is found by unknown hosts, similar ends, or a slot as whole host", () => {
    for (const host of ["example.com", "notgoogle.com", "google.com.example.org", "login.acme.io", ""])
      assert.deepEqual(ids(host), [], host);
  });

  it("the needs of a provider are found by the host of its authorization URL", () => {
    /** Microsoft renames its service more often than its hosts. */
    const titleOfUrl = (url: string) => refreshTokenAsk({ authorizationUrl: url })?.title.replace(" Entra ID", "");
    assert.equal(titleOfUrl("https://accounts.google.com/o/oauth2/v2/auth"), "Google");
    assert.equal(titleOfUrl("https://login.microsoftonline.com/common/oauth2/v2.0/authorize"), "Microsoft");
    assert.equal(titleOfUrl("https://login.microsoftonline.com/common/oauth2/authorize"), undefined);
    assert.equal(titleOfUrl("https://acme.auth0.com/authorize"), "Auth0");
    assert.equal(titleOfUrl("https://auth0.com/authorize"), undefined);
    assert.equal(titleOfUrl("https://www.dropbox.com/oauth2/authorize"), "Dropbox");
    assert.equal(titleOfUrl("https://www.reddit.com/api/v1/authorize"), "Reddit");
    assert.equal(titleOfUrl("https://login.live.com/oauth20_authorize.srf"), "Microsoft Live");
    assert.equal(titleOfUrl("https://auth.atlassian.com/authorize"), "Atlassian");
    assert.equal(titleOfUrl("https://x.com/i/oauth2/authorize"), "X (Twitter)");
    assert.equal(titleOfUrl("https://acme.my.salesforce.com/services/oauth2/authorize"), undefined);
    assert.equal(titleOfUrl("https://github.com/login/oauth/authorize"), undefined);
  });

  it("a scope granted under another spelling counts as granted, and no other scope does", () => {
    for (const [scope, grantedScope, isGranted] of [
      ["email", "https://www.googleapis.com/auth/userinfo.email", true],
      ["https://www.googleapis.com/auth/userinfo.profile", "profile", true],
      ["User.Read", "https://graph.microsoft.com/User.Read", true],
      ["https://graph.microsoft.com/mail.read", "Mail.Read", true],
      ["user.read", "User.Read", true],
      ["email", "https://www.googleapis.com/auth/userinfo.profile", false],
      ["read", "read:all", false],
      ["https://outlook.office.com/Mail.Read", "Mail.Read", false],
    ] as const)
      assert.equal(isScopeGranted(scope, ["openid", grantedScope]), isGranted, `${scope}, granted as ${grantedScope}`);
  });

  it("a provider's needs are found for each of its data centers", () => {
    const titleOfHost = (host: string): string | undefined =>
      refreshTokenAsk({ authorizationUrl: `https://${host}/oauth2/v2.0/authorize` })?.title.replace(" Entra ID", "");
    for (const domain of ["zoho.com", "zoho.com.cn", "zohocloud.ca", "zoho.sa", "zoho.uk"])
      assert.equal(titleOfHost(`accounts.${domain}`), "Zoho", domain);
    for (const host of ["login.microsoftonline.us", "login.partner.microsoftonline.cn"]) assert.equal(titleOfHost(host), "Microsoft", host);
    for (const domain of ["oktapreview.com", "okta-emea.com", "okta-gov.com", "okta.mil"])
      assert.equal(titleOfHost(`acme.${domain}`), "Okta", domain);
    assert.equal(titleOfHost("accounts.zoho.example"), undefined);
  });

  it("providers of one house are related in both directions, and others are not", () => {
    const related = (one: string, other: string): boolean => {
      const [a, b] = [providerById(one), providerById(other)];
      return a !== undefined && b !== undefined && areOfOneHouse(a, b);
    };
    assert.ok(related("atlassian", "bitbucket") && related("bitbucket", "atlassian") && related("github", "github"));
    assert.ok(!related("google", "github"));
  });

  it("a source that was read has an address, also a file of a repository and a package", () => {
    const address = (read: string): string => sourceAddress({ read });
    assert.equal(address("https://docs.acme.example/oauth (the table)"), "https://docs.acme.example/oauth");
    assert.equal(
      address("github acme/docs@0a1b2c docs/oauth.md, docs/scopes.md"),
      "https://github.com/acme/docs/blob/0a1b2c/docs/oauth.md",
    );
    assert.equal(address("acme/docs@0a1b2c docs/oauth.md"), "https://github.com/acme/docs/blob/0a1b2c/docs/oauth.md");
    assert.equal(address("npm @acme/sdk@1.2.3 dist/oauth.js"), "https://www.npmjs.com/package/@acme/sdk/v/1.2.3");
    assert.equal(address("a book"), "a book");
  });

  it("every need of a provider names its documentation", () => {
    const needs = oauth2Providers().flatMap(({ oauth2: { hosts = [], path = "", authorizationUrl } }) =>
      [authorizationUrl.replaceAll(SUBDOMAIN_SLOT, "acme"), ...hosts.map((host) => `https://${host.replace("*", "acme")}${path}`)].flatMap(
        (url) => refreshTokenAsk({ authorizationUrl: url }) ?? [],
      ),
    );
    assert.ok(needs.length >= 25, `${needs.length} needs`);
    for (const { title, source, params, scopes } of needs) {
      assert.notEqual(source, "", title);
      assert.ok((params ?? scopes ?? []).length > 0, title);
    }
  });
});
