// What reads a literal that is nearly right: the upload validator, and what requests a URL. test/analysis/cases/values/literals.case has the findings.
import assert from "node:assert/strict";
import { inJavaScript } from "../../mutants/random-agreement.ts";
import { analyse, split } from "../../support/analyse.ts";
import { problemsOf } from "../../support/judged.ts";
import { createQuickValidator } from "../../support/validator.ts";

const judged = async (setter: string, requirement = "Required") => {
  const files = split(
    `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n${setter}pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, connectionRequirement: coda.ConnectionRequirement.${requirement}, execute: async () => "" });\n`,
  );
  const findings = analyse(files, { toolkit: true }).diagnostics("/pack/pack.ts");
  return { problems: await problemsOf(files), findings: findings.map(({ severity, message }) => `${severity} ${message}`) };
};

describe("literal values", () => {
  it("an empty former name in the system authentication is an error", async () => {
    const setter =
      'pack.setSystemAuthentication({ type: coda.AuthenticationType.WebBasic, postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Choose", getOptions: async () => [], getOptionsFormula: false }] });\n';
    assert.match((await judged(setter, "None")).findings.join("\n"), /^error .*The upload rejects the former name/m);
    const source = `pack.addNetworkDomain("example.com");\n${setter}`;
    assert.match(createQuickValidator()(inJavaScript({ body: source })) ?? "", /getOptionsFormula/);
  });

  // What reads a URL puts missing slashes in, and takes blanks around it off: such a token URL works.
  for (const repaired of ["https:/login.acme-api.com/t", " https://login.acme-api.com/t", "HTTPS://LOGIN.ACME-API.COM/t"])
    it(`${JSON.stringify(repaired)} is read as an address that works, without findings`, async () => {
      assert.equal(new Request(repaired).url, "https://login.acme-api.com/t");
      const setter = `pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: ${JSON.stringify(repaired)} });\n`;
      assert.deepEqual(await judged(setter), { problems: [], findings: [] });
    });

  for (const broken of ["ftp://example.com/t", "mailto:a@example.com"])
    it(`${broken} cannot be fetched`, () => assert.rejects(fetch(broken), /fetch failed/));
});
