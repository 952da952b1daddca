// The form of the pages in providers/: each page has it, and a page without it is refused by a sentence that names the place.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";

import { providerIds, providerModule, providerPages } from "../../../scripts/providers/pages.ts";
import { readProviderPage } from "../../../scripts/providers/schema.ts";
import { wholePage } from "../../../spec/provider-readings.ts";
import { providerPages as shippedPages } from "../../../spec/providers.ts";
import { root } from "../../support/packs.ts";

const yaml = createRequire(import.meta.url)("js-yaml") as { CORE_SCHEMA: unknown; load(text: string, options: object): unknown };

const GOOD = `title: Acme
sources:
  docs: { kind: documentation, read: "https://developers.acme.example/oauth", checked: 2026-11-20 }
  grant: { kind: table, read: "npm grant@5.4.24 config/oauth.json", checked: 2026-11-20, licence: MIT }
oauth2:
  authorizationUrl: { value: "https://[subdomain].acme.com/authorize", source: [docs, grant] }
  tokenUrl: { value: "https://api.acme.com/token", source: docs }
  scopeDelimiter:
    - { value: ",", source: docs, demands: Scopes are separated by commas. }
    - { value: " ", source: grant }
  refresh:
    rotates: { value: true, source: docs }
keys:
  - type: { value: CustomHeaderToken, source: docs }
    name: { value: API key, source: docs }
    headerName: { value: X-Api-Key, source: docs }
api:
  url: { value: "https://acme.s3.amazonaws.com", source: docs }
  userName: { value: data.0.name, source: docs }
`;

describe("a provider page", () => {
  it("every page of the repository is read, and the generated module has them all", () => {
    const pages = providerPages(providerIds());
    assert.deepEqual(shippedPages().map(wholePage), pages);
    assert.equal(readFileSync(join(root, "spec/provider-pages.ts"), "utf8"), providerModule());
  });

  it("the schema for editors accepts every page", () => {
    const schema = JSON.parse(readFileSync(join(root, "schemas/provider.schema.json"), "utf8"));
    const isValid = addFormats.default(new Ajv({ strict: false })).compile(schema);
    for (const id of providerIds()) {
      const data = yaml.load(readFileSync(join(root, `providers/${id}.yaml`), "utf8"), { schema: yaml.CORE_SCHEMA });
      assert.ok(isValid(data), `${id}: ${JSON.stringify(isValid.errors)}`);
    }
    assert.ok(!isValid({ title: "Acme", sources: {}, oauth: {} }));
  });

  it("a page has the first value of each fact, its sources, and what others say", () => {
    const page = readProviderPage("acme", GOOD);
    assert.deepEqual(page.sources[1], {
      kind: "table",
      read: "npm grant@5.4.24 config/oauth.json",
      checked: "2026-11-20",
      licence: "MIT",
    });
    assert.deepEqual(page.oauth2, {
      authorizationUrl: "https://[subdomain].acme.com/authorize",
      hosts: ["*.acme.com"],
      tokenUrl: "https://api.acme.com/token",
      scopeDelimiter: ",",
      refresh: { rotates: true },
    });
    assert.deepEqual(page.sourcesOf["oauth2.authorizationUrl"], [0, 1]);
    assert.deepEqual(page.sourcesOf["oauth2.refresh.rotates"], [0]);
    assert.deepEqual(page.sourcesOf["keys.0.headerName"], [0]);
    assert.deepEqual(page.demands, {
      "oauth2.scopeDelimiter": { words: "Scopes are separated by commas.", source: "https://developers.acme.example/oauth" },
    });
    assert.deepEqual(page.disagreements, [{ fact: "oauth2.scopeDelimiter", value: " ", sources: [1] }]);
    assert.deepEqual(page.keys, [{ type: "CustomHeaderToken", name: "API key", headerName: "X-Api-Key" }]);
  });

  it("a page has the domains of its addresses, and not one that anybody can have a host in", () => {
    assert.deepEqual(readProviderPage("acme", GOOD).domains, ["acme.com"]);
  });

  for (const [mistake, from, to, problem] of [
    ["an unknown field", "api:\n  url:", "api:\n  base:", "api: base is no field of a page"],
    ["an unknown section", "keys:", "credentials:", "the page: credentials is no field of a page"],
    ["no title", "title: Acme\n", "", "title: is missing"],
    ["a fact without a source", "source: docs }\n  scopeDelimiter", "}\n  scopeDelimiter", "oauth2.tokenUrl.source: is missing"],
    ["a plain value for a fact", "rotates: { value: true, source: docs }", "rotates: true", "oauth2.refresh.rotates: must be an object"],
    [
      "a source that the page lacks",
      "source: [docs, grant]",
      "source: [docs, arctic]",
      "oauth2.authorizationUrl: the source arctic is not among",
    ],
    [
      "an http address",
      "https://api.acme.com",
      "http://api.acme.com",
      "oauth2.tokenUrl.value: must be an address that begins with https://",
    ],
    ["an address without a host", "https://api.acme.com/token", "https://:/", "oauth2.tokenUrl.value: must be an address"],
    ["no date", "checked: 2026-11-20 }", "checked: yesterday }", "sources.docs.checked: must be a date: YYYY-MM-DD"],
    ["a day that no calendar has", "checked: 2026-11-20 }", "checked: 2026-02-30 }", "sources.docs.checked: must be a date: YYYY-MM-DD"],
    ["a date in the future", "checked: 2026-11-20 }", "checked: 2126-11-20 }", "sources.docs.checked: must not be in the future"],
    ["a quotation of a table", "source: docs, demands", "source: grant, demands", "oauth2.scopeDelimiter: the first source of a quotation"],
    [
      "a long quotation",
      "Scopes are separated by commas.",
      "x".repeat(201),
      "oauth2.scopeDelimiter.0.demands: must be at most 200 characters",
    ],
    ["a table without a licence", ", licence: MIT", "", "sources.grant: a table must name its licence"],
    ["a source without a kind", "kind: table, ", "", "sources.grant.kind: is missing"],
    ["a query", "acme.com/authorize", "acme.com/authorize?a=b", "oauth2.authorizationUrl.value: must have no query"],
    ["another delimiter", 'value: ","', 'value: "|"', "oauth2.scopeDelimiter.0.value: must be a space, a comma or a semicolon"],
    [
      "a list of one value",
      '    - { value: " ", source: grant }\n',
      "",
      "oauth2.scopeDelimiter: must have two values, or one without the list",
    ],
    ["a type that no key has", "CustomHeaderToken", "Cookie", "keys.0.type.value: "],
    ["a path with brackets", "data.0.name", '"data[0].name"', "api.userName.value: must be names or indices with points"],
    ["no way to authenticate", /oauth2:[\s\S]*(?=api:)/, "", "the page must have oauth2 or keys"],
    ["no YAML", "title: Acme", "title: [", "line 3: "],
  ] as const)
    it(`${mistake} is refused by a sentence with the file and the place`, () => {
      const text = GOOD.replace(from, to);
      assert.notEqual(text, GOOD);
      assert.throws(
        () => readProviderPage("acme", text),
        ({ message }: Error) => {
          assert.ok(message.includes(`providers/acme.yaml: ${problem}`), message);
          return true;
        },
      );
    });
});
