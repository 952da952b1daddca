// Pages of providers, in the shapes that differ: one host for all, a subdomain for each account, a whole host, an endpoint from the token.
import assert from "node:assert/strict";
import type { SetupOutcome } from "../../../../platform/setup/outcome.ts";
import { type ReaderContext, Unanswered } from "../../../../platform/setup/reader.ts";
import { providerProposals } from "../../../../platform/setup/readers/provider.ts";
import type { Proposal } from "../../../../protocol/setup.ts";
import type { ProviderPage } from "../../../../spec/provider-page.ts";
import { assertLegal, fieldsIn, setUp } from "../../../support/setup.ts";

const page = (more: Partial<ProviderPage>): ProviderPage => ({
  id: "acme",
  title: "Acme",
  domains: ["acme.example"],
  sources: [
    { kind: "documentation", read: "npm arctic@3.7.0", checked: "2026-11-28" },
    { kind: "documentation", read: "https://docs.acme.example/oauth", checked: "2026-11-28" },
  ],
  sourcesOf: { "oauth2.tokenUrl": [0, 1] },
  demands: {},
  accepts: {},
  disagreements: [],
  keys: [],
  sameHouse: [],
  ...more,
});

const OAUTH2 = { authorizationUrl: "https://acme.example/authorize", tokenUrl: "https://acme.example/token" };
const SUBDOMAIN_OAUTH2 = {
  authorizationUrl: "https://[subdomain].acme.example/oauth/authorize",
  tokenUrl: "https://[subdomain].acme.example/oauth/token",
};

/** Reads the page with the answers; throws {@link Unanswered} for any other question. */
function read(facts: Partial<ProviderPage>, answers: Readonly<Record<string, string>> = {}): SetupOutcome {
  const context = {
    choose(question) {
      const answer = answers[question.id];
      if (answer !== undefined && question.options.some(({ value }) => value === answer)) return answer;
      throw new Unanswered({ kind: "choice", ...question });
    },
    ask(question) {
      const answer = answers[question.id];
      if (answer !== undefined && question.problem(answer) === undefined) return answer;
      throw new Unanswered({ kind: "text", ...question });
    },
  } as Pick<ReaderContext, "choose" | "ask"> as ReaderContext;
  return providerProposals(page(facts), context);
}

function proposalOf(...arguments_: Parameters<typeof read>): Proposal {
  const outcome = read(...arguments_);
  assert.ok(outcome.kind === "proposal");
  assertLegal(outcome.proposal);
  return outcome.proposal;
}

const question =
  (id: string) =>
  (error: unknown): boolean =>
    error instanceof Unanswered && error.question.id === id;

