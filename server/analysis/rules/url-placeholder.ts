import { customAuths, customParamNames, placeholderOf } from "../configuration/config.ts";
import { leftOverIn } from "../domains/left-over.ts";
import { hostOf, staticText } from "../domains/url-value.ts";
import type { ConfigField } from "../model/pack.ts";
import { mapped } from "../requests/partial-text.ts";
import { placeIn } from "../requests/placeholder-texts.ts";
import { hasOwnFetch } from "../requests/requests.ts";
import { pack, rule } from "../rule.ts";

export default rule({
  id: "url-placeholder",
  severity: "warning",
  source: "auth-spec 2",
  docs: `A URL of the configuration, or of a request, still contains a placeholder of a template.

Write the provider's own URL. Nothing replaces a placeholder such as example.com, YOUR_…, TODO, \`<your-app>\` or \`{tenant}\`, so nobody can sign in. If each account has its own URL, let the user enter it (\`requiresEndpointUrl\`), choose it (\`postSetup\`), or take it from the token response (\`endpointKey\`). In a request, write \`\${userId}\` between backquotes.`,
  examples: [
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: «"https://example.com/authorize"», tokenUrl: «"https://your-domain.acme.example/token"» });`,
    },
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: «"https://{tenant}.acme.example/authorize"», tokenUrl: «"https://login.acme.example/YOUR_TENANT/token"», instructionsUrl: «"https://acme.example/TODO"» });`,
    },
    {
      bad: pack`
        pack.addFormula({
          name: "Items",
          description: "Items.",
          parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "userId", description: "The user." })],
          resultType: coda.ValueType.String,
          execute: async ([userId], context) => (await context.fetcher.fetch({ method: "GET", url: "https://acme.example/users/«{userId}»/items" })).body,
        });`,
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://acme.example/authorize", tokenUrl: "https://acme.example/token" });
        export const me = (context) => context.fetcher.fetch({ method: "GET", url: "https://acme.example/me?access_token=«{{token}}»&q={{query}}" });`,
    },
    {
      good: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://todo.acme.example/oauth/authorize", tokenUrl: "https://login.yourls.example/token" });`,
    },
  ],
  on: {
    *auth(pack, { fields }) {
      for (let index = 0; index < fields.length; index++) {
        const { field, property } = fields[index] as ConfigField;
        const left = field.kind === "url" ? leftOver(staticText(pack.resolve(property.value)) ?? "") : undefined;
        if (left === undefined) continue;
        const { name } = field;
        yield {
          place: property.value.place,
          message: `Write the provider's own URL. ${name} still contains ${left} from a template, ${name === "instructionsUrl" ? "so the link in the connect dialog leads nowhere" : "so nobody can sign in"}.`,
        };
      }
    },
    *request(pack, { urls }) {
      for (const { chosen, text, pieces } of urls) {
        if (chosen || !text.includes("{")) continue;
        const [path = ""] = text.split("?", 1);
        for (const { 0: whole, 1: left = "", index } of [...path.matchAll(LEFT_IN_REQUEST), ...text.matchAll(LEFT_IN_QUERY)]) {
          // Another rule reports placeholders of Custom authentication.
          if (left.startsWith("{{") && customAuths(pack).length > 0) continue;
          const start = index + whole.length - left.length;
          const place = hasOwnFetch(pack) ? undefined : placeIn(pack, mapped(pieces), start, start + left.length);
          const param = left.replace(/[${}]/g, "");
          if (place !== undefined)
            yield {
              place,
              message: customParamNames(pack)?.has(param)
                ? `Write ${placeholderOf(param)}. Nothing replaces ${left}, so the request is sent without the value of ${param}.`
                : `Fill in ${left}. Nothing replaces it, so the request is sent with it.`,
            };
        }
      }
    },
  },
});

/** A name in the host or at the beginning of a path's segment: `/{userId}/`, `/{{userId}}/`, and a template's `/${userId}/`. */
const LEFT_IN_REQUEST = /(?:^https?:\/\/[\w.-]*|\/)(\$?\{[a-z_]\w*\}|\{\{[a-z_]\w*\}\})(?=[/?#.:-]|$)/gi;

/** A credential in the query, which may contain any other text: `?access_token={{token}}`. */
const LEFT_IN_QUERY = /[?&][\w.-]*(?:token|key|secret|password|auth)=(\{\{[a-z_][\w-]*\}\})(?=[&#]|$)/gi;

function leftOver(text: string): string | undefined {
  const host = hostOf(text);
  return host !== undefined && /(?:^|\.)example\.(?:com|org|net)$/.test(host) ? host : leftOverIn(text);
}
