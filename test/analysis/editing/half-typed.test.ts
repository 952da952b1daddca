// What is only half typed is not judged: TypeScript says that it is unfinished, and what it will be nobody knows yet.
import assert from "node:assert/strict";
import { z } from "zod";
import { analyse } from "../../support/analyse.ts";
import { flagged } from "../../support/flagged.ts";
import { readTable, texts } from "../../support/json-cases.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\n`;
const OAUTH2 = `type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t"`;

/** By what is typed. */
const UNFINISHED = readTable("test/analysis/editing/cases/half-typed.json", texts);

/** Nothing beside what is said of the place itself. */
const TO_FILL_IN = readTable("test/analysis/editing/cases/blanks.json", z.record(z.string(), z.tuple([z.string(), z.string()])));

describe("blanks to fill in", () => {
  for (const [name, [source, rule]] of Object.entries(TO_FILL_IN))
    it(`the blank alone is reported: ${name}`, () => {
      const file = "/pack/pack.ts";
      const text = HEAD.replace(/pack\.addNetworkDomain.*\n/, "") + source;
      const findings = analyse({ [file]: text }, { toolkit: true }).diagnostics(file);
      assert.deepEqual(
        findings.map((diagnostic) => diagnostic.rule),
        [rule],
        findings.map(({ message }) => message).join("\n"),
      );
    });
});

describe("half-typed code", () => {
  for (const [name, source] of Object.entries(UNFINISHED))
    for (const toolkit of [false, true])
      it(`${name} is not flagged, ${toolkit ? "with the toolkit" : "without a toolkit"}`, () => {
        assert.deepEqual(flagged(HEAD + source, { toolkit }), []);
      });

  it("a shorthand of an existing variable is reported as an unknown field", () => {
    const source = `${HEAD}const scop = ["a"];\npack.setUserAuthentication({ ${OAUTH2}, scop });\n`;
    assert.deepEqual(flagged(source), ["error field-unknown: scop"]);
  });

  it("a half-typed enum with a value gets the full name as its fix", () => {
    const source = `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationT });\n`;
    const [finding] = analyse({ "/pack/pack.ts": source }, { toolkit: true }).diagnostics("/pack/pack.ts");
    assert.match(finding?.message ?? "", /^Did you mean AuthenticationType\?/);
  });
});
