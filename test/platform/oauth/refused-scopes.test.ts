// A refusal of scopes: which field it names, by the provider's words and by its metadata. The words are those of real servers.
import assert from "node:assert/strict";
import { auth } from "../../support/broker.ts";
import { explainRefusal } from "../../support/explain-refusal.ts";

describe("The field blamed for refused scopes", () => {
  const fieldOf = (scopeDelimiter: "," | undefined, description: string, scopesSupported?: readonly string[], code = "invalid_scope") =>
    explainRefusal({
      phase: "authorization",
      code,
      description,
      auth: auth("OAuth2", { scopes: ["read", "write"], ...(scopeDelimiter === undefined ? {} : { scopeDelimiter }) }),
      ...(scopesSupported === undefined ? {} : { scopesSupported }),
    })?.field;

  for (const [title, field, delimiter, description, offered] of [
    ["a quoted custom delimiter", "scopeDelimiter", ",", "Unknown scope: read,write"],
    ["the standard delimiter, quoted as one scope", "scopeDelimiter", undefined, "Check the `read write` scope(s)"],
    ["the standard delimiter in a list of the requested scopes", "scopes", undefined, "Invalid scopes: read write"],
    ["a custom delimiter, if the text names no scope", "scopeDelimiter", ",", "Invalid scope: Requested scope is invalid"],
    ["the standard delimiter, if the text names no scope", "scopes", undefined, "Invalid scope: Requested scope is invalid"],
    ["one named scope with a custom delimiter", "scopes", ",", 'unknown scope "write"'],
    ["a custom delimiter, if every scope is supported", "scopeDelimiter", ",", "Unknown scope", ["read", "write"]],
    ["the standard delimiter, if every scope is supported", "scopes", undefined, "no", ["read", "write"]],
    ["an unsupported scope with any delimiter", "scopes", ",", "Unknown scope", ["read"]],
    ["a single scope with a custom delimiter", "scopes", ",", "Unknown scope", ["read"]],
  ] as readonly (readonly [string, string, "," | undefined, string, (readonly string[])?])[])
    it(`${field} is blamed for ${title}`, () => assert.equal(fieldOf(delimiter, description, offered), field));

  it("useProofKeyForCodeExchange is blamed for a text on PKCE that mentions scopes too", () => {
    const description = "pkce or OIDC nonce is required when requesting offline_access scope";
    assert.equal(fieldOf(undefined, description, undefined, "invalid_request"), "useProofKeyForCodeExchange");
  });
});
