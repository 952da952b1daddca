// What is said of a field that is missing, empty or of the wrong kind: whole sentences, the same for every field of every type.
import assert from "node:assert/strict";
import { AUTH_TYPES, fieldsOf } from "../../../spec/auth-types.ts";
import { analyse } from "../../support/analyse.ts";
import { packOf } from "../../support/flagged.ts";

const FILE = "/pack/pack.ts";
const setter = (fields: string): string => packOf(`pack.setUserAuthentication({ ${fields} });`);
const readMessages = (source: string, rule: string): readonly string[] =>
  analyse({ [FILE]: source })
    .diagnostics(FILE)
    .filter((diagnostic) => diagnostic.rule === rule)
    .map(({ message }) => message);

describe("messages about a field", () => {
  it("a field of the wrong kind gets the expected kind and the consequence", () => {
    assert.deepEqual(readMessages(setter("type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: 1"), "field-type"), [
      "getConnectionName must be a function, not 1. Otherwise it cannot be called.",
    ]);
    assert.deepEqual(readMessages(setter('type: coda.AuthenticationType.Custom, params: ["key"]'), "field-type"), [
      'An entry of params must be an object, not "key". Otherwise the platform rejects the pack.',
    ]);
  });

  it("an empty field gets what cannot work", () => {
    assert.deepEqual(readMessages(setter('type: coda.AuthenticationType.CustomHeaderToken, headerName: ""'), "field-empty"), [
      "Fill in headerName. Nothing that needs it works while it is empty.",
    ]);
  });

  it("a missing field gets its purpose inside the sentence", () => {
    assert.deepEqual(readMessages(setter("type: coda.AuthenticationType.CustomHeaderToken"), "field-missing"), [
      "Add headerName (the header that carries the token). The platform rejects CustomHeaderToken without it.",
    ]);
    for (const type of Object.values(AUTH_TYPES))
      for (const field of fieldsOf(type.name, "user").filter(({ required }) => required))
        for (const message of readMessages(setter(`type: coda.AuthenticationType.${type.name}`), "field-missing"))
          assert.ok(!message.includes(field.docs) && !message.includes(".)"), message);
  });

  it("a misnamed field is reported alone, without what is missing for it", () => {
    const rulesOf = (fields: string): readonly string[] =>
      analyse({ [FILE]: setter(fields) })
        .diagnostics(FILE)
        .map(({ rule }) => rule);
    assert.deepEqual(rulesOf("type: coda.AuthenticationType.OAuth2, dynamicClientRegistration: true"), ["field-unknown"]);
    assert.deepEqual(rulesOf('type: coda.AuthenticationType.OAuth2, useDynamicClientRegistration: "true"'), ["field-type"]);
    assert.deepEqual(
      rulesOf('type: coda.AuthenticationType.HeaderBearerToken, requiresEndpointURL: true, endpointDomain: "acme.example"'),
      ["field-unknown"],
    );
  });

  it("a field of another type can take the name of this type's own field", () => {
    const source = setter('type: coda.AuthenticationType.CustomHeaderToken, paramName: "X-Api-Key"');
    const titles = analyse({ [FILE]: source })
      .diagnostics(FILE)
      .filter(({ rule }) => rule === "field-not-for-type")
      .flatMap(({ fixes }) => fixes.map(({ title }) => title));
    assert.deepEqual(titles, ["Rename to headerName", "Remove paramName"]);
  });
});
