import { fieldValue, fix, headOf, isTrue, nameOf, propertyOf, removal } from "../configuration/config.ts";
import { hasNoEndpointKey } from "../configuration/endpoint-source.ts";
import { enumText } from "../configuration/starter-values.ts";
import { isAbsoluteUrl } from "../domains/url-value.ts";
import type { Fix } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { ObjectValue, Property } from "../model/values.ts";
import { oauth2, pack, rule } from "../rule.ts";
import { replace } from "../text/edit.ts";

export default rule({
  id: "oauth2-manual-endpoint",
  severity: "error",
  verdict: "will-be-rejected",
  rejectedSince: "1.8.6",
  source: "auth-spec 5.7.3",
  docs: `An OAuth2 configuration asks the user to type an endpoint.

Take the endpoint from the token response (\`endpointKey\`), or let the user choose one afterwards (\`postSetup\`). With absolute URLs the platform rejects \`requiresEndpointUrl\`. If both URLs are root-relative, the Packs SDK accepts it, and this is only information. With \`endpointKey\`, as in its sample for Salesforce, users type nothing.`,
  examples: [
    { bad: oauth2`«requiresEndpointUrl»: true,`, fixed: oauth2`endpointKey: "endpoint_url",` },
    {
      good: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t", endpointKey: "url" });`,
    },
    {
      good: oauth2`
        requiresEndpointUrl: true,
        endpointDomain: "acme.example",
        endpointKey: "instance_url",`,
    },
  ],
  on: {
    *auth(pack, auth) {
      if (auth.type !== "OAuth2" || !isTrue(pack, auth, "requiresEndpointUrl")) return;
      const property = propertyOf(auth.config, "requiresEndpointUrl");
      const place = property === undefined ? headOf(auth) : nameOf(property);
      const absolute = ["authorizationUrl", "tokenUrl"].some((name) => isAbsoluteUrl(fieldValue(pack, auth, name)));
      const withoutKey = hasNoEndpointKey(pack, auth);
      if (absolute && withoutKey) {
        yield {
          place,
          message:
            "Take the endpoint from the token response (endpointKey), or let the user choose one (postSetup). The platform rejects requiresEndpointUrl with the absolute URLs of OAuth2.",
          ...(property === undefined
            ? {}
            : { fixes: () => [...otherSources(pack, auth.config, property), ...removal(pack, auth.config, property)] }),
        };
      } else if (withoutKey) {
        yield {
          place,
          severity: "information",
          message:
            "Try this on the platform before you rely on it. The Packs SDK accepts an endpoint that users enter with OAuth2 in this form, and its documentation does not describe it.",
        };
      }
    },
  },
});

/**
 * Offers the two sources of an endpoint that OAuth2 has (auth-spec 5.7.3), if the configuration has neither and the field can be removed.
 */
function otherSources(pack: PackModel, object: ObjectValue, property: Property): readonly Fix[] {
  if (removal(pack, object, property).length === 0) return [];
  if (["endpointKey", "postSetup"].some((name) => propertyOf(object, name) !== undefined)) return [];
  const place = property.span;
  const step = enumText(pack, object.place.file, "PostSetupType", "SetEndpoint");
  return [
    fix("Take the endpoint from the token response (endpointKey)", replace(place, 'endpointKey: "endpoint_url"')),
    fix(
      "Let the user choose the endpoint (postSetup)",
      replace(
        place,
        `postSetup: [{ type: ${step}, name: "SelectEndpoint", description: "Choose an endpoint", getOptions: async (context) => [] }]`,
      ),
    ),
  ];
}
