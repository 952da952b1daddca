// An object that is not closed yet, or lacks a colon or a name: the parser takes what follows for its fields, and nobody else may.
import assert from "node:assert/strict";
import { fixesOf, flagged, packOf } from "../../support/flagged.ts";
import { readTable, texts } from "../../support/json-cases.ts";

const SIGN_IN = 'type: coda.AuthenticationType.WebBasic, instructionsUrl: "https://login.acme.example/help"';
const FORMULA =
  'pack.addFormula({ name: "F", description: "D.", parameters: [], resultType: coda.ValueType.String, execute: async () => "" });';

/** By what is there. */
const UNFINISHED = readTable("test/analysis/editing/cases/left-open.json", texts);

describe("an unfinished object", () => {
  for (const [what, statements] of Object.entries(UNFINISHED))
    it(`code after the object is not read as its fields: ${what}`, () => {
      assert.deepEqual(
        flagged(packOf(statements), { toolkit: true }).filter((line) => !line.includes("auth-type-missing")),
        [],
      );
    });

  it("fields of the object are still checked", () => {
    assert.deepEqual(flagged(packOf(`pack.setUserAuthentication({ ${SIGN_IN}, hederName: "X",\n${FORMULA}`), { toolkit: true }), [
      "error field-unknown: hederName",
    ]);
  });
});

describe("a configuration field inside one of its objects", () => {
  it("the field gets a fix that moves it out", () => {
    const source = packOf(
      'pack.setUserAuthentication({\n  type: coda.AuthenticationType.WebBasic,\n  uxConfig: { placeholderUsername: "Email", instructionsUrl: "https://login.acme.example/help" },\n});',
    );
    assert.deepEqual(flagged(source), ["error field-unknown: instructionsUrl"]);
    const [[title, fixed] = []] = Object.entries(fixesOf(source, "field-unknown"));
    assert.equal(title, "Move it out of uxConfig");
    assert.deepEqual(flagged(fixed ?? ""), []);
  });

  it("the field gets a fix that moves it out of a list entry", () => {
    const source = packOf(
      'pack.setUserAuthentication({ type: coda.AuthenticationType.MultiQueryParamToken, params: [{ name: "id", description: "Id", instructionsUrl: "https://login.acme.example/help" }] });',
    );
    const [fixed = ""] = Object.values(fixesOf(source, "field-unknown"));
    assert.deepEqual(flagged(fixed), []);
  });

  it("the field is only removed where its name exists twice", () => {
    const source = packOf(
      'pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, instructionsUrl: "https://login.acme.example/help", uxConfig: { instructionsUrl: "https://login.acme.example/help" } });',
    );
    assert.deepEqual(Object.keys(fixesOf(source, "field-unknown", { toolkit: true })), ["Remove instructionsUrl"]);
  });
});
