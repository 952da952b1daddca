// Sources that look like a mistake: one test for each, in which nothing may be found.
import assert from "node:assert/strict";
import { analyse, split } from "./analyse.ts";

/** How most of them begin. */
export const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n`;

/** By what each is; `// @file: name.ts` begins a file of a source of several. */
export function staySilent(what: string, traps: Readonly<Record<string, string>>): void {
  describe(`traps stay silent: ${what}`, () => {
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
