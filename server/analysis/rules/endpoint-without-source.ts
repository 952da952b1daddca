import { goesWithout, mayHaveEndpoint } from "../endpoint-source.ts";
import { reachableCode } from "../reachable-code.ts";
import { requestsOf } from "../requests.ts";
import { rule } from "../rule.ts";

/** `fetch: (request) => …`, `async fetch(request) { … }`. */
const OWN_FETCH = /\bfetch\s*(?::\s*(?:async\b|function\b|\(|\w+\s*=>)|(?:<[^<>]*>)?\([^()]*\)\s*(?::[^={}():]*)?\{)/;

export default rule({
  id: "endpoint-without-source",
  severity: "error",
  source: "auth-spec 5.7.2",
  about: "endpoint",
  docs: `The account's endpoint is used, and no account can have one.

\`context.endpoint\` is undefined, and a relative URL has nothing to be joined to, unless the authentication sets an endpoint: \`requiresEndpointUrl\` (the user enters it), \`endpointKey\` (OAuth2: it comes with the token) or a SetEndpoint step in \`postSetup\` (the user chooses). Add one of them, or use an absolute URL. A function that nothing calls is left alone.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.HeaderBearerToken,\n  getConnectionName: async function (context) {\n    let response = await context.fetcher.fetch({ method: "GET", url: «"/me"» });\n    return response.body.name;\n  },\n});\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\nasync function get(context) {\n  return context.fetcher.fetch({ method: "GET", url: \`\${«context.endpoint»}/me\` });\n}\npack.addFormula({\n  name: "Me",\n  description: "Me.",\n  parameters: [],\n  resultType: coda.ValueType.String,\n  execute: async ([], context) => (await get(context)).body.name,\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n// Nothing calls it.\nexport async function former(context) {\n  return context.fetcher.fetch({ method: "GET", url: context.endpoint + "/me" });\n}\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\nexport async function get(context, base) {\n  return context.fetcher.fetch({ method: "GET", url: \`\${base || «context.endpoint»}/me\` });\n}\npack.addFormula({\n  name: "Me",\n  description: "Me.",\n  parameters: [],\n  resultType: coda.ValueType.String,\n  execute: async ([], context) => (await get(context)).body.name,\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\nexport async function get(context) {\n  let base = context.endpoint ?? "https://example.com";\n  if (context.endpoint) base = context.endpoint + "/v2";\n  return context.fetcher.fetch({ method: "GET", url: base + "/me" });\n}\npack.addFormula({\n  name: "Me",\n  description: "Me.",\n  parameters: [],\n  resultType: coda.ValueType.String,\n  execute: async ([], context) => (await get(context)).body.name,\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, requiresEndpointUrl: true });\npack.addFormula({\n  name: "Me",\n  description: "Me.",\n  parameters: [],\n  resultType: coda.ValueType.String,\n  execute: async ([], context) => (await context.fetcher.fetch({ method: "GET", url: "/me" })).body.name,\n});\n`,
    },
  ],
  *check(pack) {
    if (!pack.authsComplete || pack.auths.some((auth) => mayHaveEndpoint(pack, auth))) return;
    const what =
      pack.auths.length === 0
        ? "the pack has no authentication that sets one"
        : "its authentication sets none: neither requiresEndpointUrl nor endpointKey nor a SetEndpoint step is there";
    for (const { endpointUses } of pack.facts)
      for (const use of endpointUses) {
        const without = goesWithout(pack, use);
        if (without !== "yes" && reachableCode(pack).has(use))
          yield {
            place: { file: use.file, start: use.start, end: use.end },
            // What stands before it may always be there.
            ...(without === "perhaps" ? { severity: "warning" as const } : {}),
            message: `No account of this pack has an endpoint, so this is undefined: ${what}. Add one of them, or look whether there is one first.`,
          };
      }
    const seen = new Set<string>();
    // What is relative may be completed by a fetch of one's own, under whichever name that comes.
    let own: boolean | undefined;
    const hasOwnFetch = (): boolean => {
      own ??= pack.facts.some(({ text }) => OWN_FETCH.test(text));
      return own;
    };
    for (const request of requestsOf(pack).all) {
      if (!request.urls.some(({ relative, guarded }) => relative && !guarded)) continue;
      for (const { relative, guarded, beginning: place, known } of request.urls) {
        const key = `${place.file}:${place.start}`;
        if (!relative || guarded || seen.has(key) || hasOwnFetch() || !reachableCode(pack).has(request.place)) continue;
        seen.add(key);
        yield {
          place,
          message: `${known} is relative to the account's endpoint, and no account of this pack has one, so the request fails: ${what}. Use an absolute URL, or add one of them.`,
        };
      }
    }
  },
});
