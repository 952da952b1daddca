import { hasCredential } from "../../../spec/auth-types.ts";
import { fieldValue, fix, isAbsent, nameOf, propertyOf, removal } from "../configuration/config.ts";
import { pack, rule } from "../rule.ts";
import { insertProperty, replace } from "../text/edit.ts";

export default rule({
  id: "endpoint-domain-unused",
  severity: "warning",
  source: "auth-spec 2.1",
  docs: `The configuration has an \`endpointDomain\`, but no account has an endpoint.

Set \`requiresEndpointUrl: true\`, or remove \`endpointDomain\`. It checks the endpoint URL that the user enters, and nothing asks for one. Which domains get requests is decided by \`addNetworkDomain\` and \`networkDomain\`.

With \`endpointKey\` or a SetEndpoint step it is not flagged. Today's Packs SDK compares every endpoint with it, and refuses requests to others. It also has an effect if several domains are declared and it names the one that gets the credentials.`,
  examples: [
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, «endpointDomain»: "acme.example" });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, endpointDomain: "acme.example", requiresEndpointUrl: true });`,
    },
    {
      good: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, requiresEndpointUrl: true, endpointDomain: "acme.example" });`,
    },
    {
      good: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t", endpointKey: "instance_url", endpointDomain: "acme.example" });`,
    },
  ],
  on: {
    *auth(pack, auth) {
      const property = !hasCredential(auth.type) ? undefined : propertyOf(auth.config, "endpointDomain");
      if (property === undefined || isAbsent(pack, auth, "endpointDomain") || auth.config.open) return;
      const declared = new Set(pack.domains.declared.map((domain) => domain.value));
      const requires = fieldValue(pack, auth, "requiresEndpointUrl");
      // The rule field-unknown reports a misspelt field.
      const isMisspelt = requires === undefined && !isAbsent(pack, auth, "requiresEndpointUrl");
      const isEndpointRequired =
        requires !== undefined && requires.kind !== "undefined" && !(requires.kind === "boolean" && !requires.value);
      // The current SDK compares endpoints of other sources with the domain. If there are several domains, the field selects one (5.7.4).
      const isOfUse =
        !isAbsent(pack, auth, "endpointKey") ||
        !isAbsent(pack, auth, "postSetup") ||
        ((declared.size !== 1 || !pack.domains.complete) && isAbsent(pack, auth, "networkDomain"));
      if (isEndpointRequired || isMisspelt || isOfUse) return;
      const requiresProperty = propertyOf(auth.config, "requiresEndpointUrl");
      yield {
        place: nameOf(property),
        message:
          "Set requiresEndpointUrl: true, or remove endpointDomain. It checks the endpoint URL that the user enters, and nothing asks for one.",
        fixes: () => [
          // With OAuth2, the platform does not ask users for an endpoint (auth-spec 5.7.3).
          ...(auth.type === "OAuth2"
            ? []
            : [
                fix(
                  "Ask for the endpoint URL (requiresEndpointUrl: true)",
                  requiresProperty === undefined
                    ? insertProperty(pack, auth.config, "requiresEndpointUrl: true")
                    : replace(requiresProperty.value.place, "true"),
                ),
              ]),
          ...removal(pack, auth.config, property),
        ],
      };
    },
  },
});
