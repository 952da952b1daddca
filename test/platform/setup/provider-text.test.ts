import assert from "node:assert/strict";
import { providerText } from "../../../platform/setup/provider-text.ts";
import type { ProviderPage } from "../../../spec/provider-page.ts";
import { wholePage } from "../../../spec/provider-readings.ts";
import { providerPages } from "../../../spec/providers.ts";

const PAGE: ProviderPage = {
  id: "acme",
  title: "Acme",
  domains: ["acme.example"],
  sources: [
    { kind: "documentation", read: "https://acme.example/docs", checked: "2026-11-01" },
    { kind: "table", read: "npm grant@5.4.24 config/oauth.json", checked: "2026-11-02", licence: "MIT" },
  ],
  sourcesOf: { "oauth2.scopeDelimiter": [0], "oauth2.tokenLifetime": [1], "console.url": [0], "keys.0.type": [0] },
  demands: {},
  accepts: {},
  disagreements: [{ fact: "oauth2.scopeDelimiter", value: " ", sources: [1] }],
  oauth2: {
    authorizationUrl: "https://acme.example/authorize",
    tokenUrl: "https://acme.example/token",
    scopeDelimiter: ",",
    tokenLifetime: 7_200,
  },
  keys: [{ type: "HeaderBearerToken", name: "personal token" }],
  console: { url: "https://acme.example/apps", redirectField: "Callback URL" },
  sameHouse: [],
};
const HERE = "http://localhost:3000/oauth";
const PUBLISHED = "https://docs.superhuman.com/packsAuth/oauth2/7";

const ADDRESSES = { here: "http://localhost:3000/oauth", published: { address: "https://a.example/1", legacy: [] } };

describe("The page of a provider", () => {
  const text = providerText(PAGE, { here: HERE, published: { address: PUBLISHED, legacy: [] } });

  it("the redirect addresses of this machine and of the published pack stand below the field that takes them", () => {
    assert.match(text, new RegExp(`Enter as Callback URL:\\n\\n {3}\`\`\`text\\n {3}${HERE}\\n {3}${PUBLISHED}\\n`));
  });

  it("a fact has the numbers of its sources, and a fact that no source says is not known", () => {
    assert.match(text, /\*\*Scopes are separated by\*\*: `,` \\\[1\\\]/);
    assert.match(text, /\*\*Access tokens\*\*: expire after 2 hours \(not verified\) \\\[2\\\]/);
    assert.match(text, /\*\*Verification\*\*: not known/);
    assert.match(text, /1\. <https:\/\/acme\.example\/docs>, read on 2026-11-01\n2\. npm grant@5\.4\.24/);
  });

  it("sources that disagree are both shown", () => {
    assert.match(text, /## Sources that disagree\n\n- `oauth2\.scopeDelimiter`: ` ` \\\[2\\\]/);
  });

  it("a pack without an ID says how to get the published address", () => {
    assert.match(providerText(PAGE, { here: HERE, published: { whereToFind: "Run packs create." } }), /Run packs create\./);
  });

  it("a page with keys alone has nothing to register", () => {
    const { oauth2: _, ...keysOnly } = PAGE;
    const own = providerText(keysOnly, { here: HERE, published: { whereToFind: "Run packs create." } });
    assert.doesNotMatch(own, /Register an application/);
    assert.match(own, /^## personal token$/m);
  });

  it("every page has a text without an undefined value", () => {
    for (const page of providerPages().map(wholePage))
      assert.doesNotMatch(providerText(page, { here: HERE, published: { whereToFind: "Run packs create." } }), /undefined|\[object/);
  });

  it("facts with markup, links, line breaks and direction marks are text", () => {
    const hostile = "[x](command:run) <img src=x> `code` **b**\n\n# Heading\u202e";
    const sources = [{ read: hostile, checked: "2026-01-01" }];
    const page = {
      id: "acme",
      title: hostile,
      domains: ["acme.example"],
      console: { url: "javascript:alert(1)", creates: hostile, redirectField: hostile, steps: [hostile] },
      oauth2: {
        authorizationUrl: "https://acme.example/a",
        tokenUrl: "https://acme.example/t",
        redirect: hostile,
        refresh: { params: [{ name: "a`", value: hostile }], scopes: ["b`<img>\n# c"] },
      },
      verification: hostile,
      keys: [{ name: hostile, type: "HeaderBearerToken", createUrl: "command:run" }],
      demands: {},
      accepts: {},
      disagreements: [{ fact: "oauth2.pkce", value: hostile, sources: [0] }],
      sources,
      sourcesOf: {},
    } as unknown as ProviderPage;
    const lines = providerText(page, ADDRESSES).split("\n");
    const withoutCode = lines.map((line) => line.replace(/(?<!\\)`[^`]*`/g, ""));
    for (const line of withoutCode) {
      assert.doesNotMatch(line, /(?<!\\)(?:<img|\[x|`code|\*\*b)|<(?:javascript|command)|\u202e/, line);
      assert.doesNotMatch(line, /^ {0,3}#+ (?:Heading|c)/);
    }
  });

  it("each page of the catalogue is written with its addresses as links", () => {
    for (const page of providerPages().map(wholePage)) {
      const text = providerText(page, ADDRESSES);
      if (page.console !== undefined && page.oauth2 !== undefined) assert.ok(text.includes(`<${page.console.url}>`), page.id);
    }
  });
});
