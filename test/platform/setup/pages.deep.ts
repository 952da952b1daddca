// Every provider page: each of its ways to sign in becomes a pack that works at the sandbox in that provider's likeness.
import assert from "node:assert/strict";
import type { ProviderFacts } from "../../../spec/provider-page.ts";
import { providerPages } from "../../../spec/providers.ts";
import { sandboxOfSuite } from "../../support/open-packs.ts";
import { removePackFiles } from "../../support/pack-file.ts";
import { assertProved } from "../../support/proved.ts";
import { providerProposals } from "../../support/provider-proposals.ts";

describe("The set-up from each provider page", function () {
  this.timeout(120_000);
  const sandbox = sandboxOfSuite();
  after(removePackFiles);

  const isImpossible = ({ oauth2, keys }: ProviderFacts): boolean => oauth2?.unsupported !== undefined && keys.length === 0;
  for (const { id } of providerPages().filter(isImpossible))
    it(`${id}: set-up says that the platform cannot sign in`, () =>
      assert.rejects(providerProposals(id), /^PackAuthError: The platform cannot sign in at /));

  for (const { id } of providerPages().filter((page) => !isImpossible(page)))
    it(`${id}: each way to sign in is written, checks clean and signs in at the sandbox`, async () => {
      for (const proposal of await providerProposals(id)) await assertProved(proposal, sandbox);
    });
});
