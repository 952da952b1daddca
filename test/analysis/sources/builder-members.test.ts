// Whatever of its builder a pack uses beside what has to do with accounts, its rules about what it lacks speak all the same: also in a fresh
// clone, where no Packs SDK is installed. What is not known of one list is not known of that list alone.
import assert from "node:assert/strict";
import { BUILDER_METHODS } from "../../../spec/pack-builder.ts";
import { flagged } from "../../support/flagged.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";\nimport { more } from "elsewhere";\nexport const pack = coda.newPack();\n`;
const AUTH = "pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n";
const rulesOf = (source: string, toolkit: boolean): readonly string[] =>
  flagged(source, { toolkit }).flatMap((line) => /^(?:error|warning) ([\w-]+)/.exec(line)?.[1] ?? []);

const ABOUT_ACCOUNTS: ReadonlySet<string> = new Set(["setUserAuthentication", "setSystemAuthentication", "addNetworkDomain"]);
const calls = Object.keys(BUILDER_METHODS)
  .filter((name) => !ABOUT_ACCOUNTS.has(name))
  .map((name) => `pack.${name}(more);`);

/** None of these declares a network domain. */
const HARMLESS: readonly string[] = [
  ...calls,
  'pack["setVersion"]("1.0");',
  'pack.addSkill(more).setVersion("1.0").setChatSkill(more);',
  'pack.version = "1.0";',
  'pack.formulaNamespace = "Acme";',
  "pack.skills.push(more);",
  "pack.skills.unshift(more);",
  "pack.skills.splice(0, 1);",
  "pack.skills.length = 0;",
  "pack.formats.push(more);",
  "pack.suggestedPrompts = more;",
  "pack.skillEntrypoints = more;",
  "delete pack.chatSkill;",
  'Object.assign(pack, { version: "1.0", skills: more });',
  "pack.formulas = more;",
  "pack.formulas.push(...more);",
  "pack.syncTables.sort();",
  "pack.adminAuthentications = more;",
];

/** These may, or are it. */
const MAY_DECLARE: readonly string[] = [
  "pack.networkDomains.push(...more);",
  "pack.networkDomains.unshift(more);",
  "pack.networkDomains.splice(0, 0, more);",
  "pack.networkDomains = more;",
  'pack.networkDomains[0] = "acme.example";',
  "Object.assign(pack, more);",
  "Object.assign(pack, { skills: more, ...more });",
  "more(pack);",
];

describe("a pack without a network domain", () => {
  for (const statement of HARMLESS)
    for (const toolkit of [false, true])
      it(`the missing domain is flagged ${toolkit ? "with" : "without"} an installed Packs SDK, beside ${statement}`, () =>
        assert.ok(rulesOf(`${HEAD}${AUTH}${statement}\n`, toolkit).includes("network-domain-missing")));

  for (const statement of MAY_DECLARE)
    it(`the missing domain is not flagged where one may be declared: ${statement}`, () =>
      assert.ok(!rulesOf(`${HEAD}${AUTH}${statement}\n`, false).includes("network-domain-missing")));
});

describe("an account that no formula requires", () => {
  const none = `${HEAD.replace('import { more } from "elsewhere"', "declare const more: any")}pack.addNetworkDomain("acme.example");
pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, execute: async () => "" });
${AUTH.replace(" });", ", defaultConnectionRequirement: coda.ConnectionRequirement.None });")}`;

  it("the unused account is flagged when all formulas are known", () =>
    assert.ok(rulesOf(`${none}pack.skills = more;\n`, false).includes("requirement-never")));

  for (const statement of ["pack.formulas = more;", "pack.formulas.push(...more);", "pack.syncTables.splice(0, 0, more);"])
    it(`the unused account is not flagged where more formulas may exist: ${statement}`, () =>
      assert.ok(!rulesOf(`${none}${statement}\n`, false).includes("requirement-never")));
});
