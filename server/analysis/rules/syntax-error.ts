import { rule, source } from "../rule.ts";

export default rule({
  id: "syntax-error",
  severity: "error",
  verdict: "will-be-rejected",
  source: "design, Robustness",
  docs: `The source has a syntax error, so the pack cannot be built.

Correct the first error. Others may be its consequences, so only the first one of each file is reported. Other rules still report what they can read.

Only \`pack-auth check\` reports it. In an editor TypeScript marks the error itself. \`check --fix\` changes nothing in a file that has one.`,
  examples: [
    {
      bad: source`
        import * as coda from "@codahq/packs-sdk";
        export const pack = coda.newPack(«;»`,
    },
    {
      good: source`
        import * as coda from "@codahq/packs-sdk";
        export const pack = coda.newPack();`,
    },
  ],
  on: {
    *mistake({ message, ...place }) {
      yield {
        place,
        message: `Correct the syntax: ${message.replace(/\.$/, "")}. Until then the pack cannot be built, and --fix leaves this file as it is.`,
      };
    },
  },
});
