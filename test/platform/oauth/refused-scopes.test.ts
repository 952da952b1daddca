// A refusal of scopes: which field it names, by the provider's words and by its metadata. The words are those of real servers.
import assert from "node:assert/strict";
import { oauthErrorText } from "../../../platform/oauth/error-texts.ts";
import { auth } from "../../support/broker.ts";

describe("Refused scopes", () => {
  const fieldOf = (scopeDelimiter: string | undefined, description: string, scopesSupported?: readonly string[], code = "invalid_scope") =>
    oauthErrorText({
      phase: "authorization",
      code,
      description,
      auth: auth("OAuth2", { scopes: ["read", "write"], ...(scopeDelimiter === undefined ? {} : { scopeDelimiter }) }),
      ...(scopesSupported === undefined ? {} : { scopesSupported }),
    })?.field;

  for (const [title, field, delimiter, description, offered] of [
    ["a delimiter of one's own that is quoted", "scopeDelimiter", ",", "Unknown scope: read,write"],
    ["the standard's delimiter, quoted as one scope", "scopeDelimiter", undefined, "Check the `read write` scope(s)"],
    ["the standard's delimiter in a list of what was asked for", "scopes", undefined, "Invalid scopes: read write"],
    ["a delimiter of one's own, where the words name no scope", "scopeDelimiter", ",", "Invalid scope: Requested scope is invalid"],
    ["the standard's delimiter, where the words name no scope", "scopes", undefined, "Invalid scope: Requested scope is invalid"],
    ["one scope by name, with a delimiter of one's own", "scopes", ",", 'unknown scope "write"'],
    ["a delimiter of one's own, where each scope is offered", "scopeDelimiter", ",", "Unknown scope", ["read", "write"]],
    [
      "the standard's delimiter, where each scope is offered: it may not be for this application",
      "scopes",
      undefined,
      "no",
      ["read", "write"],
    ],
    ["a scope that is not offered, whatever the delimiter", "scopes", ",", "Unknown scope", ["read"]],
    ["no delimiter of a single scope", "scopes", ",", "Unknown scope", ["read"]],
  ] as readonly (readonly [string, string, string | undefined, string, (readonly string[])?])[])
    it(`names ${title}: ${field}`, () => assert.equal(fieldOf(delimiter, description, offered), field));

  it("names PKCE where the words speak of scopes too", () => {
    const description = "pkce or OIDC nonce is required when requesting offline_access scope";
    assert.equal(fieldOf(undefined, description, undefined, "invalid_request"), "useProofKeyForCodeExchange");
  });
});
