// Domains with a character that nobody sees.
import assert from "node:assert/strict";
import { flagged } from "../../support/flagged.ts";
import { uploadProblemsOfSource } from "../../support/validator.ts";

describe("nearly right domains", () => {
  for (const domain of ["acme\u200b.com", "\ufeffacme.com"])
    it(`an invisible character is an error, and the upload accepts it: ${JSON.stringify(domain)}`, async () => {
      const source = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("${domain}");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n`;
      assert.deepEqual(flagged(source), [`error network-domain-form: "${domain}"`]);
      assert.deepEqual(await uploadProblemsOfSource(source), []);
    });
});
