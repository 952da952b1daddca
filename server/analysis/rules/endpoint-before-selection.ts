import { fix, propertyOf } from "../config.ts";
import { endpointSteps, goesWithout, mayHaveEndpointAtOnce } from "../endpoint-source.ts";
import { returnsOf } from "../function-facts.ts";
import type { FileFacts, Finding, Fix, ObjectValue, PackModel, Place, Span, Value } from "../model.ts";
import { requestsOf } from "../requests.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "endpoint-before-selection",
  severity: "warning",
  source: "auth-spec 5.6.5",
  fields: ["postSetup"],
  docs: `A function needs the endpoint before the user has chosen one.

With a SetEndpoint step, \`getConnectionName\` runs twice: before the choice, when there is no \`context.endpoint\` and a relative URL leads nowhere, and after it. The first run would fail. Return a generic name (or an empty one) while \`context.endpoint\` is not there. \`getOptions\` makes the list to choose from, so it runs only before: use absolute URLs in it.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.HeaderBearerToken,\n  postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Choose", getOptions: async () => [] }],\n  getConnectionName: async function (context) {\n    let user = await «getUser»(context);\n    return user.name;\n  },\n});\nasync function getUser(context) {\n  let response = await context.fetcher.fetch({ method: "GET", url: "/me" });\n  return response.body;\n}\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.HeaderBearerToken,\n  postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Choose", getOptions: async () => [] }],\n  getConnectionName: async function (context) {\n    if (!context.endpoint) return "";\n    let user = await getUser(context);\n    return user.name;\n  },\n});\nasync function getUser(context) {\n  let response = await context.fetcher.fetch({ method: "GET", url: "/me" });\n  return response.body;\n}\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.HeaderBearerToken,\n  postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Choose", getOptions: async () => [] }],\n  getConnectionName: async function (context) {\n    return «context.endpoint».split("//")[1];\n  },\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.HeaderBearerToken,\n  postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Choose", getOptions: async () => [] }],\n  getConnectionName: async function (context) {\n    if (!context.endpoint) {\n      return "Example";\n    }\n    let response = await context.fetcher.fetch({ method: "GET", url: "/me" });\n    return \`\${response.body.name} (\${context.endpoint})\`;\n  },\n});\n`,
    },
  ],
  *check(pack) {
    for (const auth of pack.auths) {
      const steps = endpointSteps(pack, auth);
      if (steps.length === 0 || auth.config.open || mayHaveEndpointAtOnce(pack, auth)) continue;
      yield* needs(pack, auth.config, "getConnectionName", "runs once before the user has chosen one");
      for (const step of steps)
        for (const name of ["getOptions", "getOptionsFormula"])
          yield* needs(pack, step, name, "makes the list that the user chooses one from");
    }
  },
});

function* needs(pack: PackModel, object: ObjectValue, name: string, when: string): Iterable<Finding> {
  const property = propertyOf(object, name);
  const value = property === undefined ? undefined : pack.resolve(property.value);
  const place = value?.kind === "function" ? firstNeed(pack, value, new Set()) : undefined;
  if (value?.kind !== "function" || place === undefined) return;
  yield {
    place,
    message: `${name} ${when}: then there is no endpoint, and this fails. ${name === "getConnectionName" ? "Return a generic name, or an empty one, while context.endpoint is not there." : "Use an absolute URL."}`,
    fixes: () => (name === "getConnectionName" ? guard(pack, value) : []),
  };
}

/** The first place in the function that cannot do without the endpoint: a use, a relative URL, a call of a function with one. */
function firstNeed(pack: PackModel, inside: Place, seen: Set<string>): Place | undefined {
  const key = `${inside.start}:${inside.file}`;
  const facts: FileFacts | undefined = pack.facts.find(({ file }) => file === inside.file);
  if (seen.has(key) || facts === undefined) return undefined;
  seen.add(key);
  const within = ({ start, end }: Span): boolean => inside.start <= start && end <= inside.end;
  const places: Place[] = facts.endpointUses.filter((use) => within(use) && goesWithout(pack, use) === "no");
  const reach = requestsOf(pack).reachedFrom({ kind: "function", async: true, ...inside });
  for (const { call, urls, place } of reach.requests) {
    if (call.file !== inside.file || !within(call) || call.guarded || urls.length === 0 || !urls.every(({ relative }) => relative))
      continue;
    const [url] = urls;
    places.push(url !== undefined && url.place.file === inside.file && within(url.place) ? url.place : place);
  }
  for (const { call, to } of reach.calls)
    if (call.file === inside.file && within(call) && !call.guarded && firstNeed(pack, to, seen) !== undefined) places.push(call.callee);
  const [first] = places.sort((a, b) => a.start - b.start);
  return first && { file: first.file, start: first.start, end: first.end };
}

function guard(pack: PackModel, value: Value & { readonly kind: "function" }): readonly Fix[] {
  const source = pack.text(value.file);
  const { bodyAt, parameter } = returnsOf(value, source) ?? {};
  if (bodyAt === undefined || parameter === undefined) return [];
  const line = /^[^\S\r\n]*(\r?\n)([ \t]*)/.exec(source.slice(bodyAt));
  const text = `if (!${parameter}.endpoint) return "";`;
  return [
    fix("Return an empty name while there is no endpoint", {
      file: value.file,
      start: bodyAt,
      end: bodyAt,
      text: line === null ? ` ${text}` : `${line[1]}${line[2]}${text}`,
    }),
  ];
}
