// Every provider page: each of its ways to sign in becomes a pack that checks clean. Those that differ in more than their addresses and
// texts work at the sandbox in that provider's likeness.
import assert from "node:assert/strict";
import type { Proposal } from "../../../protocol/setup.ts";
import type { ProviderFacts } from "../../../spec/provider-page.ts";
import { providerPages } from "../../../spec/providers.ts";
import { sandboxOfSuite } from "../../support/open-packs.ts";
import { removePackFiles } from "../../support/pack-file.ts";
import { assertClean, assertProved } from "../../support/proved.ts";
import { providerProposals } from "../../support/provider-proposals.ts";

/** What decides neither the sandbox's likeness nor how the pack signs in. */
const WORDS = new Set([
  "origin",
  "typeOrigin",
  "remarks",
  "description",
  "provider",
  "redirect",
  "namePath",
  "domains",
  "scopes",
  "scopeNames",
]);

/** Returns the path of each value in a part of a page or proposal, with the value if it is short, and so no address or text. */
function traitsOf(part: unknown, path: string): readonly string[] {
  if (typeof part === "string") return [`${path} ${part.length > 12 || /[./]/.test(part) ? "text" : part}`];
  if (typeof part !== "object" || part === null) return [`${path} ${typeof part === "number" ? "number" : part}`];
  if (Array.isArray(part)) return part.flatMap((item) => traitsOf(item, path));
  return Object.entries(part).flatMap(([name, value]) => (WORDS.has(name) ? [] : traitsOf(value, `${path}.${name}`)));
}

const traitsOfWay = ({ oauth2 }: ProviderFacts, { fields, formula, ...proposal }: Proposal): readonly string[] => [
  ...traitsOf({ oauth2: { ...oauth2 } }, "page"),
  ...traitsOf({ ...proposal, parameters: formula?.parameters.length === 0, ...formula?.request }, "proposal"),
  ...traitsOf(Object.fromEntries(fields.map(({ name, value }) => [name, value])), "fields"),
];

describe("The set-up from each provider page", function () {
  this.timeout(120_000);
  const sandbox = sandboxOfSuite();
  after(removePackFiles);

  const isImpossible = ({ oauth2, keys }: ProviderFacts): boolean => oauth2?.unsupported !== undefined && keys.length === 0;
  for (const { id } of providerPages().filter(isImpossible))
    it(`${id}: set-up says that the platform cannot sign in`, () =>
      assert.rejects(providerProposals(id), /^PackAuthError: The platform cannot sign in at /));

  const proved = new Set<string>();
  for (const page of providerPages().filter((one) => !isImpossible(one)))
    it(`${page.id}: each way to sign in is written and checks clean, and one with a new trait signs in at the sandbox`, async () => {
      for (const proposal of await providerProposals(page.id)) {
        const traits = traitsOfWay(page, proposal);
        if (traits.every((trait) => proved.has(trait))) assertClean(proposal);
        else await assertProved(proposal, sandbox);
        for (const trait of traits) proved.add(trait);
      }
    });
});
