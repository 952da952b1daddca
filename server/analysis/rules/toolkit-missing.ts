import { rule, source } from "../rule.ts";

export default rule({
  id: "toolkit-missing",
  severity: "information",
  source: "sdk-facts 5",
  docs: `The pack imports the Packs SDK, which is not installed.

Install it: \`npm install --save-dev @codahq/packs-sdk\`. Without it the pack cannot be built or run. The built-in model then decides which types and fields are legal, instead of the Packs SDK's own declarations.`,
  examples: [
    {
      bad: source`
        import * as coda from "«@codahq/packs-sdk»";
        export const pack = coda.newPack();`,
      toolkit: "missing",
    },
    {
      good: source`
        import * as coda from "@codahq/packs-sdk";
        export const pack = coda.newPack();`,
      toolkit: "installed",
    },
  ],
  on: {
    *pack(pack) {
      if (pack.missingToolkit === undefined) return;
      const { place, install } = pack.missingToolkit;
      yield {
        place,
        message: `Install ${pack.text(place.file).slice(place.start, place.end)} to run this pack. Until then it is checked against the built-in model. Command: ${install}`,
      };
    },
  },
});
