import { unsuitedField } from "../configuration/observation.ts";
import { oauth2, observationRule } from "../rule.ts";

export default observationRule({
  id: "seen-endpoint-in-token",
  severity: "information",
  docs: `The token response named an address under the pack's domains, and \`endpointKey\` does not name it.

A sign-in showed this. Set \`endpointKey\` if requests should go to that address. Some providers send the account's address with the token, such as Salesforce's \`instance_url\`. With \`endpointKey\` relative URLs go there, and \`context.endpoint\` is that address.`,
  examples: [
    { bad: oauth2`«type»`, evidence: { code: "endpoint-in-token", names: ["instance_url"] }, fixed: oauth2`endpointKey: "instance_url",` },
    { good: oauth2`endpointKey: "instance_url",` },
  ],
  reports: {
    *"endpoint-in-token"(pack, auth, [key]) {
      if (key === undefined) return;
      const message = `Set endpointKey to ${JSON.stringify(key)} if requests belong there. The token response has an address of the pack's domains there.`;
      yield unsuitedField(pack, auth, "endpointKey", key, message);
    },
  },
});
