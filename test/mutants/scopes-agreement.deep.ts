// Scopes that formulas and tables ask for, and admin authentications, judged by the toolkit's own upload validator and by us: an error
// where it rejects, and none where it accepts.
import assert from "node:assert/strict";
import { z } from "zod";
import { analyse } from "../support/analyse.ts";
import { readTable } from "../support/json-cases.ts";
import { uploadProblemsOfSource } from "../support/validator.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
`;

const SOURCES = readTable("test/mutants/cases/scopes-and-administrators.json", z.array(z.string()));

/** What does not load is never uploaded. */
const judged = (body: string): Promise<readonly unknown[]> =>
  uploadProblemsOfSource(HEAD + body).catch((error: unknown) => [`does not load: ${String(error)}`]);

describe("scopes and admin authentications, judged by the upload validator", function () {
  this.timeout(120_000);

  it("the rejected sources are at least forty, and the accepted ones too", async () => {
    const problems = await Promise.all(SOURCES.map(judged));
    const rejected = problems.filter(({ length }) => length > 0).length;
    assert.ok(rejected >= 40 && SOURCES.length - rejected >= 40, `${rejected} of ${SOURCES.length}`);
  });

  for (const [index, body] of SOURCES.entries()) {
    it(`source ${index + 1} is judged as by the validator: ${body
      .trim()
      .split("\n")
      .join(" ")
      .replace(/schema: coda.*?"id" }\), /g, "")
      .slice(0, 260)}`, async () => {
      const problems = await judged(body);
      const errors = analyse({ "/pack/pack.ts": HEAD + body }, { toolkit: true })
        .diagnostics("/pack/pack.ts")
        .filter(({ severity }) => severity === "error")
        .map(({ rule, message }) => `${rule}: ${message}`);
      assert.equal(errors.length > 0, problems.length > 0, `the validator: ${JSON.stringify(problems)}; ours: ${JSON.stringify(errors)}`);
    });
  }
});
