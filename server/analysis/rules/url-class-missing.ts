import { missingGlobals } from "../pack/missing-globals.ts";
import { pack, rule, source } from "../rule.ts";

const FOR_URLS = "Put the URL together with coda.withQueryParams and coda.joinUrl.";
const FOR_BASE64 = "Convert base64 with Buffer.";

/** What to do instead, by the name of a global that browsers and Node have, but the platform lacks. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ["URL", FOR_URLS],
  ["URLSearchParams", FOR_URLS],
  ["atob", FOR_BASE64],
  ["btoa", FOR_BASE64],
]);
const NAMES: ReadonlySet<string> = new Set(INSTEAD.keys());

export default rule({
  id: "url-class-missing",
  severity: "warning",
  source: "sdk-facts 4",
  docs: `The pack uses \`URL\`, \`URLSearchParams\`, \`atob\` or \`btoa\`.

The platform's runtime has none of them, so the code fails there with a \`ReferenceError\`, though it runs in Node. Convert base64 with \`Buffer\`. Put URLs together with \`coda.withQueryParams\` and \`coda.joinUrl\`, and read parameters with \`coda.getQueryParams\`. Or import the class from a package.`,
  examples: [
    {
      bad: pack`
        formula Me {
          const url = new «URL»("https://acme.example/me");
          return (await context.fetcher.fetch({ method: "GET", url: url.href })).body.name;
        }`,
    },
    {
      good: source`
        import * as coda from "@codahq/packs-sdk";
        import { URL } from "url";
        export const pack = coda.newPack();
        pack.addNetworkDomain("acme.example");
        formula Me {
          return (await context.fetcher.fetch({ method: "GET", url: new URL("/me", "https://acme.example").href })).body.name;
        }`,
    },
  ],
  on: {
    *file(pack, facts) {
      for (const { place, name } of missingGlobals(pack, facts, NAMES))
        yield { place, message: `${INSTEAD.get(name) ?? ""} The platform's runtime has no ${name}.` };
    },
  },
});
