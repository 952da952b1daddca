// The services that pack authors connect: each has a page whose configuration checks clean. The deep test of all pages signs in with them.
import assert from "node:assert/strict";
import { providerById } from "../../../spec/providers.ts";
import { removePackFiles } from "../../support/pack-file.ts";
import { assertClean } from "../../support/proved.ts";
import { providerProposals } from "../../support/provider-proposals.ts";

/** The services of the packs that are published, or asked for in public, by the ID of their page. */
const SERVICES = `hubspot airtable linear clickup attio calendly intercom miro gong pipedrive xero webflow monday figma zoho notion
  productboard front sentry pagerduty klaviyo openai sendgrid freshdesk greenhouse google microsoft slack github gitlab atlassian asana
  todoist trello salesforce zendesk shopify stripe intuit dropbox box zoom discord linkedin twitter2 spotify typeform mailchimp docusign
  smartsheet`.split(/\s+/);

describe("Services that pack authors connect", function () {
  this.timeout(60_000);
  after(removePackFiles);

  it("fifty services have a page", () => {
    assert.equal(SERVICES.length, 50);
    assert.deepEqual(
      SERVICES.filter((id) => providerById(id) === undefined),
      [],
    );
  });

  for (const id of SERVICES)
    it(`${id}: each way to sign in is written into a pack that checks clean`, async () => {
      for (const proposal of await providerProposals(id)) assertClean(proposal);
    });
});
