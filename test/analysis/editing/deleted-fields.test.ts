// A field that is written, and that code takes out of the configuration before it is passed on.
import assert from "node:assert/strict";
import { fixesOf, flagged, packOf } from "../../support/flagged.ts";

const deleting = (type: string, fields: string, name: string): string =>
  packOf(
    `const CONFIG: any = { type: coda.AuthenticationType.${type}, ${fields} };\ndelete CONFIG.${name};\npack.setUserAuthentication(CONFIG);`,
  );

describe("a field that is deleted after its literal", () => {
  for (const [rule, source] of [
    ["field-missing", deleting("CustomHeaderToken", 'headerName: "X-Key"', "headerName")],
    [
      "oauth2-missing-token-url",
      deleting("OAuth2", 'authorizationUrl: "https://acme.example/a", tokenUrl: "https://acme.example/t"', "tokenUrl"),
    ],
    ["auth-type-missing", deleting("HeaderBearerToken", 'instructionsUrl: "https://acme.example/help"', "type")],
  ] as const)
    it(`${rule} reports the deleted field without a fix that would write it twice`, () => {
      assert.deepEqual(
        flagged(source).map((line) => line.replace(/:.*/s, "")),
        [`error ${rule}`],
      );
      assert.deepEqual(fixesOf(source, rule), {});
    });

  it("the fix for another field is still offered", () => {
    const source = deleting("CustomHeaderToken", 'instructionsUrl: "https://acme.example/help"', "instructionsUrl");
    assert.deepEqual(Object.keys(fixesOf(source, "field-missing")), ["Add headerName"]);
  });
});
