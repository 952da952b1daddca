// Small packs written from the specification alone: each way that a rule's text can be violated, and the correct code beside it.
import assert from "node:assert/strict";
import { unasked } from "../../../server/analysis/features/fixes/fix-all.ts";
import { analyse } from "../../support/analyse.ts";
import { fixesOf, oauth, packOf } from "../../support/flagged.ts";

const auth = (fields: string): string => packOf(`pack.setUserAuthentication({ ${fields} });`);
const BEARER = "type: coda.AuthenticationType.HeaderBearerToken";
const formula = (fields: string): string =>
  `{ name: "A", description: "a", parameters: [], resultType: coda.ValueType.String, execute: async () => "x", ${fields} }`;
describe("the specification's rules", () => {
  it("the fix of a missing type offers first what the fields fit", () => {
    const source = auth('headerName: "X-Key"');
    assert.equal(Object.keys(fixesOf(source, "auth-type-missing"))[0], "Add type: CustomHeaderToken");
  });

  it("a bare type is put into a configuration", () => {
    const fixes = fixesOf(packOf("pack.setUserAuthentication(coda.AuthenticationType.WebBasic);"), "auth-type-missing");
    assert.deepEqual(Object.values(fixes), [packOf("pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });")]);
  });

  it("a duplicate scope of a spread list is not removed from that list", () => {
    const fixes = fixesOf(`const SHARED = ["a", "b", "b"];\n${oauth("scopes: [...SHARED]")}`, "oauth2-scope-duplicate");
    assert.deepEqual(fixes, {});
  });

  it("a field of an unknown type may be renamed to a field of any type", () => {
    assert.deepEqual(Object.keys(fixesOf(auth('type: chosen(), tokenUr: "https://acme.example/token"'), "field-unknown")), [
      "Rename to tokenUrl",
      "Remove tokenUr",
    ]);
  });

  it("an endpointDomain in capitals is rewritten as the domain that covers it", () => {
    const fixes = fixesOf(auth(`${BEARER}, requiresEndpointUrl: true, endpointDomain: "Eu.ACME.example"`), "endpoint-domain-undeclared");
    assert.deepEqual(Object.keys(fixes), ["Change to eu.acme.example"]);
  });
});

const BARE = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n`;
const CUSTOM = 'type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }]';
const fetching = (url: string): string =>
  `pack.addFormula({ name: "A", description: "a", parameters: [], resultType: coda.ValueType.String, execute: async ([], context) => (await context.fetcher.fetch({ method: "GET", url: ${url} })).body.name });`;

/** Where requests and credentials go, who needs an account, and what users are asked for is for the author to say. */
const DECISIONS: Readonly<Record<string, string>> = {
  "network-domain-missing": `${BARE}pack.setUserAuthentication({ ${BEARER} });\n${fetching('"https://acme.example/me"')}\n`,
  "fetch-host-undeclared": packOf(fetching('"https://other.example/me"')),
  "network-domain-unmatched": auth(`${BEARER}, networkDomain: "api.acme.example"`),
  "endpoint-domain-undeclared": auth(`${BEARER}, requiresEndpointUrl: true, endpointDomain: "other.example"`),
  "requirement-without-auth": packOf(`pack.addFormula(${formula("connectionRequirement: coda.ConnectionRequirement.Required")});`),
  "requirement-never": packOf(
    `pack.setUserAuthentication({ ${BEARER}, defaultConnectionRequirement: coda.ConnectionRequirement.None });\npack.addFormula(${formula("")});`,
  ),
  "placeholder-undeclared": packOf(
    `pack.setUserAuthentication({ ${CUSTOM} });\n${fetching('"https://acme.example/?a={{key-" + context.invocationToken + "}}&b={{other-" + context.invocationToken + "}}"')}`,
  ),
  "set-endpoint-incomplete": auth(`${BEARER}, postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "a", description: "b" }]`),
};

describe("fixes that need the author's decision", () => {
  for (const [rule, source] of Object.entries(DECISIONS))
    it(`the fix of ${rule} is offered, and never made unasked`, () => {
      const findings = analyse({ "/pack/pack.ts": source })
        .diagnostics("/pack/pack.ts")
        .filter((diagnostic) => diagnostic.rule === rule);
      assert.deepEqual(
        findings.map(({ fixes }) => fixes.length),
        [1],
      );
      assert.deepEqual(findings.flatMap(unasked), []);
    });
});
