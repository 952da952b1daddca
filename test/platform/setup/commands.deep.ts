// Every cURL command of the fixtures that leads to a proposal: the pack that it becomes works at the sandbox.
import assert from "node:assert/strict";
import { readCurl } from "../../../platform/setup/readers/curl.ts";
import { answering, attempt, CURL_FIXTURES } from "../../support/curl-fixtures.ts";
import { sandboxOfSuite } from "../../support/open-packs.ts";
import { removePackFiles } from "../../support/pack-file.ts";
import { assertProved } from "../../support/proved.ts";

describe("The set-up from each cURL command", function () {
  this.timeout(120_000);
  const sandbox = sandboxOfSuite();
  let proofs = 0;
  after(removePackFiles);

  for (const [name, { command, answers = {} }] of Object.entries(CURL_FIXTURES))
    it(`${name}: a proposal is written, checks clean and signs in at the sandbox`, async () => {
      const outcome = await attempt(() => readCurl(command, answering(answers)));
      if (!("kind" in outcome) || outcome.kind !== "proposal") return;
      await assertProved(outcome.proposal, sandbox);
      proofs++;
    });

  it("at least 25 commands lead to a proposal", () => {
    assert.ok(proofs >= 25, String(proofs));
  });
});
