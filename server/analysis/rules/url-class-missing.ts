import { reachableCode } from "../pack/reachable-code.ts";
import { pack, rule, source } from "../rule.ts";

/** Classes that browsers and Node have, but the platform lacks. */
const CLASSES: ReadonlySet<string> = new Set(["URL", "URLSearchParams"]);

const MENTIONS = /\bnew\s+URL(?:SearchParams)?\b|\bURL\.(?:canParse|parse)\b/;

/** Matches a class of this name in the pack, or code that adds one. */
const OWN_CLASS =
  /(?<![.\w$])(?:globalThis|global|window|self)\b|\btypeof\s+URL|\bURL(?:SearchParams)?\s*=[^=>]|polyfill|core-js|whatwg-url/;

export default rule({
  id: "url-class-missing",
  severity: "warning",
  source: "sdk-facts 4",
  docs: `A function of the pack uses \`URL\` or \`URLSearchParams\`.

The platform's runtime has neither class, so the function fails there with a \`ReferenceError\`, though the same code runs in Node. Put URLs together with \`coda.withQueryParams\` and \`coda.joinUrl\`, and read parameters with \`coda.getQueryParams\`. Or import the class from a package.`,
  examples: [
    {
      bad: pack`
        pack.addFormula({
          ...Me,
          execute: async function ([], context) {
            const url = new «URL»("https://acme.example/me");
            return (await context.fetcher.fetch({ method: "GET", url: url.href })).body.name;
          },
        });
      `,
    },
    {
      good: source`
        import * as coda from "@codahq/packs-sdk";
        import { URL } from "url";
        export const pack = coda.newPack();
        pack.addNetworkDomain("acme.example");
        pack.addFormula({
          ...Me,
          execute: async function ([], context) {
            return (await context.fetcher.fetch({ method: "GET", url: new URL("/me", "https://acme.example").href })).body.name;
          },
        });
      `,
    },
  ],
  on: {
    *file(pack, facts) {
      if (pack.partial || facts.unread !== undefined || !MENTIONS.test(facts.text)) return;
      if (pack.facts.some(({ text }) => OWN_CLASS.test(text))) return;
      for (const { place, path, inFunction } of facts.calledPaths()) {
        const [name = ""] = path;
        if (!inFunction || !CLASSES.has(name) || facts.imports.has(name) || facts.declarations.get(name) !== undefined) continue;
        if (!reachableCode(pack).has(place)) continue;
        yield {
          place: { file: place.file, start: place.start, end: place.start + name.length },
          message: `Put the URL together with coda.withQueryParams and coda.joinUrl. The platform's runtime has no ${name}.`,
        };
      }
    },
  },
});