describe("The provider reader", () => {
  it("a page with all facts gives each field with the source that says it", () => {
    const proposal = proposalOf(
      {
        oauth2: {
          ...OAUTH2,
          scopes: { "read:user": "Read the user", offline: "Stay signed in" },
          scopeDelimiter: ",",
          pkce: "required",
          clientAuthentication: "header",
          additionalParams: { prompt: "select_account" },
          refresh: {
            params: [
              { name: "access_type", value: "offline", without: "no refresh token" },
              { name: "prompt", value: "consent", without: "no refresh token" },
            ],
            scopes: ["offline"],
          },
          nestedResponseKey: "authed_user",
        },
        api: {
          url: "https://api.acme.example/v1",
          userUrl: "https://api.acme.example/v1/me",
          userMethod: "POST",
          userBody: '{"query":"{me{name}}"}',
          userName: "data.me.name",
          headers: { "Acme-Version": "2026-01-01" },
        },
        verification: "Acme reviews each application.",
        demands: {},
        accepts: {},
        disagreements: [{ fact: "oauth2.scopeDelimiter", value: "a space", sources: [1] }],
      },
      { scopes: "all" },
    );
    assert.deepEqual(fieldsIn(proposal), {
      ...OAUTH2,
      scopes: ["read:user", "offline"],
      scopeDelimiter: ",",
      useProofKeyForCodeExchange: true,
      credentialsLocation: "AuthorizationHeader",
      additionalParams: { access_type: "offline", prompt: "select_account consent" },
      nestedResponseKey: "authed_user",
    });
    assert.equal(proposal.fields.find(({ name }) => name === "tokenUrl")?.origin, "Acme's page: npm arctic@3.7.0");
    assert.equal(proposal.provider, "acme");
    assert.deepEqual(
      proposal.domains.map(({ domain }) => domain),
      ["acme.example"],
    );
    assert.deepEqual(proposal.userRequest?.namePath, ["data", "me", "name"]);
    assert.deepEqual(proposal.userRequest.headers, [
      { name: "Acme-Version", value: ["2026-01-01"] },
      { name: "Content-Type", value: ["application/json"] },
    ]);
    assert.equal(proposal.formula?.name, "GetUser");
    assert.deepEqual(proposal.remarks, [
      "Acme reviews each application.",
      "Another source says a space for oauth2.scopeDelimiter: https://docs.acme.example/oauth.",
    ]);
  });

  it("a page with several ways to authenticate asks for one, and each key has its type's fields", () => {
    const api = { url: "https://api.acme.example", userUrl: "https://api.acme.example/me", userName: "name" };
    const values = [{ name: "X-Id", description: "The ID." }];
    const keys: ProviderPage["keys"] = [
      { type: "HeaderBearerToken", name: "personal access token", createUrl: "https://acme.example/tokens" },
      { type: "CustomHeaderToken", name: "API key", headerName: "X-Api-Key", tokenPrefix: "Key" },
      { type: "QueryParamToken", name: "query key", paramName: "key" },
      { type: "WebBasic", name: "API token", username: "Email", password: "Token" },
      { type: "MultiHeaderToken", name: "ID and key", values },
      { type: "Custom", name: "tenant and key", values },
      { type: "CustomHeaderToken", name: "a key of an unknown header" },
    ];
    assert.throws(
      () => read({ oauth2: OAUTH2, keys, api }),
      (error) => {
        assert.ok(error instanceof Unanswered && error.question.kind === "choice");
        assert.deepEqual(
          error.question.options.map(({ value }) => value),
          ["oauth2", "key-0", "key-1", "key-2", "key-3", "key-4", "key-5"],
        );
        return true;
      },
    );
    const fields = keys.slice(0, 6).map((_, index) => fieldsIn(proposalOf({ oauth2: OAUTH2, keys, api }, { way: `key-${index}` })));
    assert.deepEqual(fields, [
      { instructionsUrl: "https://acme.example/tokens" },
      { headerName: "X-Api-Key", tokenPrefix: "Key" },
      { paramName: "key" },
      { uxConfig: { placeholderUsername: "Email", placeholderPassword: "Token" } },
      { headers: values },
      { params: values },
    ]);
    const custom = proposalOf({ keys, api }, { way: "key-5" });
    assert.equal(custom.userRequest, undefined);
    assert.match(custom.remarks.join(), /placeholders/);
  });

  it("addresses under a shared domain become the account's endpoint, with root-relative OAuth 2.0 URLs", () => {
    const api = {
      userUrl: "https://[subdomain].acme.example/api/me",
      userName: "user.name",
      endpoint: "your site, such as shop.acme.example",
    };
    const oauth2 = { ...SUBDOMAIN_OAUTH2, endpointKey: "site" };
    const proposal = proposalOf({ oauth2, api });
    assert.deepEqual(fieldsIn(proposal), {
      authorizationUrl: "/oauth/authorize",
      tokenUrl: "/oauth/token",
      requiresEndpointUrl: true,
      endpointDomain: "acme.example",
    });
    assert.deepEqual(proposal.userRequest?.url, [{ endpoint: true }, "/api/me"]);
    assert.deepEqual(
      proposal.domains.map(({ domain }) => domain),
      ["acme.example"],
    );
    const key = proposalOf({ keys: [{ type: "HeaderBearerToken", name: "token" }], api });
    assert.deepEqual(fieldsIn(key), { requiresEndpointUrl: true, endpointDomain: "acme.example" });
  });

  it("an endpoint of the token response keeps absolute URLs, as in the Packs SDK's sample for Salesforce", () => {
    const oauth2 = { ...OAUTH2, endpointKey: "instance_url" };
    const expected = { ...OAUTH2, endpointKey: "instance_url", requiresEndpointUrl: true };
    const proposal = proposalOf({ oauth2, api: { userUrl: "https://acme.example/userinfo", userName: "name" } });
    assert.deepEqual(fieldsIn(proposal), { ...expected, endpointDomain: "acme.example" });
    assert.equal(proposal.userRequest, undefined);
    const slotted = proposalOf({ oauth2, api: { userUrl: "https://[subdomain].my.acme.example/userinfo", userName: "name" } });
    assert.deepEqual(fieldsIn(slotted), { ...expected, endpointDomain: "my.acme.example" });
    assert.deepEqual(slotted.userRequest?.url, [{ endpoint: true }, "/userinfo"]);
  });

  it("an endpoint of the token response is under the domain of the API, if the page names that", () => {
    const oauth2 = { ...OAUTH2, endpointKey: "api_domain" };
    const proposal = proposalOf({ domains: ["acme.example", "acmeapis.example"], oauth2, api: { url: "https://www.acmeapis.example" } });
    assert.equal(fieldsIn(proposal).endpointDomain, "acmeapis.example");
    assert.deepEqual(
      proposal.domains.map(({ domain }) => domain),
      ["acmeapis.example"],
    );
  });

  it("a page for keys at each account's own host is no link for everybody", () => {
    const keys: ProviderPage["keys"] = [{ type: "HeaderBearerToken", name: "token", createUrl: "https://[subdomain].acme.example/keys" }];
    assert.equal(fieldsIn(proposalOf({ keys, api: { url: "https://api.acme.example" } })).instructionsUrl, undefined);
  });

  it("a whole host that differs is a question for OAuth 2.0, and the account's endpoint for a key", () => {
    const urls = { authorizationUrl: "https://[subdomain]/authorize", tokenUrl: "https://[subdomain]/token" };
    const api = { userUrl: "https://[subdomain]/me", userName: "name" };
    assert.throws(() => read({ domains: [], oauth2: urls, api }), question("subdomain"));
    assert.throws(() => read({ domains: [], oauth2: urls, api }, { subdomain: "no host" }), question("subdomain"));
    const proposal = proposalOf({ domains: [], oauth2: urls, api }, { subdomain: "https://git.acme.example/" });
    assert.equal(fieldsIn(proposal).tokenUrl, "https://git.acme.example/token");
    assert.deepEqual(proposal.userRequest?.url, ["https://git.acme.example/me"]);
    assert.deepEqual(
      proposal.domains.map(({ domain }) => domain),
      ["git.acme.example"],
    );
    const key = proposalOf({ domains: [], keys: [{ type: "HeaderBearerToken", name: "token" }], api });
    assert.deepEqual(fieldsIn(key), { requiresEndpointUrl: true });
    assert.deepEqual(key.domains, []);
  });

  it("addresses that cannot be one endpoint ask for the account's part", () => {
    const tenant = {
      authorizationUrl: "https://login.acme.example/[subdomain]/authorize",
      tokenUrl: "https://login.acme.example/[subdomain]/token",
    };
    const mixed = { authorizationUrl: "https://[subdomain].acme.example/authorize", tokenUrl: "https://acme.example/token" };
    const api = { url: "https://api.acme.example" };
    for (const oauth2 of [tenant, mixed]) {
      assert.throws(() => read({ oauth2, api }, { subdomain: "a/b" }), question("subdomain"));
      const proposal = proposalOf({ oauth2, api }, { subdomain: "shop" });
      assert.equal(fieldsIn(proposal).authorizationUrl, oauth2.authorizationUrl.replace("[subdomain]", "shop"));
      assert.equal(fieldsIn(proposal).requiresEndpointUrl, undefined);
    }
  });

  it("a page without the API's address asks for its host", () => {
    assert.throws(() => read({ oauth2: OAUTH2 }), question("api-host"));
    const proposal = proposalOf({ oauth2: OAUTH2 }, { "api-host": "https://api.acme.example/v2" });
    assert.deepEqual(proposal.domains, [{ domain: "api.acme.example", origin: "your answer" }]);
    assert.equal(proposal.formula, undefined);
  });

  it("scopes for refresh tokens are added to any choice, unless all are the default", () => {
    const api = { url: "https://api.acme.example" };
    const oauth2 = { ...OAUTH2, scopes: { read: "Read" }, refresh: { scopes: ["offline"] } };
    const scopesOf = (facts: typeof oauth2 & { refresh: { allByDefault?: boolean } }, scopes: string) =>
      fieldsIn(proposalOf({ oauth2: facts, api }, { scopes })).scopes;
    assert.deepEqual(scopesOf(oauth2, "least"), ["offline"]);
    assert.deepEqual(scopesOf(oauth2, "scope read"), ["read", "offline"]);
    const byDefault = { ...oauth2, refresh: { scopes: ["offline"], allByDefault: true } };
    assert.equal(scopesOf(byDefault, "least"), undefined);
    assert.deepEqual(scopesOf(byDefault, "all"), ["read", "offline"]);
  });

  it("a page that does not say how to authenticate, and a name without a page, are refused", async () => {
    assert.throws(() => read({}), /does not say how packs authenticate/);
    const { error } = await setUp({ kind: "provider", text: "no-provider-of-that-name" });
    assert.match(error?.message ?? "", /no page for a provider of that name/);
  });
});
