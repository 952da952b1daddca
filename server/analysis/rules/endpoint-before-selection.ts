import { endpointSteps, fix, valueIn } from "../configuration/config.ts";
import { goesWithout, mayHaveEndpointAtOnce } from "../configuration/endpoint-source.ts";
import type { FileFacts } from "../model/facts.ts";
import type { Finding, Fix } from "../model/findings.ts";
import type { FunctionReturns } from "../model/function-facts.ts";
import type { PackModel } from "../model/pack.ts";
import type { ObjectValue, Place, Span } from "../model/values.ts";
import { requestsOf } from "../requests/requests.ts";
import { bearer, rule } from "../rule.ts";
import { replace } from "../text/edit.ts";

export default rule({
  id: "endpoint-before-selection",
  severity: "warning",
  source: "auth-spec 5.6.5",
  docs: `A function needs the endpoint before the user has chosen one.

With a SetEndpoint step, \`getConnectionName\` runs twice, before and after the choice. Before it there is no \`context.endpoint\`, and a relative URL leads nowhere. The first run would fail. Return a generic name (or an empty one) while \`context.endpoint\` is not there. \`getOptions\` makes the list to choose from, so it runs only before the choice. Use absolute URLs in it.`,
  examples: [
    {
      bad: bearer`
        postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Choose", getOptions: async () => [] }],
        getConnectionName: async function (context) {
          let user = await «getUser»(context);
          return user.name;
        },

        async function getUser(context) {
          let response = await context.fetcher.fetch({ method: "GET", url: "/me" });
          return response.body;
        }`,
      change: ["let", 'if (!context.endpoint) return "";\n    let'],
    },
    {
      bad: bearer`
        postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Choose", getOptions: async () => [] }],
        getConnectionName: async function (context) {
          return «context.endpoint».split("//")[1];
        },`,
    },
    {
      good: bearer`
        postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Choose", getOptions: async () => [] }],
        getConnectionName: async function (context) {
          if (!context.endpoint) {
            return "Example";
          }
          let response = await context.fetcher.fetch({ method: "GET", url: "/me" });
          return \`\${response.body.name} (\${context.endpoint})\`;
        },`,
    },
  ],
  on: {
    *configuration(pack, auth) {
      const steps = endpointSteps(pack, auth);
      if (steps.length === 0 || auth.config.open || mayHaveEndpointAtOnce(pack, auth)) return;
      yield* needs(pack, auth.config, "getConnectionName", "runs once before the user has chosen one");
      for (const step of steps)
        for (const name of ["getOptions", "getOptionsFormula"])
          yield* needs(pack, step, name, "makes the list that the user chooses one from");
    },
  },
});

function* needs(pack: PackModel, object: ObjectValue, name: string, when: string): Iterable<Finding> {
  const value = valueIn(pack, object, name);
  const place = value?.kind === "function" ? firstNeed(pack, value.place, new Set()) : undefined;
  if (value?.kind !== "function" || place === undefined) return;
  const returns = pack.functionAt(value.place);
  yield {
    place,
    message: `${name === "getConnectionName" ? "Return a generic name, or an empty one, while context.endpoint is not there." : "Use an absolute URL."} ${name} ${when}: then there is no endpoint, and this fails.`,
    fixes: () => (name === "getConnectionName" ? guard(pack, returns) : []),
  };
}

/** Returns the first place in the function that requires the endpoint: a use, a relative URL, or a call of such a function. */
function firstNeed(pack: PackModel, inside: Place, visitedKeys: Set<string>): Place | undefined {
  const key = `${inside.start}:${inside.file}`;
  const facts: FileFacts | undefined = pack.facts.find(({ file }) => file === inside.file);
  if (visitedKeys.has(key) || facts === undefined) return undefined;
  visitedKeys.add(key);
  const within = ({ start, end }: Span): boolean => inside.start <= start && end <= inside.end;
  const uses = facts.endpointUses.filter((use) => within(use.place) && goesWithout(pack, use) === "no");
  const places = uses.map(({ place }) => place);
  const reach = requestsOf(pack).reachedFrom({ kind: "function", async: true, place: inside });
  for (const { call, urls, place } of reach.requests) {
    if (
      call.place.file !== inside.file ||
      !within(call.place) ||
      call.guarded ||
      urls.length === 0 ||
      !urls.every(({ relative }) => relative)
    )
      continue;
    const [url] = urls;
    places.push(url !== undefined && url.place.file === inside.file && within(url.place) ? url.place : place);
  }
  for (const { call, to } of reach.calls)
    if (call.place.file === inside.file && within(call.place) && !call.guarded && firstNeed(pack, to, visitedKeys) !== undefined)
      places.push(call.callee.place);
  const [first] = places.sort((a, b) => a.start - b.start);
  return first && { file: first.file, start: first.start, end: first.end };
}

function guard(pack: PackModel, { bodyAt, parameters: [parameter] = [] }: Partial<FunctionReturns> = {}): readonly Fix[] {
  if (bodyAt === undefined || parameter === undefined) return [];
  const line = /^[^\S\r\n]*(\r?\n)([ \t]*)/.exec(pack.text(bodyAt.file).slice(bodyAt.start));
  const text = `if (!${parameter}.endpoint) return "";`;
  return [
    fix("Return an empty name while there is no endpoint", replace(bodyAt, line === null ? ` ${text}` : `${line[1]}${line[2]}${text}`)),
  ];
}
