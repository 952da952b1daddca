// Users connect an account, and every formula and table says for itself that it uses none.
import assert from "node:assert/strict";
import { split } from "../support/analyse.ts";
import { flaggedBy, packOf } from "../support/flagged.ts";
import { problemsOf } from "../support/judged.ts";
import { staySilent } from "../support/traps.ts";

const BASIC = "pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });\n";
const NONE = "connectionRequirement: coda.ConnectionRequirement.None, ";
const formula = (fields: string, name = "A"): string =>
  `pack.addFormula({ name: "${name}", description: "A.", parameters: [], resultType: coda.ValueType.String, ${fields}execute: async () => "" });\n`;
const table = (fields: string, inner = ""): string =>
  `pack.addSyncTable({ name: "T", identityName: "T", ${fields}schema: coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.String } }, idProperty: "id", displayProperty: "id" }), formula: { name: "S", description: "S.", parameters: [], ${inner}execute: async () => ({ result: [] }) } });\n`;

const WRONG: Readonly<Record<string, string>> = {
  "one formula": packOf(`${BASIC}${formula(NONE)}`),
  "two formulas": packOf(`${BASIC}${formula(NONE)}${formula(NONE, "B")}`),
  "a table": packOf(`${BASIC}${table(NONE)}`),
  "a table by its formula": packOf(`${BASIC}${table("", NONE)}`),
  "by its value": packOf(`${BASIC}${formula('connectionRequirement: "none" as any, ')}`),
  "behind a constant": packOf(
    `const REQUIREMENT = coda.ConnectionRequirement.None;\n${BASIC}${formula("connectionRequirement: REQUIREMENT, ")}`,
  ),
  "over files, in JavaScript": `// @file: pack.js
const coda = require("@codahq/packs-sdk");
const pack = coda.newPack();
module.exports = { pack };
pack.addNetworkDomain("acme.example");
require("./formulas").add(pack);
${BASIC}// @file: formulas.js
const coda = require("@codahq/packs-sdk");
exports.add = (pack) => { ${formula(NONE)} };
`,
};

describe("an account that each formula declines", function () {
  this.timeout(60_000);
  for (const [name, source] of Object.entries(WRONG))
    it(`the unused account is flagged: ${name}`, async () => {
      assert.deepEqual(flaggedBy("requirement-never", source), ["warning setUserAuthentication"]);
      assert.deepEqual(await problemsOf(split(source)), []);
    });
});

staySilent("an account that something uses", {
  "by the default": packOf(`${BASIC}${formula("")}${formula(NONE, "B")}`),
  "by its own word": packOf(`${BASIC}${formula(NONE)}${formula("connectionRequirement: coda.ConnectionRequirement.Optional, ", "B")}`),
  perhaps: packOf(`${BASIC}${formula("connectionRequirement: process.env.X as any, ")}`),
  "by a spread": packOf(`import { MORE } from "our-formulas";\n${BASIC}${formula("...MORE, ")}`),
  "by a parameter's suggestions": packOf(
    `${BASIC}${formula(`${NONE}`).replace("parameters: []", 'parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "p", description: "P.", autocomplete: async (context) => [] })]')}`,
  ),
  "by formulas of a package": packOf(`import { addFormulas } from "our-formulas";\n${BASIC}addFormulas(pack);\n${formula(NONE)}`),
  "in a pack for all users": packOf(`pack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n${formula(NONE)}`),
  "in a pack that is being written": packOf(BASIC),
});
