import { functionsOf } from "../functions-of.ts";
import { requestsOf } from "../requests.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "auth-set-late",
  severity: "warning",
  source: "auth-spec 4",
  about: "lateSetting",
  docs: `The authentication is set while a formula runs.

The platform reads a pack's definition when the pack is loaded, once, before anything of it runs. A call of \`setUserAuthentication\`, \`setSystemAuthentication\` or \`addNetworkDomain\` inside a formula, a sync table or a function of the authentication changes nothing. Call it at the top level of the file.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.addFormula({\n  name: "SignIn",\n  description: "Signs in.",\n  parameters: [],\n  resultType: coda.ValueType.String,\n  execute: async function ([], context) {\n    pack.«setUserAuthentication»({ type: coda.AuthenticationType.HeaderBearerToken });\n    return "";\n  },\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\nfunction setUp() {\n  pack.addNetworkDomain("example.com");\n  pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n}\nsetUp();\n`,
    },
  ],
  *check(pack) {
    const setters = pack.facts.flatMap(({ calls }) =>
      calls.filter(({ method, within }) => within !== undefined && /^(?:set(?:User|System)Authentication|addNetworkDomain)$/.test(method)),
    );
    if (setters.length === 0) return;
    const definitions = [...pack.runnables.flatMap(({ definition }) => definition ?? []), ...pack.auths.map(({ config }) => config)];
    const running = definitions.flatMap((definition) =>
      functionsOf(pack, definition).functions.flatMap((value) => requestsOf(pack).reachedFrom(value).functions),
    );
    for (const { file, start, nameSpan, method } of setters)
      if (running.some((place) => place.file === file && place.start < start && start < place.end))
        yield {
          place: { file, ...nameSpan },
          message: `${method} is called while the pack runs; the platform has read the pack's definition by then, and this changes nothing. Call it at the top level of the file.`,
        };
  },
});
