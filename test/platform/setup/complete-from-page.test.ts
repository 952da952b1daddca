// What the page of a provider adds to a proposal, and where it must not: evidence and page agree on the credential, or the evidence is alone.
import assert from "node:assert/strict";
import { completeFromPage } from "../../../platform/setup/complete-from-page.ts";
import { readCurl } from "../../../platform/setup/readers/curl.ts";
import type { Proposal } from "../../../protocol/setup.ts";
import { oauth2Providers, providerPages } from "../../../spec/providers.ts";
import { assertLegal, fieldsIn } from "../../support/setup.ts";
import { proposalOf, readEvidence } from "./readers/read-evidence.ts";

async function fromCurl(command: string, answers: Readonly<Record<string, string>> = {}): Promise<Proposal> {
  const proposal = proposalOf(await readEvidence(readCurl, command, answers));
  assertLegal(proposal);
  return proposal;
}

const urlOf = (request: Proposal["userRequest"]) => request?.url;

describe("The page of a provider", () => {
  it("a key that the page has too gets the request that names the user", async () => {
    const proposal = await fromCurl("curl https://app.asana.com/api/1.0/workspaces -H 'Authorization: Bearer $TOKEN'");
    assert.equal(proposal.provider, "asana");
    assert.match(proposal.typeOrigin, /^the header Authorization of the cURL command, as on Asana's page$/);
    assert.deepEqual(urlOf(proposal.userRequest), ["https://app.asana.com/api/1.0/users/me"]);
    assert.deepEqual(proposal.userRequest?.namePath, ["data", "name"]);
    assert.match(proposal.userRequest?.origin ?? "", /^Asana's page: /);
  });

  it("a required header has the evidence's value, or the page's if the evidence lacks it", async () => {
    const command = "curl https://api.notion.com/v1/databases -H 'Authorization: Bearer $TOKEN'";
    const versions = async (text: string) => {
      const { formula, userRequest } = await fromCurl(text);
      return [formula?.request, userRequest].map((request) => request?.headers.find(({ name }) => name === "Notion-Version")?.value);
    };
    assert.deepEqual(await versions(`${command} -H 'Notion-Version: 2022-06-28'`), [["2022-06-28"], ["2022-06-28"]]);
    const [page] = providerPages().filter(({ id }) => id === "notion");
    const version = [page?.api?.headers?.["Notion-Version"]];
    assert.deepEqual(await versions(command), [version, version]);
  });

  it("a host of one account becomes the account's endpoint, and people see the page's labels", async () => {
    const proposal = await fromCurl("curl -u '$API_KEY:X' https://acme.freshdesk.com/api/v2/tickets");
    assert.deepEqual(fieldsIn(proposal), {
      uxConfig: { placeholderUsername: "API key", placeholderPassword: "any text, such as X" },
      requiresEndpointUrl: true,
      endpointDomain: "freshdesk.com",
    });
    assert.deepEqual(
      proposal.domains.map(({ domain }) => domain),
      ["freshdesk.com"],
    );
    assert.deepEqual(proposal.formula?.request.url, [{ endpoint: true }, "/api/v2/tickets"]);
    const zendesk = await fromCurl("curl -u '$EMAIL:$API_TOKEN' https://acme.zendesk.com/api/v2/tickets");
    assert.deepEqual(urlOf(zendesk.userRequest), [{ endpoint: true }, "/api/v2/users/me.json"]);
  });

  it("a name that could be an ordinary parameter is no question if the page has it, and gets the page's description", async () => {
    const proposal = await fromCurl("curl 'https://api.trello.com/1/boards/b1?key={yourKey}&token={yourToken}'");
    assert.equal(proposal.type, "MultiQueryParamToken");
    assert.deepEqual(fieldsIn(proposal).params, [
      { name: "key", description: "The API key of the Power-Up." },
      { name: "token", description: "The token that a user creates for the API key." },
    ]);
  });

  it("a key as the user name has no label for a password", async () => {
    const proposal = await fromCurl("curl https://api.stripe.com/v1/charges -u '$KEY:'", { "basic-password": "name-only" });
    assert.deepEqual(fieldsIn(proposal).uxConfig, { placeholderUsername: "API key", usernameOnly: true });
  });

  it("another credential than the page's, or a host without a page, leaves the proposal as it is", async () => {
    for (const command of [
      "curl 'https://api.pipedrive.com/v1/deals?api_token=$TOKEN'",
      "curl https://api.figma.com/v1/me -H 'X-Other-Token: $TOKEN'",
      "curl https://api.acme.example/v1/me -H 'Authorization: Bearer $TOKEN'",
    ]) {
      const { provider, userRequest, typeOrigin } = await fromCurl(command);
      assert.deepEqual([provider, userRequest], [undefined, undefined], command);
      assert.doesNotMatch(typeOrigin, /page/);
    }
  });

  const oauth2 = (own: { readonly authorizationUrl: string; readonly tokenUrl: string }, scopes: readonly string[], domain: string) =>
    completeFromPage({
      scope: "user",
      type: "OAuth2",
      typeOrigin: "the description",
      fields: [
        ...Object.entries(own).map(([name, value]) => ({ name, value, origin: "the description" })),
        { name: "scopes", value: scopes, origin: "the description" },
      ],
      domains: [{ domain, origin: "the description" }],
      remarks: [],
    });

  it("OAuth 2.0 at the page's addresses gets what a refresh token needs, and other addresses nothing", () => {
    for (const { id, domains, oauth2: facts } of oauth2Providers()) {
      const { authorizationUrl, tokenUrl, refresh, pkce } = facts;
      const [domain = ""] = domains;
      const [needed] = refresh?.scopes ?? [];
      if (authorizationUrl.includes("[") || tokenUrl.includes("[") || domain === "") continue;
      const proposal = oauth2({ authorizationUrl, tokenUrl }, ["read"], domain);
      // Pages that share addresses leave the provider open.
      if (proposal.provider !== id) continue;
      const fields = fieldsIn(proposal);
      assert.deepEqual(fields.scopes, needed === undefined ? ["read"] : ["read", needed], id);
      for (const { name, value } of refresh?.params ?? [])
        assert.ok((fields.additionalParams as Record<string, string>)[name]?.split(" ").includes(value), id);
      assert.equal(fields.useProofKeyForCodeExchange === true, pkce === "required" || pkce === "supported", id);
      const other = oauth2({ authorizationUrl, tokenUrl: "https://login.acme.example/token" }, ["read"], domain);
      assert.deepEqual([other.provider, fieldsIn(other).scopes], [undefined, ["read"]]);
    }
  });
});
