import { goesWithout, mayHaveAnyEndpoint } from "../configuration/endpoint-source.ts";
import type { PackModel } from "../model/pack.ts";
import { reachableCode } from "../pack/reachable-code.ts";
import { hasOwnFetch } from "../requests/requests.ts";
import { bearer, pack, rule } from "../rule.ts";

export default rule({
  id: "endpoint-without-source",
  severity: "error",
  verdict: "fails-when-run",
  source: "auth-spec 5.7.2",
  docs: `The pack uses the account's endpoint, but no account can have one.

Let the authentication set an endpoint, or use an absolute URL. There are three ways: \`requiresEndpointUrl\` (the user enters it), \`endpointKey\` (OAuth2, it comes with the token) and a SetEndpoint step in \`postSetup\` (the user chooses). Without one \`context.endpoint\` is undefined, and a relative URL leads nowhere. Functions that are never called are not flagged.`,
  examples: [
    {
      bad: bearer`
        getConnectionName: async function (context) {
          let response = await context.fetcher.fetch({ method: "GET", url: «"/me"» });
          return response.body.name;
        },`,
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
        async function get(context) {
          return context.fetcher.fetch({ method: "GET", url: \`\${«context.endpoint»}/me\` });
        }
        pack.addFormula({
          ...Me,
          execute: async ([], context) => (await get(context)).body.name,
        });`,
    },
    {
      good: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
        // Nothing calls it.
        export async function former(context) {
          return context.fetcher.fetch({ method: "GET", url: context.endpoint + "/me" });
        }`,
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
        export async function get(context, base) {
          return context.fetcher.fetch({ method: "GET", url: \`\${base || «context.endpoint»}/me\` });
        }
        pack.addFormula({
          ...Me,
          execute: async ([], context) => (await get(context)).body.name,
        });`,
    },
    {
      good: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
        export async function get(context) {
          let base = context.endpoint ?? "https://acme.example";
          if (context.endpoint) base = context.endpoint + "/v2";
          return context.fetcher.fetch({ method: "GET", url: base + "/me" });
        }
        pack.addFormula({
          ...Me,
          execute: async ([], context) => (await get(context)).body.name,
        });`,
    },
    {
      good: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, requiresEndpointUrl: true });
        pack.addFormula({
          ...Me,
          execute: async ([], context) => (await context.fetcher.fetch({ method: "GET", url: "/me" })).body.name,
        });`,
    },
  ],
  on: {
    *file(pack, { endpointUses }) {
      if (endpointUses.length === 0 || mayHaveAnyEndpoint(pack)) return;
      for (const use of endpointUses) {
        const without = goesWithout(pack, use);
        if (without !== "yes" && reachableCode(pack).has(use.place))
          yield {
            place: use.place,
            // The alternative before the endpoint may always have a value.
            ...(without === "perhaps" ? { severity: "warning" as const } : {}),
            message: `Check first whether there is an endpoint, or give accounts one. This is undefined: ${whyNone(pack)}.`,
          };
      }
    },
    *request(pack, request) {
      const needing = request.urls.filter(({ relative, guarded }) => relative && !guarded);
      if (needing.length === 0 || mayHaveAnyEndpoint(pack)) return;
      // The pack's own fetch function may complete a relative URL.
      if (hasOwnFetch(pack) || !reachableCode(pack).has(request.place)) return;
      for (const { beginning: place, leadingText } of needing)
        yield {
          place,
          message: `Use an absolute URL, or give accounts an endpoint. ${leadingText} is relative to it, so the request fails: ${whyNone(pack)}.`,
        };
    },
  },
});

const whyNone = ({ auths }: PackModel): string =>
  auths.length === 0
    ? "the pack has no authentication that sets one"
    : "the authentication has neither requiresEndpointUrl nor endpointKey nor a SetEndpoint step";
