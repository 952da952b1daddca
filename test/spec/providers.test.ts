// The provider catalogue: complete, usable as URLs, found by host, and never a guess where a host is not known.
import assert from "node:assert/strict";
import {
  isScopeGranted,
  PROVIDERS,
  providersOfHost,
  REFRESH_TOKEN_ASKS,
  refreshTokenAsk,
  SAME_HOUSE,
  SCOPE_SPELLINGS,
  SUBDOMAIN_SLOT,
} from "../../spec/providers.ts";

const ids = (host: string): readonly string[] => providersOfHost(host).map(({ id }) => id);

describe("provider catalogue", () => {
  it("the catalogue has grant's providers, each with a title and two https URLs", () => {
    assert.ok(PROVIDERS.length >= 191, `${PROVIDERS.length} providers`);
    assert.equal(new Set(PROVIDERS.map(({ id }) => id)).size, PROVIDERS.length);
    for (const { id, title, authorizationUrl, tokenUrl } of PROVIDERS) {
      assert.match(title, /^\S.*\S$|^\S$/, id);
      for (const url of [authorizationUrl, tokenUrl]) {
        const filled = url.replaceAll(SUBDOMAIN_SLOT, "acme");
        assert.equal(new URL(filled).protocol, "https:", url);
        assert.doesNotMatch(filled, /[[\]]/, url);
      }
    }
  });

  it("a delimiter is listed only where its provider documents it", () => {
    assert.equal(PROVIDERS.find(({ id }) => id === "google")?.scopeDelimiter, " ");
    assert.equal(PROVIDERS.find(({ id }) => id === "github")?.scopeDelimiter, undefined);
    assert.equal(PROVIDERS.find(({ id }) => id === "unsplash")?.scopeDelimiter, undefined);
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
    const titleOfUrl = (url: string): string | undefined => refreshTokenAsk(new URL(url).host, url)?.title;
    assert.equal(titleOfUrl("https://accounts.google.com/o/oauth2/v2/auth"), "Google");
    assert.equal(titleOfUrl("https://login.microsoftonline.com/common/oauth2/v2.0/authorize"), "Microsoft");
    assert.equal(titleOfUrl("https://login.microsoftonline.com/common/oauth2/authorize"), undefined);
    assert.equal(titleOfUrl("https://acme.auth0.com/authorize"), "Auth0");
    assert.equal(titleOfUrl("https://auth0.com/authorize"), undefined);
    assert.equal(titleOfUrl("https://www.dropbox.com/oauth2/authorize"), "Dropbox");
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
    for (const { source } of SCOPE_SPELLINGS) assert.match(source, /^https:\/\//);
  });

  it("a provider's needs are found for each of its data centers", () => {
    const titleOfHost = (host: string): string | undefined => refreshTokenAsk(host, `https://${host}/oauth2/v2.0/authorize`)?.title;
    for (const domain of ["zoho.com", "zoho.com.cn", "zohocloud.ca", "zoho.sa", "zoho.uk"])
      assert.equal(titleOfHost(`accounts.${domain}`), "Zoho", domain);
    for (const host of ["login.microsoftonline.us", "login.partner.microsoftonline.cn"]) assert.equal(titleOfHost(host), "Microsoft", host);
    for (const domain of ["oktapreview.com", "okta-emea.com", "okta-gov.com", "okta.mil"])
      assert.equal(titleOfHost(`acme.${domain}`), "Okta", domain);
    assert.equal(titleOfHost("accounts.zoho.example"), undefined);
  });

  it("related providers are in the catalogue, and every need has a documentation", () => {
    const providerIds = new Set(PROVIDERS.map(({ id }) => id));
    assert.deepEqual(
      SAME_HOUSE.flat().filter((id) => !providerIds.has(id)),
      [],
    );
    for (const ask of REFRESH_TOKEN_ASKS) {
      assert.match(ask.source, /^https:\/\//);
      assert.ok((ask.params ?? ask.scopes ?? []).length > 0, ask.title);
    }
  });
});
