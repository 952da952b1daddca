// Correct sources that look like a mistake. Each test checks that nothing is found.
import assert from "node:assert/strict";
import { analyse, split } from "./analyse.ts";

/** The beginning of most sources. */
export const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n`;

/** By title; `// @file: name.ts` begins another file. */
export function staySilent(what: string, traps: Readonly<Record<string, string>>): void {
  describe(`Traps without a finding: ${what}`, () => {
    for (const [name, source] of Object.entries(traps)) {
      it(name, () => {
        const files = split(source);
        const analysis = analyse(files);
        const findings = Object.keys(files).flatMap((file) =>
          analysis.diagnostics(file).map((diagnostic) => `${diagnostic.rule}: ${diagnostic.message}`),
        );
        assert.deepEqual(findings, []);
      });
    }
  });
}
