import { closest } from "../closest.ts";
import { respell } from "../config.ts";
import { keyOf } from "../context-callers.ts";
import { replace } from "../edit.ts";
import { functionsOf } from "../functions-of.ts";
import type { PackModel } from "../model.ts";
import { rule } from "../rule.ts";

const PACK = (body: string): string =>
  `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.HeaderBearerToken,\n  getConnectionName: async function (context) {\n    ${body}\n  },\n});\n`;

export default rule({
  id: "context-member-unknown",
  severity: "warning",
  source: "auth-spec 2.5",
  docs: `Something is read of the context that the context does not have.

It is \`undefined\`. What a context has is what the installed Packs SDK declares. Credentials are not in it: the platform puts them into requests, and with Custom authentication a placeholder \`{{name-<invocationToken>}}\` says where.`,
  examples: [
    {
      bad: PACK("return context.«connectionParams».user;"),
      toolkit: "installed",
    },
    {
      bad: PACK(
        'let response = await context.fetcher.fetch({ method: "GET", url: "https://example.com/" + context.«invocationTokn» });\n    return response.body.name;',
      ),
      fixed: PACK(
        'let response = await context.fetcher.fetch({ method: "GET", url: "https://example.com/" + context.invocationToken });\n    return response.body.name;',
      ),
      toolkit: "installed",
    },
    {
      good: PACK('return context.sync === undefined ? context.timezone : "";'),
      toolkit: "installed",
    },
  ],
  *check(pack) {
    const members = pack.toolkit?.contextMembers;
    if (members === undefined) return;
    let called: ReadonlySet<string> | undefined;
    for (const { contextMembers } of pack.facts)
      for (const { file, start, end, name, owner, isTyped } of contextMembers) {
        if (members.has(name) || name in Object.prototype) continue;
        if (!isTyped) called ??= calledByPlatform(pack);
        if (!isTyped && !called?.has(keyOf({ file, start: owner.start }))) continue;
        // What somebody writes there is there.
        if (pack.facts.some(({ text }) => new RegExp(`\\.${name.replaceAll("$", "\\$")}\\s*(?:\\?\\?|\\|\\||&&)?=(?![=>])`).test(text)))
          continue;
        const meant = closest(name, members);
        yield {
          place: { file, start, end },
          message: `${meant === undefined ? "" : `Did you mean ${meant}? `}The context has no ${name}, so this is undefined. Credentials are never in it: the platform puts them into requests.`,
          fixes: () => (meant === undefined ? [] : [respell(`Change to ${meant}`, replace({ file, start, end }, meant))]),
        };
      }
  },
});

/** The functions in definitions, by where they start: the platform gives each a context. */
const calledByPlatform = (pack: PackModel): ReadonlySet<string> =>
  new Set(
    [...pack.runnables.map(({ definition }) => definition), ...pack.auths.map(({ config }) => config)]
      .flatMap((definition) => functionsOf(pack, definition).functions)
      .map(keyOf),
  );
